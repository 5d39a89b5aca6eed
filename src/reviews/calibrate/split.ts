import { hashText } from '../../lib/content-hash.ts';
import type { CalibrationSplit } from '../../schema/review/certificate.ts';
import type { ReviewItem, ReviewTask } from '../../schema/review/review-task.ts';
import type { RunMetric } from '../../schema/run.ts';

/** A half of all cases: the one to tune judges with, and the one to certify them with. */
export type Half = 'tune' | 'certify';

/**
 * Returns the half that a case belongs to: half of all cases each, by the hash of the content. All answers to a case are in the
 * same half, in every run and review task.
 */
export function halfOf({ caseHash }: ReviewItem['subject']): Half {
  return Number.parseInt(hashText(`half ${caseHash}`).slice(0, 1), 16) < 8 ? 'tune' : 'certify';
}

/** The facts from which it follows whether a judge may have been tuned on the labels. */
export interface TuningFacts {
  readonly task: Pick<ReviewTask, 'judged'>;
  readonly metric: Pick<RunMetric, 'name' | 'fingerprint'>;
  /** The fingerprint that the metric had in the run that was labelled; undefined when the run is gone. */
  readonly labelled: string | undefined;
  /** True when the user says so. */
  readonly isTuned: boolean;
  /** The number of labelled items for tuning that the prompt of the judge contains. */
  readonly tuningItemsInPrompt: number;
}

/** Decides which labels certify: all of them, or only the certify half when the judge may have been tuned on labels. */
export function chooseSplit(facts: TuningFacts): Pick<CalibrationSplit, 'part' | 'why'> {
  const why = whyTuned(facts);
  if (why !== undefined)
    return { part: 'certify', why: `${why} Only the certify half of the labels counts.` };
  return {
    part: 'all',
    why: 'The judge has not been changed since the answers were drawn: all labels count.',
  };
}

function whyTuned(facts: TuningFacts): string | undefined {
  const { task, metric, labelled, isTuned, tuningItemsInPrompt } = facts;
  if (isTuned) return 'The judge was tuned on labels, as the command says.';
  if (tuningItemsInPrompt > 0)
    return `The judge's prompt contains ${tuningItemsInPrompt} labelled ${tuningItemsInPrompt === 1 ? 'item' : 'items'} of the half for tuning.`;
  const known = task.judged?.find(({ metric: name }) => name === metric.name)?.fingerprint ?? labelled;
  if (known === undefined) return 'Nobody knows whether the judge was changed after the answers were drawn.';
  return known === metric.fingerprint
    ? undefined
    : 'The judge was changed after the answers were drawn, so that it may have been tuned on the labels.';
}
