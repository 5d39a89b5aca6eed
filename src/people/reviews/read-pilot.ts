import { TouchstoneError } from '../../core/errors.ts';
import { isAnswer, labelsInForce } from '../../core/schema/review/label.ts';
import type { Rubric } from '../../core/schema/review/rubric.ts';
import { passOf } from '../../decide/certificates/rubric.ts';
import { readItems, readMarks } from '../../stores/reviews/review-records.ts';
import type { Store } from '../../stores/store.ts';
import { answerKey } from './frame.ts';

/**
 * Reads the answers of a pilot and how much its labels spread in each stratum. Throws `review-not-found` for an unknown task, and
 * `review-invalid` for one without labels by the rubric.
 */
export async function readPilot(store: Store, taskId: string, rubric: Rubric) {
  const items = await readItems(store.documents, taskId);
  if (items.length === 0)
    throw new TouchstoneError('review-not-found', `There is no review task "${taskId}" to use as the pilot.`);
  const strata = new Map(items.map(({ position, stratum }) => [position, stratum]));
  const inForce = labelsInForce(await readMarks(store.documents, taskId));
  const passes = Map.groupBy(
    inForce.flatMap((label) => {
      const { outcome, item, purpose } = label;
      if (label.rubric.id !== rubric.id || purpose !== 'new' || !isAnswer(label) || item === null) return [];
      const passed = passOf(rubric, outcome.status === 'answered' ? outcome.value : null);
      return passed === null ? [] : [{ stratum: strata.get(item) ?? '', passed }];
    }),
    ({ stratum }) => stratum,
  );
  if (passes.size === 0)
    throw new TouchstoneError(
      'review-invalid',
      `The pilot ${taskId} has no labels by the rubric ${rubric.id} yet.`,
    );
  const spreads = Array.from(passes, ([stratum, labels]): [string, number] => {
    // Half a label more of either kind: no label of one kind does not mean that there is none.
    const share = (labels.filter(({ passed }) => passed).length + 0.5) / (labels.length + 1);
    return [stratum, Math.sqrt(share * (1 - share))];
  });
  return { spreads: new Map(spreads), answers: new Set(items.map(({ subject }) => answerKey(subject))) };
}
