import { TouchstoneError } from '../errors.ts';
import type { LiveTarget } from '../run/evaluation.ts';

/**
 * The targets that an A/B test is about: the only ones of both sides, else the only ones of equal names that differ, else
 * the two of one config in their order. Throws `usage-invalid` where that leaves a choice, or nothing that differs.
 */
export function pickArms(a: readonly LiveTarget[], b: readonly LiveTarget[]): [LiveTarget, LiveTarget] {
  const pairs = findPairs(a, b);
  const [pair] = pairs;
  if (pair === undefined) throw nothingDiffers(a);
  if (pairs.length > 1) throw notOne(a, b);
  return pair;
}

function findPairs(a: readonly LiveTarget[], b: readonly LiveTarget[]): [LiveTarget, LiveTarget][] {
  const all = a.flatMap((one) =>
    b.flatMap((other): [LiveTarget, LiveTarget][] =>
      one.fingerprint === other.fingerprint ? [] : [[one, other]],
    ),
  );
  const sameNames = all.filter(([one, other]) => one.name === other.name);
  if (sameNames.length > 0) return sameNames;
  // A config with two targets, on both sides: the pair and its mirror image.
  return all.filter(
    ([one, other], place) =>
      !all.slice(0, place).some(([before, after]) => before.name === other.name && after.name === one.name),
  );
}

const ways =
  'Name two configs (`touchstone ab a.config.json b.config.json`), two targets of one (`--a v1 --b v2`), or what B does differently (`--set targets.0.model.model=gpt-5-mini`).';

function nothingDiffers(targets: readonly LiveTarget[]): TouchstoneError {
  const names = namesOf(targets);
  const message = `A and B are the same (${names}): there is nothing to compare.`;
  return new TouchstoneError('usage-invalid', message, { remedy: ways });
}

function notOne(a: readonly LiveTarget[], b: readonly LiveTarget[]): TouchstoneError {
  const [namesA, namesB] = [namesOf(a), namesOf(b)];
  const has = namesA === namesB ? `They have ${namesA}` : `A has ${namesA}; B has ${namesB}`;
  const message = `Which targets are A and B cannot be told. ${has}.`;
  return new TouchstoneError('usage-invalid', message, { remedy: 'Say which: `--a NAME --b NAME`.' });
}

function namesOf(targets: readonly LiveTarget[]): string {
  return targets.map(({ name }) => name).join(', ');
}
