import { hashContent } from '../lib/content-hash.ts';
import type { Case } from '../schema/case.ts';

/**
 * The identity of a case: the hash of what is asked and of what a good answer holds. Its id, category, tags and
 * cluster can change without making it another case.
 */
export function hashCase({
  input,
  expected,
  context,
  metadata,
}: Pick<Case, 'input' | 'expected' | 'context' | 'metadata'>): string {
  return hashContent({ input, expected, context, metadata });
}
