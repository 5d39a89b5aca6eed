import { shorten } from '../../lib/text/terminal-text.ts';
import type { Json } from '../../schema/json.ts';
import { isRecord, type Mismatch, showValue } from '../matching/expectation.ts';

const longestCall = 120;
const mostDifferences = 3;

/**
 * A call on one line: `book_flight(from: "CDG", seats: 2)`.
 * @param showArgument - The words for a value; its JSON when left out.
 */
export function showCall(
  name: string,
  given: Json,
  showArgument: (value: Json) => string = showValue,
): string {
  const shown = isRecord(given)
    ? Object.entries(given).map(([key, value]) => `${key}: ${showArgument(value)}`)
    : [showArgument(given)];
  return shorten(`${name}(${shown.join(', ')})`, longestCall);
}

/** Where a call differs from an expected one: `date was "2025-03-21" instead of "2025-03-22"`. */
export function showDifferences(differences: readonly Mismatch[]): string {
  const shown = differences.slice(0, mostDifferences).map(({ path, expected, actual }) => {
    const place = path === '' ? 'it' : path;
    if (expected === 'nothing') return `${place} was not expected (${actual})`;
    return actual === 'nothing'
      ? `${place} was missing (expected ${expected})`
      : `${place} was ${actual} instead of ${expected}`;
  });
  const more = differences.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
