import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Json } from '../../../core/schema/json.ts';
import { isRecord, type Mismatch, formatValue } from '../matching/expectation.ts';

const longestCall = 120;
const mostDifferences = 3;

/**
 * Formats a call on one line: `book_flight(from: "CDG", seats: 2)`.
 * @param formatArgument - Formats a value; as JSON when absent.
 */
export function formatCall(
  name: string,
  args: Json,
  formatArgument: (value: Json) => string = formatValue,
): string {
  const shown = isRecord(args)
    ? Object.entries(args).map(([key, value]) => `${key}: ${formatArgument(value)}`)
    : [formatArgument(args)];
  return shorten(`${name}(${shown.join(', ')})`, longestCall);
}

/** Describes the differences of a call from an expected one: `date was "2025-03-21" instead of "2025-03-22"`. */
export function formatDifferences(differences: readonly Mismatch[]): string {
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
