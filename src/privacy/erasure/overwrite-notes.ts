import { isDeepStrictEqual } from 'node:util';
import type { Grouping } from '../../core/schema/modes/grouping.ts';
import type { Mark } from '../../core/schema/modes/mark.ts';
import type { Label } from '../../core/schema/review/label.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { groupingKind, markKind } from '../../stores/kinds/mode.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';
import type { Store } from '../../stores/store.ts';
import { findFreeTexts } from './find-texts.ts';
import { rewriteDocuments } from './held-texts.ts';
import { overwriteGrouping, overwriteLabel, overwriteMark } from './overwrite.ts';

/**
 * Overwrites what people wrote beside the answers of a run, and the words that they quoted of them: notes, quotations, labels that are
 * texts, and the names of groups of notes. What they decided stays, and so do all counts. It can be repeated when it was broken off.
 */
export async function overwriteNotes(store: Store, run: string, day: string): Promise<void> {
  const freeTexts = await findFreeTexts(store);
  const notes = new Set<string>();
  const ofLabel = (label: Label): Label => {
    const { id, subject, rubric } = label;
    if (subject.run !== run && subject.against?.run !== run) return label;
    notes.add(id);
    return overwriteLabel(label, day, freeTexts.has(`${rubric.id} ${rubric.version}`));
  };
  const isNoted = ({ notes: own }: Grouping['groups'][number]) => own.some((id) => notes.has(id));
  const ofGrouping = (grouping: Grouping): Grouping =>
    grouping.groups.some(isNoted) ? overwriteGrouping(grouping, day) : grouping;

  await rewriteDocuments(store, labelKind, { where: { run_id: run }, record: changing(ofLabel) });
  const pairs = await findPairs(store, run);
  if (pairs.length > 0)
    await rewriteDocuments(store, labelKind, { where: { task: pairs }, record: changing(ofLabel) });
  await rewriteDocuments(store, markKind, {
    where: { run_id: run },
    record: changing((mark: Mark) => overwriteMark(mark, day)),
  });
  if (notes.size > 0) await rewriteDocuments(store, groupingKind, { record: changing(ofGrouping) });
}

/** Finds the review tasks about pairs of which an answer is one of the run. */
async function findPairs({ documents }: Store, run: string): Promise<string[]> {
  const tasks = await Array.fromAsync(documents.list(reviewTaskKind));
  return tasks.flatMap(({ id, pairs }) =>
    pairs?.targets.some((target) => target.run === run) === true ? [id] : [],
  );
}

/** Returns a change of held records that leaves a record as it is where nothing in it changes. */
function changing<Each extends object>(change: (record: Each) => Each) {
  return ({ record }: { readonly record: object }): object => {
    const next = change(record as Each);
    return isDeepStrictEqual(next, record) ? record : next;
  };
}
