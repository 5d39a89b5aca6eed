import { TouchstoneError } from '../../core/errors.ts';
import type { ItemAtHand } from './admit.ts';
import { refuseLabel } from './admit.ts';

const reasons = {
  reserved: 'another person is labelling it',
  'enough-labels': 'it has all the labels that were wanted',
  'labelled-before': 'this person has labelled it already',
} as const;

/** Throws `label-refused` when a person may not label an item now. */
export function requireAdmission(
  item: ItemAtHand,
  submission: Parameters<typeof refuseLabel>[1] & { readonly task: string; readonly item: number },
): void {
  const refusal = refuseLabel(item, submission);
  if (refusal === undefined) return;
  throw new TouchstoneError(
    'label-refused',
    `Item ${submission.item + 1} of the review task ${submission.task} takes no label now: ${reasons[refusal]}.`,
  );
}

/** Returns the `review-not-found` error for an unknown task. */
export function taskNotFound(taskId: string): TouchstoneError {
  return new TouchstoneError('review-not-found', `There is no review task "${taskId}".`);
}

/** Returns the `review-not-found` error for an item that a task does not have. */
export function itemNotFound(taskId: string, item: number): TouchstoneError {
  return new TouchstoneError('review-not-found', `The review task ${taskId} has no item ${item + 1}.`);
}

/** Returns the `label-conflict` error for a record whose id is stored with another content. */
export function recordConflict(noun: string, id: string): TouchstoneError {
  return new TouchstoneError(
    'label-conflict',
    `The ${noun} ${id} is in the store with another content, and nothing was added.`,
  );
}
