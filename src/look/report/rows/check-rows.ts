import { type CheckResult, readCheckResults } from '../../../core/schema/checks/check-result.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { formatPercent, formatQuantity } from '../format.ts';

/** One check of a case in a list, in which the checks of a group follow it. */
export interface CheckRow {
  /** The number of groups that it is in. */
  readonly depth: number;
  /** Its place in the list, such as `0.1`. */
  readonly key: string;
  readonly name: string;
  /** The metric or the kind of group, where the name is another one. */
  readonly use: string | undefined;
  readonly outcome: 'passed' | 'failed' | 'not-measured' | 'not-applicable';
  /** Its value in words: `75 %`, `320 ms`, `not measured`. */
  readonly value: string;
  /** Its weight among those next to it, where that is not 1, and whether it is required: `× 3, required`. */
  readonly traits: string;
  readonly label: string | undefined;
  readonly explanation: string;
}

/** The sign of each outcome. */
export const checkSigns = {
  passed: '✓',
  failed: '✗',
  'not-measured': '–',
  'not-applicable': '·',
} as const satisfies Record<CheckRow['outcome'], string>;

/** Lists the checks of a case that a verdict is made of, in their order; none for another kind of verdict. */
export function listChecks(verdict: Verdict | undefined): CheckRow[] {
  if (verdict === undefined || verdict.status === 'not-applicable') return [];
  return rowsOf(readCheckResults(verdict.evidence), 0, '');
}

function rowsOf(results: readonly CheckResult[], depth: number, before: string): CheckRow[] {
  return results.flatMap((result, index) => {
    const key = `${before}${index}`;
    return [toRow(result, depth, key), ...rowsOf(result.checks ?? [], depth + 1, `${key}.`)];
  });
}

function toRow(result: CheckResult, depth: number, key: string): CheckRow {
  const { name, use, label, explanation = '', status, passed } = result;
  const outcome = status !== 'measured' ? status : passed === true ? 'passed' : 'failed';
  return {
    depth,
    key,
    name,
    use: use === name ? undefined : use,
    outcome,
    value: valueOf(result),
    traits: traitsOf(result),
    label,
    explanation,
  };
}

function valueOf({ status, value, quantity }: CheckResult): string {
  if (quantity !== undefined) return formatQuantity(quantity.value, quantity.unit);
  if (status === 'not-applicable') return 'not applicable';
  return value === null ? 'not measured' : formatPercent(value);
}

function traitsOf({ weight, required, threshold }: CheckResult): string {
  const traits = [
    ...(weight === 0 ? ['does not count'] : []),
    ...(weight === 1 || weight === 0 ? [] : [`× ${weight}`]),
    ...(required === true ? ['required'] : []),
    ...(threshold === undefined ? [] : [`from ${formatPercent(threshold)}`]),
  ];
  return traits.join(', ');
}

/** Returns a clause on the pass mark that a case has in place of the scorecard's; undefined without one. */
export function describePassMark(passMark: number | undefined): string | undefined {
  return passMark === undefined ? undefined : `this question passes from ${formatPercent(passMark)}`;
}
