import { hashText } from '../lib/content-hash.ts';
import { type Case, questionOf } from '../schema/case.ts';

/**
 * Returns whether a case belongs to the part of a dataset that is held out. The hash of its cluster, or else of its question,
 * decides: the same question is always in the same part, and cases that depend on each other are in one.
 * @param share - The share that is held out, from 0 to 1.
 */
export function isHeldOut(
  testCase: Pick<Case, 'input'> & { readonly cluster?: string | undefined },
  share: number,
): boolean {
  const words = questionOf(testCase).normalize('NFKC').toLowerCase().split(/\s+/).join(' ').trim();
  const unit = testCase.cluster === undefined ? `question ${words}` : `cluster ${testCase.cluster}`;
  return Number.parseInt(hashText(`held-out ${unit}`).slice(0, 12), 16) / 2 ** 48 < share;
}
