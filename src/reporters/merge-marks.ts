import type { Mark } from './question-row.ts';

const worstFirst = ['unscored', 'failed', 'error', 'not-measured'] as const satisfies readonly Mark[];

/**
 * How a case came out whose attempts came out like this: it passed only when every planned attempt did. Otherwise the
 * gravest of them counts, a failure before an error, an error before what was not measured; an attempt that was not made
 * is not measured.
 */
export function mergeMarks(marks: readonly Mark[], planned: number): Mark {
  const worst = worstFirst.find((mark) => marks.includes(mark));
  return worst ?? (marks.length < planned ? 'not-measured' : 'passed');
}

/** How many of the planned attempts passed: `3 of 5 attempts passed`; empty when there is only one. */
export function passCount(marks: readonly Mark[], planned: number): string {
  if (planned < 2) return '';
  return `${marks.filter((mark) => mark === 'passed').length} of ${planned} attempts passed`;
}
