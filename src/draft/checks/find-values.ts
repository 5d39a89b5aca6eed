import { lazily } from '../../lib/lazily.ts';
import { findTexts, findTextsOptions } from '../../metrics/text/search-text.ts';

const options = lazily(() => findTextsOptions().parse({ match: 'word', numbers: true }));

/**
 * Returns the share of values that a text contains, from 0 to 1: as whole words, whatever their letter case, and numbers by
 * their value. Returns 0 for an empty list.
 */
export function shareOfValues(values: readonly string[], text: string): number {
  if (values.length === 0) return 0;
  const verdict = findTexts(values, text, options());
  return verdict.status === 'scored' ? verdict.value : 0;
}
