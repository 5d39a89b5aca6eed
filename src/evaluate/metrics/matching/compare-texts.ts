import { editDistance } from '../../../core/lib/text/edit-distance.ts';
import { tooLong } from '../metric.ts';

/**
 * Returns how alike two texts are, from 0 to 1: 1 less their edits as a share of the longer one, in code points. Throws
 * `UnmeasurableError` (`too-long`) for very long texts that differ much.
 */
export function compareTexts(first: string, second: string): number {
  if (first === second) return 1;
  const [given, wanted] = [Array.from(first), Array.from(second)];
  const edits = editDistance(given, wanted);
  if (edits === undefined) throw tooLong(given.length, wanted.length, 'characters');
  return 1 - edits / Math.max(given.length, wanted.length);
}
