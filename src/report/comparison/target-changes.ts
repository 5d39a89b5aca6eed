import type { TargetChange } from '../../schema/run-comparison.ts';
import { type Phrase, quote } from '../phrase.ts';

const mostChanges = 8;

/** What target B does differently from target A; undefined where it is the same target, or that is not known. */
export function tellTargetChanges(changes: readonly TargetChange[] | undefined): Phrase | undefined {
  if (changes === undefined) return undefined;
  if (changes.length === 0) return ['Different in B: no setting, but the files behind it'];
  const rest = changes.length > mostChanges ? [`; and ${changes.length - mostChanges} more settings`] : [];
  const told = changes
    .slice(0, mostChanges)
    .flatMap((change, place): Phrase => [...(place > 0 ? ['; '] : []), ...tellChange(change)]);
  return ['Different in B: ', ...told, ...rest];
}

function tellChange({ setting, a, b, isSecret }: TargetChange): Phrase {
  if (isSecret === true) return [quote(setting)];
  return [quote(setting), ' ', tellValue(a), ' → ', tellValue(b)];
}

function tellValue(value: string | null): Phrase[number] {
  return value === null ? 'not set' : quote(value);
}
