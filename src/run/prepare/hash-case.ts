import { hashContent } from '../../lib/content-hash.ts';
import type { Case } from '../../schema/case.ts';

/**
 * The identity of a case: the hash of what is asked, by whom, and of what a good answer holds. Its id, category, tags and
 * cluster can change without making it another case.
 */
export function hashCase({
  context,
  expected,
  input,
  metadata,
  user,
}: Pick<Case, 'input' | 'expected' | 'user' | 'context' | 'metadata'>): string {
  return hashContent({ context, expected, input, metadata, user });
}
