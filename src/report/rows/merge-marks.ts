import { type CaseRule, verdictOnCase } from '../../schema/case-rule.ts';
import type { Mark } from '../../schema/mark.ts';

const worstFirst = ['unscored', 'failed', 'error', 'not-measured'] as const satisfies readonly Mark[];

/**
 * How a case came out whose attempts came out like this: it passed only when every planned attempt did. Otherwise the
 * gravest of them counts, a failure before an error, an error before what was not measured; an attempt that was not made
 * is not measured. With a rule, so many of the attempts have to pass as it says.
 */
export function mergeMarks(marks: readonly Mark[], planned: number, rule?: CaseRule): Mark {
  if (rule !== undefined && planned >= rule.passes) {
    const verdict = verdictOnCase(rule, { planned, ...countMarks(marks) });
    if (verdict !== 'undecided') return verdict;
    return marks.find((mark) => mark !== 'passed' && mark !== 'failed') ?? 'not-measured';
  }
  const worst = worstFirst.find((mark) => marks.includes(mark));
  return worst ?? (marks.length < planned ? 'not-measured' : 'passed');
}

/** How many of the attempts passed: `3 of 5 attempts passed`, with what a rule asks for; empty when there is only one. */
export function passCount(marks: readonly Mark[], planned: number, rule?: CaseRule): string {
  if (planned < 2) return '';
  const { passed } = countMarks(marks);
  if (rule === undefined) return `${passed} of ${planned} attempts passed`;
  return `${passed} of ${marks.length} attempts passed, ${rule.passes} of ${planned} have to`;
}

function countMarks(marks: readonly Mark[]): { readonly passed: number; readonly measured: number } {
  const passed = marks.filter((mark) => mark === 'passed').length;
  return { passed, measured: passed + marks.filter((mark) => mark === 'failed').length };
}
