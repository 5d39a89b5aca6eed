import { canonicalJson } from '../../core/lib/content-hash.ts';
import type { Grouping } from '../../core/schema/modes/grouping.ts';
import type { Mark } from '../../core/schema/modes/mark.ts';
import type { Mode } from '../../core/schema/modes/mode.ts';
import type { CertificateLook } from '../../core/schema/review/certificate-look.ts';
import type { Label, LabelMark } from '../../core/schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../core/schema/review/review-task.ts';
import type { Rubric, RubricEquivalence } from '../../core/schema/review/rubric.ts';
import type { DocumentChange, DocumentReader, DocumentStore } from '../documents/document-store.ts';
import { type Kind, keyOf, nounOf } from '../documents/kind.ts';
import { certificateLookKind } from '../kinds/certificate.ts';
import { labelKind, markColumns, markIn } from '../kinds/label.ts';
import { groupingKind, markKind, modeKind } from '../kinds/mode.ts';
import { reviewItemKind, reviewTaskKind } from '../kinds/review-task.ts';
import { equivalenceKind, rubricKind } from '../kinds/rubric.ts';
import { recordConflict } from './refusals.ts';

/** Records of people's labels. */
export interface ReviewRecords {
  readonly rubrics?: readonly Rubric[];
  readonly equivalences?: readonly RubricEquivalence[];
  readonly tasks?: readonly ReviewTask[];
  readonly items?: readonly ReviewItem[];
  readonly labels?: readonly Label[];
  readonly modes?: readonly Mode[];
  readonly marks?: readonly Mark[];
  readonly groupings?: readonly Grouping[];
  readonly looks?: readonly CertificateLook[];
}

/** The numbers of records that were not in the store before. */
export type AddedRecords = Readonly<Record<keyof ReviewRecords, number>>;

/** The kinds of documents of which {@link ReviewRecords} consist. */
const reviewKinds = [
  rubricKind,
  equivalenceKind,
  reviewTaskKind,
  reviewItemKind,
  labelKind,
  modeKind,
  markKind,
  groupingKind,
  certificateLookKind,
] as const;

/**
 * Adds records of people's labels, all of them or none. A record that is stored already is skipped. Throws `label-conflict` when a stored
 * record has the same id and another content.
 */
export async function addReviewRecords(
  documents: DocumentStore,
  { rubrics, equivalences, tasks, items, labels, modes, marks, groupings, looks }: ReviewRecords,
): Promise<AddedRecords> {
  return await documents.change(reviewKinds, async (change) => ({
    rubrics: await addNew(change, rubricKind, rubrics),
    equivalences: await addNew(change, equivalenceKind, equivalences),
    tasks: await addNew(change, reviewTaskKind, tasks),
    items: await addNew(change, reviewItemKind, items),
    labels: await addNew(change, labelKind, labels),
    modes: await addNew(change, modeKind, modes),
    marks: await addNew(change, markKind, marks),
    groupings: await addNew(change, groupingKind, groupings),
    looks: await addNew(change, certificateLookKind, looks),
  }));
}

/** Adds the documents that are not stored yet, and returns their number. Throws `label-conflict` for one with another content. */
export async function addNew<Document>(
  change: DocumentChange,
  kind: Kind<Document>,
  documents: readonly Document[] = [],
): Promise<number> {
  const known = await change.add(kind, documents);
  for (const document of known) {
    const key = keyOf(kind, document);
    const kept = await change.get(kind, key);
    if (canonicalJson(kept) !== canonicalJson(document)) throw recordConflict(nounOf(kind), key.join(' '));
  }
  return documents.length - known.length;
}

/** Reads the items of a task in the order of their positions, or only those at the given positions. */
export async function readItems(
  documents: DocumentStore,
  task: string,
  positions?: readonly number[],
): Promise<ReviewItem[]> {
  if (positions === undefined)
    return await Array.fromAsync(documents.list(reviewItemKind, { where: { task } }));
  const listed = [...new Set(positions)].toSorted((one, other) => one - other);
  const found = await Promise.all(
    listed.map(async (position) => await documents.get(reviewItemKind, [task, position])),
  );
  return found.filter((item) => item !== undefined);
}

/** Reads the part of the labels of a task, or of one item of it, from which progress follows. It reads no labels. */
export async function readMarks(
  documents: DocumentReader,
  task: string,
  item?: number,
): Promise<LabelMark[]> {
  const where = item === undefined ? { task } : { task, item };
  return (await documents.heads(labelKind, markColumns, { where })).map(markIn);
}
