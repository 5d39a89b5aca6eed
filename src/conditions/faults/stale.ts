import type { Json } from '../../schema/json.ts';
import { ageText, ageValue } from './age-value.ts';
import type { Fault } from './fault.ts';
import { throughText } from './through-text.ts';

const youngestDays = 40;
const oldestDays = 400;

/** The result of long ago, out of a cache that says so: earlier dates, other amounts. */
export const stale: Fault = {
  kind: 'stale',
  version: 1,
  summary: 'An old result out of a cache, marked as such: earlier dates, other amounts.',
  corrupt: (result, random) => {
    const days = youngestDays + random.integer(oldestDays - youngestDays);
    const mark = `stale: this copy is ${days} days old`;
    return throughText(
      result,
      (value) => marked(ageValue(value, { days, random }), mark),
      (text) => `[cache ${mark}]\n${ageText(text, { days, random })}`,
    );
  },
};

/** The mark stands in every row, as programs read rows and not lists. */
function marked(value: Json, cache: string): Json {
  if (Array.isArray(value)) return value.map((item) => marked(item, cache));
  if (value === null || typeof value !== 'object') return value;
  return { ...value, cache };
}
