import { TouchstoneError } from '../../core/errors.ts';
import { canonicalJson, hashContent } from '../../core/lib/content-hash.ts';
import { randomId } from '../../core/lib/random-id.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { timeNow } from '../../core/lib/time.ts';
import type { LabelValue } from '../../core/schema/review/label.ts';
import {
  type Rubric,
  type RubricEquivalence,
  rubricEquivalenceSchema,
  type RubricName,
  type RubricWords,
  rubricWordsSchema,
} from '../../core/schema/review/rubric.ts';
import { addReviewRecords } from '../../stores/reviews/review-records.ts';
import { equivalenceKind, rubricKind } from '../../stores/kinds/rubric.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { type DocumentStore } from '../../stores/documents/document-store.ts';

/** Returns the version of a rubric: the hash of its words, and of what reviewers may see. */
export function versionOf(words: RubricWords): string {
  return hashContent(rubricWordsSchema.parse(words));
}

/** Returns a rubric with the version that follows from its words. */
export function makeRubric(rubric: Omit<Rubric, 'version'>): Rubric {
  const { id, ...rest } = rubric;
  return { id, version: versionOf(rubric), ...rest };
}

/** Returns whether a value counts as passed; null when the rubric names no such values, and for a value that is null. */
export function passOf({ passing }: Pick<Rubric, 'passing'>, value: LabelValue | null): boolean | null {
  return value === null || passing === undefined ? null : passing.includes(value);
}

/**
 * Returns the versions of a rubric whose labels count for one of its versions: this version, and all that people have
 * stated to mean the same, directly or through others.
 */
export function equivalentVersions(
  { id, version }: RubricName,
  equivalences: readonly RubricEquivalence[],
): Set<string> {
  const own = equivalences.filter(({ rubric }) => rubric === id);
  const versions = new Set([version]);
  for (let before = 0; before < versions.size; ) {
    before = versions.size;
    for (const { versions: pair } of own)
      if (pair.some((each) => versions.has(each))) for (const each of pair) versions.add(each);
  }
  return versions;
}

/** A version of a rubric in a store. */
export interface RubricVersion {
  readonly rubric: Rubric;
  /** The number of labels by this version, withdrawn ones included. */
  readonly labels: number;
  /** The other versions that people have stated to mean the same, directly or through others. */
  readonly sameAs: readonly string[];
}

/** Reads the versions of a rubric in a store, with their labels. Throws `rubric-not-found` when there is none. */
export async function readVersions(documents: DocumentStore, id: string): Promise<RubricVersion[]> {
  const all = await Array.fromAsync(documents.list(rubricKind));
  const rubrics = all.filter((rubric) => rubric.id === id);
  if (rubrics.length === 0) {
    const hint = didYouMean(id, new Set(all.map((rubric) => rubric.id)));
    throw new TouchstoneError('rubric-not-found', `No review task asks the rubric "${id}".${hint}`, {
      remedy: 'List the review tasks with `touchstone review list`.',
    });
  }
  const equivalences = await Array.fromAsync(documents.list(equivalenceKind));
  const counts = new Map<string, number>();
  for await (const { rubric } of documents.list(labelKind, { where: { rubric: id } }))
    counts.set(rubric.version, (counts.get(rubric.version) ?? 0) + 1);
  return rubrics.map((rubric) => ({
    rubric,
    labels: counts.get(rubric.version) ?? 0,
    sameAs: [...equivalentVersions(rubric, equivalences)].filter((version) => version !== rubric.version),
  }));
}

/** A person's statement that two versions of a rubric mean the same. */
export interface SameMeaning {
  readonly rubric: string;
  /** Two versions, or beginnings of them. */
  readonly versions: readonly [string, string];
  readonly person: string;
  readonly note?: string;
}

/**
 * Stores that two versions of a rubric mean the same, so that labels of one count for the other. Returns false when that was
 * stated before, directly or through others. Throws `rubric-not-found` for an unknown rubric or version, and `review-invalid`
 * for a version with itself, and for scales that differ.
 */
export async function stateSameMeaning(
  documents: DocumentStore,
  { rubric: id, versions: given, person, note }: SameMeaning,
): Promise<boolean> {
  const versions = await readVersions(documents, id);
  const [one, other] = given.map((version) => findVersion(versions, id, version)) as [
    RubricVersion,
    RubricVersion,
  ];
  if (one === other) throw new TouchstoneError('review-invalid', 'A version means the same as itself.');
  if (canonicalJson(one.rubric.scale) !== canonicalJson(other.rubric.scale)) {
    throw new TouchstoneError(
      'review-invalid',
      `The scales of the two versions of ${id} differ, so that a value of one is none of the other.`,
      { remedy: 'Have the answers labelled again by the new version.' },
    );
  }
  if (one.sameAs.includes(other.rubric.version)) return false;
  const pair: [string, string] = [one.rubric.version, other.rubric.version];
  const equivalence = {
    id: randomId(),
    rubric: id,
    versions: pair,
    by: person,
    at: timeNow(),
    note,
  };
  const { data, error } = rubricEquivalenceSchema.safeParse(equivalence);
  if (data === undefined) throw new TouchstoneError('review-invalid', error.issues[0]?.message ?? '');
  await addReviewRecords(documents, { equivalences: [data] });
  return true;
}

function findVersion(versions: readonly RubricVersion[], id: string, version: string): RubricVersion {
  const found = versions.filter(({ rubric }) => version !== '' && rubric.version.startsWith(version));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const what =
    only === undefined ? `has no version "${version}"` : `has ${found.length} versions "${version}…"`;
  throw new TouchstoneError('rubric-not-found', `The rubric ${id} ${what}.`, {
    remedy: `List them: \`touchstone labels same-meaning ${id}\`.`,
  });
}
