import { z } from 'zod';

/**
 * What a case has to do with the gate: `gate` (as when nothing is said), `watch` (reported, never decided on) or
 * `quarantine until 2026-12-31` (the same up to the end of that day, UTC; then it counts again).
 */
export const gateMarkSchema = z.string().refine((mark) => readGateMark(mark) !== undefined, {
  error: 'gate, watch, or quarantine until a day, such as "quarantine until 2026-12-31"',
});

/** A mark, taken apart. */
export type GateMark =
  | { readonly status: 'gate' | 'watch' }
  /** `until` is a day, `2026-12-31`. */
  | { readonly status: 'quarantine'; readonly until: string };

/** What a mark says; undefined for a text that is none. */
export function readGateMark(text: string): GateMark | undefined {
  if (text === 'gate' || text === 'watch') return { status: text };
  const until = /^quarantine until (\d{4}-\d{2}-\d{2})$/.exec(text)?.[1];
  return until === undefined || !z.iso.date().safeParse(until).success
    ? undefined
    : { status: 'quarantine', until };
}

/**
 * What a mark means on a day, as `2026-12-31`: a quarantine that ended before is `expired`. Undefined without a mark that
 * takes the case out of the gate.
 */
export function statusOn(
  day: string,
  mark: GateMark | undefined,
): 'watch' | 'quarantine' | 'expired' | undefined {
  if (mark?.status === 'quarantine') return day <= mark.until ? 'quarantine' : 'expired';
  return mark?.status === 'watch' ? 'watch' : undefined;
}
