import type { Json } from '../../schema/json.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { unlessUnusable } from '../matching/expectation.ts';
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
import { isInState, readPath, stateMissing } from './record-view.ts';

const mostWords = 4;

/** 1 when a condition on the final state, the answer or the conversation holds, else 0. */
export const check = defineMetric({
  name: 'check',
  version: 1,
  reads: (condition) => pathsIn(condition).flatMap(expectationsAt),
  summary: 'A condition on the final state, the answer, the messages or the tool calls holds: 1, else 0.',
  options: conditionSchema,
  create: (condition) => ({
    score: (input) => unlessUnusable(() => toVerdict(findOut(condition, input))),
  }),
});

/** Returns every path that a condition names, those of its operands included. */
function pathsIn(condition: unknown): string[] {
  if (typeof condition !== 'object' || condition === null) return [];
  return Object.entries(condition).flatMap(([name, value]) =>
    name === 'path' && typeof value === 'string' ? [value] : pathsIn(value),
  );
}

function toVerdict(found: Finding): Verdict {
  if (found.status !== 'known') return found;
  const words = found.words.slice(0, mostWords);
  const more = found.words.length - words.length;
  const explanation = `${words.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
  return {
    status: 'scored',
    value: found.holds ? 1 : 0,
    passed: found.holds,
    ...(explanation !== '' && { explanation }),
  };
}

/** Whether a condition holds for a trial, or why that cannot be said. */
function findOut(condition: Condition, input: MetricInput): Finding {
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

/** What came of a condition. */
type Finding =
  | {
      readonly status: 'known';
      readonly holds: boolean;
      /** What was found, each a clause: `state.time is "10:00", not "11:00"`. */
      readonly words: readonly string[];
    }
  | Exclude<Verdict, { status: 'scored' }>;

/** All must hold: one that does not decides, whatever is not known of the others. */
function joinAll(findings: readonly Finding[]): Finding {
  return join(findings, false);
}

/** One must hold: it decides, whatever is not known of the others. */
function joinAny(findings: readonly Finding[]): Finding {
  return join(findings, true);
}

/** The opposite; what is not known stays so. */
function negate(finding: Finding): Finding {
  return finding.status === 'known' ? { ...finding, holds: !finding.holds } : finding;
}

/** Kleene's three-valued logic: a finding that equals `decisive` decides; else one that is not known leaves it open. */
function join(findings: readonly Finding[], decisive: boolean): Finding {
  const known = findings.filter((finding) => finding.status === 'known');
  const deciding = known.filter(({ holds }) => holds === decisive);
  if (deciding.length > 0) {
    return { status: 'known', holds: decisive, words: deciding.flatMap(({ words }) => words) };
  }
  const open =
    findings.find(({ status }) => status === 'failed') ??
    findings.find(({ status }) => status === 'not-applicable');
  return open ?? { status: 'known', holds: !decisive, words: known.flatMap(({ words }) => words) };
}
