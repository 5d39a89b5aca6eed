import type { Json } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { failIfUnusable } from '../matching/expectation.ts';
import { defineMetric, expectationsAt, type MetricInput } from '../metric.ts';
import { compare, describe, readSubjects } from './check-comparison.ts';
import {
  type Comparison,
  comparisons,
  type Condition,
  conditionSchema,
  isReference,
  type Reference,
} from './check-condition.ts';
import { callsUnknown } from '../tools/read-calls.ts';
import { isInState, readPath, stateMissing } from './record-view.ts';
import { notApplicable } from '../verdicts.ts';

const mostClauses = 4;

/**
 * Checks a condition on the final state, the answer or the conversation: 1 when it is true, else 0. Not applicable when
 * a value to compare with is missing in the case; not measured when the target reported no final state or no tool calls
 * that the condition needs. Joined conditions follow Kleene's three-valued logic.
 */
export const check = defineMetric({
  name: 'check',
  version: 2,
  reads: (condition) => pathsIn(condition).flatMap(expectationsAt),
  summary: 'A condition on the final state, the answer, the messages or the tool calls is true: 1, else 0.',
  words:
    'custom rule, condition, assertion, rule, expression, property of the answer, boolean, no code, starts with, ends with, compare a value',
  example: { path: 'answer', contains: 'refund' },
  options: conditionSchema,
  create: (condition) => ({
    score: (input) => failIfUnusable(() => toVerdict(evaluate(condition, input))),
  }),
});

/** Returns every path that a condition names, including the paths of its operands. */
function pathsIn(condition: unknown): string[] {
  if (typeof condition !== 'object' || condition === null) return [];
  return Object.entries(condition).flatMap(([name, value]) =>
    name === 'path' && typeof value === 'string' ? [value] : pathsIn(value),
  );
}

function toVerdict(found: Finding): Verdict {
  if (found.status !== 'known') return found;
  const clauses = found.clauses.slice(0, mostClauses);
  const more = found.clauses.length - clauses.length;
  const explanation = `${clauses.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
  return {
    status: 'scored',
    value: found.isTrue ? 1 : 0,
    passed: found.isTrue,
    ...(explanation !== '' && { explanation }),
  };
}

/** Evaluates a condition for a trial. */
function evaluate(condition: Condition, input: MetricInput): Finding {
  const { all, any, not, when } = condition;
  if (all !== undefined) return joinAll(all.map((each) => evaluate(each, input)));
  if (any !== undefined) return joinAny(any.map((each) => evaluate(each, input)));
  if (not !== undefined) return negate(evaluate(not, input));
  return when === undefined ? evaluateLeaf(condition, input) : evaluateBranch(when, condition, input);
}

/** Evaluates `when … must … otherwise`. Only the branch that was chosen is evaluated. */
function evaluateBranch(when: Condition, branches: Condition, input: MetricInput): Finding {
  const found = evaluate(when, input);
  if (found.status !== 'known') return found;
  const branch = found.isTrue ? branches.must : branches.otherwise;
  return branch === undefined ? { status: 'known', isTrue: true, clauses: [] } : evaluate(branch, input);
}

function evaluateLeaf(condition: Condition, input: MetricInput): Finding {
  const { path, which, at, calls } = condition;
  if (calls !== undefined && input.trial.toolsUnknown === true) return callsUnknown;
  if (path !== undefined && isInState(path) && input.trial.state === undefined) return stateMissing;
  const comparisonsToMake = readComparisons(condition, input);
  if (!Array.isArray(comparisonsToMake)) return comparisonsToMake;
  const subjects = readSubjects(condition, input);
  const findings = subjects.map((subject): Finding => {
    if (subject.isMissing === true && at !== undefined) return known([describe(subject)], false);
    const wrong = comparisonsToMake.flatMap(({ comparison, operand }) =>
      compare(comparison, { subject, operand, condition }),
    );
    return wrong.length === 0 ? known([describe(subject)], true) : known(wrong, false);
  });
  return which === 'every' || subjects.length === 1 ? joinAll(findings) : joinAny(findings);
}

function known(clauses: readonly string[], isTrue: boolean): Finding {
  return { status: 'known', isTrue, clauses };
}

interface ComparisonToMake {
  readonly comparison: Comparison;
  readonly operand: Json;
}

/** Returns the comparisons of a condition with their operands, or why an operand is not known. */
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
  return notApplicable(`there is no ${path} to compare with`);
}

/** The result of a condition: true or false with clauses, or the reason why it is not known. */
type Finding =
  | {
      readonly status: 'known';
      readonly isTrue: boolean;
      /** Clauses that state what was found, such as `state.time is "10:00", not "11:00"`. */
      readonly clauses: readonly string[];
    }
  | Exclude<Verdict, { status: 'scored' }>;

/** Joins with "and": one false condition decides, even when others are not known. */
function joinAll(findings: readonly Finding[]): Finding {
  return join(findings, false);
}

/** Joins with "or": one true condition decides, even when others are not known. */
function joinAny(findings: readonly Finding[]): Finding {
  return join(findings, true);
}

/** Returns the opposite; what is not known stays unknown. */
function negate(finding: Finding): Finding {
  return finding.status === 'known' ? { ...finding, isTrue: !finding.isTrue } : finding;
}

/**
 * Joins by Kleene's three-valued logic: a finding that equals `decisive` decides; otherwise one that is not known
 * leaves the whole unknown.
 */
function join(findings: readonly Finding[], decisive: boolean): Finding {
  const known = findings.filter((finding) => finding.status === 'known');
  const deciding = known.filter(({ isTrue }) => isTrue === decisive);
  if (deciding.length > 0) {
    return { status: 'known', isTrue: decisive, clauses: deciding.flatMap(({ clauses }) => clauses) };
  }
  const open =
    findings.find(({ status }) => status === 'failed') ??
    findings.find(({ status }) => status === 'not-applicable');
  return open ?? { status: 'known', isTrue: !decisive, clauses: known.flatMap(({ clauses }) => clauses) };
}
