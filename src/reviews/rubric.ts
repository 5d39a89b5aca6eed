import { hashContent } from '../lib/content-hash.ts';
import type { LabelValue } from '../schema/review/label.ts';
import {
  type Rubric,
  type RubricEquivalence,
  type RubricName,
  type RubricWords,
  rubricWordsSchema,
} from '../schema/review/rubric.ts';

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
