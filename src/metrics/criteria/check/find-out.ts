import type { Json } from '../../../schema/json.ts';
import type { MetricInput } from '../../metric.ts';
import { isInState, readPath, stateMissing } from '../record-view.ts';
import { compare, describe } from './compare.ts';
import type { Condition } from './condition.ts';
import { type Finding, joinAll, joinAny, negate } from './finding.ts';
import { type Comparison, comparisons } from './find-shape-fault.ts';
import { isReference, type Reference } from './operand.ts';
import { readSubjects } from './read-subject.ts';

/** Whether a condition holds for a trial, or why that cannot be said. */
export function findOut(condition: Condition, input: MetricInput): Finding {
  const { all, any, not, when } = condition;
  if (all !== undefined) return joinAll(all.map((each) => findOut(each, input)));
  if (any !== undefined) return joinAny(any.map((each) => findOut(each, input)));
  if (not !== undefined) return negate(findOut(not, input));
  return when === undefined ? findOutLeaf(condition, input) : findOutBranch(when, condition, input);
}

/** `when … must …`: of what was not to be looked at, nothing is said. */
function findOutBranch(when: Condition, branches: Condition, input: MetricInput): Finding {
  const found = findOut(when, input);
  if (found.status !== 'known') return found;
  const branch = found.holds ? branches.must : branches.otherwise;
  return branch === undefined ? { status: 'known', holds: true, words: [] } : findOut(branch, input);
}

function findOutLeaf(condition: Condition, input: MetricInput): Finding {
  const { path, which, at } = condition;
  if (path !== undefined && isInState(path) && input.trial.state === undefined) return stateMissing;
  const comparing = readComparisons(condition, input);
  if (!Array.isArray(comparing)) return comparing;
  const subjects = readSubjects(condition, input);
  const findings = subjects.map((subject): Finding => {
    if (subject.isMissing === true && at !== undefined) return known([describe(subject)], false);
    const wrong = comparing.flatMap(({ comparison, operand }) =>
      compare(comparison, { subject, operand, condition }),
    );
    return wrong.length === 0 ? known([describe(subject)], true) : known(wrong, false);
  });
  return which === 'every' || subjects.length === 1 ? joinAll(findings) : joinAny(findings);
}

function known(words: readonly string[], holds: boolean): Finding {
  return { status: 'known', holds, words };
}

interface ComparisonToMake {
  readonly comparison: Comparison;
  readonly operand: Json;
}

/** The comparisons of a condition with what each compares with; or why that is not known. */
function readComparisons(condition: Condition, input: MetricInput): ComparisonToMake[] | Finding {
  const written = comparisons.flatMap((comparison) => {
    const value = condition[comparison];
    return value === undefined ? [] : [{ comparison, value }];
  });
  if (written.length === 0) return [{ comparison: 'exists', operand: true }];
  const made: ComparisonToMake[] = [];
  for (const { comparison, value } of written) {
    const operand = isReference(value) ? readReference(value, input) : value;
    if (operand === undefined) return operandMissing(value as Reference, input);
    made.push({ comparison, operand });
  }
  return made;
}

function readReference({ path, default: other }: Reference, input: MetricInput): Json | undefined {
  const found = readPath(input, path);
  return found === undefined ? other : found;
}

function operandMissing({ path }: Reference, { trial }: MetricInput): Finding {
  if (isInState(path) && trial.state === undefined) return stateMissing;
  return { status: 'not-applicable', reason: `there is no ${path} to compare with` };
}
