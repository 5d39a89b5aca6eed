import type { ModeShare, NoShare } from '../../core/schema/modes/mode-table.ts';
import type { Interval } from '../../core/stats/interval.ts';
import { clopperPearsonInterval } from '../../core/stats/proportion-interval.ts';
import { stratifiedShare } from '../../core/stats/shares/share-in-run.ts';
import { shareOfCases } from '../../core/stats/shares/share-of-cases.ts';
import type { MarkedAnswer } from './read-marks.ts';
import { isFailed, type ReadItem, type ReadNotes } from './read-notes.ts';

/** The numbers of answers read by what is known of a mode. */
export interface ModeCounts {
  readonly yes: number;
  readonly no: number;
  readonly disputed: number;
  readonly unmarked: number;
}

/** Counts answers by what people say of a mode. */
export function countMarks(
  items: readonly Pick<ReadItem, 'answer'>[],
  marks: ReadonlyMap<string, MarkedAnswer>,
): ModeCounts {
  const counts = { yes: 0, no: 0, disputed: 0, unmarked: 0 };
  for (const { answer } of items) counts[marks.get(answer)?.value ?? 'unmarked'] += 1;
  return counts;
}

/** The part of the answers of a run that a share is of. */
export type ShareOf = 'all' | 'failed';

/** Returns the share of the answers of a run, or of those that failed, that have a mode. */
export function shareOfMode(
  { strata, items, isDrawn }: ReadNotes,
  marks: ReadonlyMap<string, MarkedAnswer>,
  of: ShareOf,
  confidence?: number,
): ModeShare {
  const isOf = (stratum: string) => of === 'all' || isFailed(stratum);
  const own = items.filter(({ stratum }) => isOf(stratum));
  if (!isDrawn) return unknownShare(own.length, 'not-drawn');
  const parts = strata.filter(({ name }) => isOf(name));
  const byStratum = Map.groupBy(own, ({ stratum }) => stratum);
  const counts = parts.map(({ name, size }) => {
    const read = byStratum.get(name) ?? [];
    const { yes, disputed, unmarked } = countMarks(read, marks);
    return { size, sampled: read.length, least: yes, most: yes + disputed + unmarked };
  });
  const at = (end: 'least' | 'most') =>
    stratifiedShare({
      strata: counts.map(({ size, sampled, ...found }) => ({ size, sampled, successes: found[end] })),
      confidence,
    });
  return between(at('least'), at('most'), 'part-unread');
}

/**
 * Returns the share of other answers of this kind that have a mode; null where answers were not drawn from all alike, or are not all marked.
 */
export function shareBeyond(
  { strata, items, isDrawn }: ReadNotes,
  marks: ReadonlyMap<string, MarkedAnswer>,
): ModeShare | null {
  const { yes, disputed, unmarked } = countMarks(items, marks);
  if (!isDrawn || strata.length !== 1 || items.length === 0 || disputed + unmarked > 0) return null;
  const byCase = Map.groupBy(items, ({ answer }) => answer.slice(0, answer.indexOf(' ')));
  const cases = Array.from(byCase.values(), (answers) => ({
    successes: countMarks(answers, marks).yes,
    answers: answers.length,
  }));
  const share =
    cases.length === items.length
      ? clopperPearsonInterval({ successes: yes, trials: items.length })
      : shareOfCases({ cases });
  return between(share, share, 'no-spread');
}

function between(least: Interval, most: Interval, why: NoShare): ModeShare {
  const { n, method } = least;
  if (least.status === 'undefined' || most.status === 'undefined')
    return unknownShare(n, n === 0 ? 'nothing-read' : why);
  const isOne = least.estimate === most.estimate;
  return {
    estimate: isOne ? least.estimate : null,
    least: least.estimate,
    most: most.estimate,
    lower: least.lower,
    upper: most.upper,
    n,
    method,
    reason: isOne ? undefined : 'to-be-marked',
  };
}

function unknownShare(n: number, reason: NoShare): ModeShare {
  return { estimate: null, least: null, most: null, lower: null, upper: null, n, reason };
}

/** Returns a share as an interval, for differences. */
export function intervalOfShare({ estimate, lower, upper, n, reason }: ModeShare): Interval {
  const basis = { n, confidence: 0.95, method: 'mover' } as const;
  if (estimate !== null && lower !== null && upper !== null)
    return { ...basis, status: 'defined', estimate, lower, upper };
  return { ...basis, status: 'undefined', estimate: null, lower: null, upper: null, reason: reason ?? '' };
}
