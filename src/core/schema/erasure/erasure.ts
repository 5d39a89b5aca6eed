import { z } from 'zod';
import type { Case } from '../case.ts';

/** The mark of erased texts in a run: how many of its records bear the mark of a day. */
export const erasureSchema = z.lazy(() =>
  z.object({
    /** The day on which the texts were erased. */
    day: z.iso.date(),
    /** The number of records of the run that lost texts on that day. */
    records: z.int().positive(),
  }),
);
export type Erasure = z.infer<typeof erasureSchema>;

/** Returns the replacement of a text that was erased on a day. */
export function erasureMark(day: string): string {
  return `[erased ${day}]`;
}

/** Returns whether a text is the mark of an erased one. */
export function isErasureMark(text: string): boolean {
  return /^\[erased \d{4}-\d{2}-\d{2}\]$/.test(text);
}

/** Returns the days of the marks in a text, such as the JSON of a record. */
export function daysErasedIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/\[erased (\d{4}-\d{2}-\d{2})\]/g), ([, day]) => day as string));
}

/** Returns the day on which the question of a case was erased; undefined for a case that still has it. */
export function dayErased({ input }: Pick<Case, 'input'>): string | undefined {
  const text = typeof input === 'string' ? input : (input.at(-1)?.content ?? '');
  return isErasureMark(text) ? [...daysErasedIn(text)][0] : undefined;
}
