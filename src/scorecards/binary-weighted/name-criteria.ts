import { formatPoints } from '../format-points.ts';
import type { Mark } from './read-marks.ts';
import { asNote, inBrackets, inWords } from './sentence.ts';

/** What the user has to say of a criterion that came out like this; undefined when it is called by its name. */
export function phraseOf({ criterion, truth }: Mark): string | undefined {
  if (truth === 'true') return criterion.whenTrue;
  return truth === 'false' ? criterion.whenFalse : undefined;
}

/** The name of a criterion in words. */
export function nameOf({ criterion }: Mark): string {
  return inWords(criterion.name);
}

/** The name with what the metric says: `correct time (10:00 instead of 11:00)`. */
export function nameWithNote(mark: Mark): string {
  return `${nameOf(mark)}${inBrackets(asNote(mark.note))}`;
}

/**
 * What a criterion that is not met cost, and why, in brackets: `(−0.25: 10:00 instead of 11:00)`.
 * @param scale - By what weights of criteria that are not negative are divided.
 */
export function costOf({ criterion, note }: Mark, scale: number): string {
  const share = criterion.negative === true ? criterion.weight : criterion.weight / scale;
  return inBrackets(share === 0 ? undefined : `−${formatPoints(share)}`, asNote(note));
}
