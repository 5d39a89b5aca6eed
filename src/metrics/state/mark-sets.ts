import { pathSteps } from '../../lib/value-at-path.ts';
import type { Json } from '../../schema/json.ts';
import { isRecord } from '../matching/expectation.ts';

/** An expected value in which the lists at some paths are sets: order and repetition do not count. `*` is any step. */
export function markSets(expected: Json, paths: readonly string[]): Json {
  return paths.reduce((value, path) => markAt(value, pathSteps(path)), expected);
}

function markAt(value: Json, steps: readonly string[]): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return Array.isArray(value) ? { $set: value } : value;
  if (Array.isArray(value)) {
    return value.map((item, index) => (step === '*' || step === String(index) ? markAt(item, rest) : item));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      step === '*' || step === key ? markAt(member, rest) : member,
    ]),
  );
}
