import type { LabelMark } from '../../schema/review/label.ts';
import type { Store } from '../../stores/store.ts';
import type { ReviewView } from '../review-view.ts';
import { type Turn, turnWithFirst } from './sides.ts';

/** Reads the order in which a person saw the pair that a label is about; undefined for a single answer. */
export async function readTurn(
  { reviews }: Store,
  { task, rubrics }: ReviewView,
  { id, item }: Pick<LabelMark, 'id' | 'item'>,
): Promise<Turn | undefined> {
  if (item === null || rubrics.every(({ scale }) => scale.type !== 'pair')) return undefined;
  for await (const label of reviews.readLabels({ task: task.id }))
    if (label.id === id && label.first !== undefined) return turnWithFirst(task, item, label.first);
  return undefined;
}
