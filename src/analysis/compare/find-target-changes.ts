import { isSecretName } from '../../lib/redact-secrets.ts';
import { firstUnits } from '../../lib/terminal-text.ts';
import type { TargetChange } from '../../schema/run-comparison.ts';
import type { RunTarget } from '../../schema/run.ts';

/** Characters of a value that are told, and of what both begin with. */
const longestValue = 80;
const sharedBeginning = 20;

/** The settings in which two targets differ, innermost first named; undefined for one and the same target. */
export function findTargetChanges(
  a: Pick<RunTarget, 'use' | 'fingerprint'> | undefined,
  b: Pick<RunTarget, 'use' | 'fingerprint'> | undefined,
): TargetChange[] | undefined {
  if (a === undefined || b === undefined || a.fingerprint === b.fingerprint) return undefined;
  return changesIn({ ...a.use, name: undefined }, { ...b.use, name: undefined }, []);
}

function changesIn(a: unknown, b: unknown, path: readonly string[]): TargetChange[] {
  if (Object.is(a, b)) return [];
  const names = sharedNames(a, b);
  if (names !== undefined) {
    return names.flatMap((name) => changesIn(memberOf(a, name), memberOf(b, name), [...path, name]));
  }
  const setting = path.join('.');
  const isSecret = path.some(isSecretName) && [a, b].some((value) => typeof value === 'string');
  return [isSecret ? { setting, a: null, b: null, isSecret } : { setting, ...tell(a, b) }];
}

/** The names inside two values of a kind, of which one may not be set; undefined where they can only be told whole. */
function sharedNames(a: unknown, b: unknown): string[] | undefined {
  const values = [a, b].filter((value) => value !== undefined);
  const isList = values.every((value) => Array.isArray(value));
  const isRecord = values.every((value) => isBranch(value) && !Array.isArray(value));
  const names = new Set(values.flatMap((value) => (isBranch(value) ? Object.keys(value) : [])));
  return (isList || isRecord) && names.size > 0 ? [...names] : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isBranch(value) ? Reflect.get(value, name) : undefined;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Both values as JSON, from shortly before where they part. */
function tell(a: unknown, b: unknown): Pick<TargetChange, 'a' | 'b'> {
  const [textA, textB] = [JSON.stringify(a) ?? '', JSON.stringify(b) ?? ''];
  let shared = 0;
  while (shared < textA.length && textA[shared] === textB[shared]) shared += 1;
  const from = shared > 2 * sharedBeginning ? startOfWord(textA, shared) : 0;
  const clip = (text: string) => {
    const shown = firstUnits(text.slice(from), longestValue);
    const isCut = from + shown.length < text.length;
    return text === '' ? null : `${from > 0 ? '…' : ''}${shown}${isCut ? '…' : ''}`.toWellFormed();
  };
  return { a: clip(textA), b: clip(textB) };
}

/** Where to begin telling a text, not long before a place in it. */
function startOfWord(text: string, place: number): number {
  const earliest = place - sharedBeginning;
  const space = text.indexOf(' ', earliest);
  return space === -1 || space >= place ? earliest : space + 1;
}
