import { TouchstoneError } from '../../core/errors.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import type { LabelMark } from '../../core/schema/review/label.ts';
import type { ReviewTask } from '../../core/schema/review/review-task.ts';
import type { RubricName } from '../../core/schema/review/rubric.ts';
import type { Store } from '../../stores/store.ts';
import { type Turn, turnWithFirst } from './pairs/sides.ts';
import type { ReviewView } from './review-view.ts';
import { readMarks } from '../../stores/reviews/review-records.ts';
import { readReservations } from '../../stores/reviews/reservations.ts';
import { rubricKind } from '../../stores/kinds/rubric.ts';
import { reviewItemKind, reviewTaskKind } from '../../stores/kinds/review-task.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { type DocumentStore } from '../../stores/documents/document-store.ts';

/**
 * Finds the review task that a user names by its id, by the beginning or end of its id, or as `latest`. Throws
 * `review-not-found` when no task or several match.
 */
export async function findTask(documents: DocumentStore, given = 'latest'): Promise<ReviewTask> {
  const tasks = await Array.fromAsync(documents.list(reviewTaskKind));
  const [latest] = tasks;
  if (latest === undefined) {
    throw new TouchstoneError('review-not-found', 'There are no review tasks yet.', {
      remedy: 'Create one: `touchstone review create --rubric NAME`.',
    });
  }
  if (given === 'latest') return latest;
  const matches = tasks.filter(({ id }) => id.startsWith(given) || id.endsWith(given));
  const exact = tasks.find(({ id }) => id === given) ?? (matches.length === 1 ? matches[0] : undefined);
  if (exact !== undefined) return exact;
  const ids = tasks.map(({ id }) => id);
  const what =
    matches.length > 1
      ? `"${given}" matches ${matches.length} review tasks: ${matches.map(({ id }) => id).join(', ')}.`
      : `There is no review task "${given}".${didYouMean(given, ids)}`;
  throw new TouchstoneError('review-not-found', what);
}

/** Reads everything from which the progress of a task follows. Throws `review-not-found` and `rubric-not-found`. */
export async function readView(documents: DocumentStore, taskId: string): Promise<ReviewView> {
  const task = await documents.get(reviewTaskKind, [taskId]);
  if (task === undefined)
    throw new TouchstoneError('review-not-found', `There is no review task "${taskId}".`);
  const known = await Array.fromAsync(documents.list(rubricKind));
  const rubrics = task.rubrics.map((name) => {
    const rubric = known.find(({ id, version }) => id === name.id && version === name.version);
    return rubric ?? throwRubricMissing(name);
  });
  const [items, marks, reservations] = await Promise.all([
    documents.heads(reviewItemKind, ['position', 'people'], { where: { task: taskId } }),
    readMarks(documents, taskId),
    readReservations(documents, taskId),
  ]);
  return { task, rubrics, items, marks, reservations };
}

function throwRubricMissing({ id, version }: RubricName): never {
  throw new TouchstoneError('rubric-not-found', `The store has no rubric ${id} of version ${version}.`, {
    remedy: 'Import the file of labels that contains it: `touchstone labels import FILE`.',
  });
}

/** Reads the order in which a person saw the pair that a label is about; undefined for a single answer. */
export async function readTurn(
  { documents }: Store,
  { task, rubrics }: ReviewView,
  { id, item }: Pick<LabelMark, 'id' | 'item'>,
): Promise<Turn | undefined> {
  if (item === null || rubrics.every(({ scale }) => scale.type !== 'pair')) return undefined;
  for await (const label of documents.list(labelKind, { where: { task: task.id } }))
    if (label.id === id && label.first !== undefined) return turnWithFirst(task, item, label.first);
  return undefined;
}
