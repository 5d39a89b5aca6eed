import type { CaseCheckRules, CaseFault } from '../../../evaluate/run/prepare/case-check-rules.ts';
import type { Case } from '../../../core/schema/case.ts';
import { type Expectation, expectations } from '../../../core/schema/expectation.ts';
import {
  type ExpectedCheck,
  type LocatedCheck,
  metricChecks,
} from '../../../core/schema/checks/expected-checks.ts';
import type { ConfiguredCaseMetrics } from './case-metrics.ts';
import { ConfigProblem } from '../config-problem.ts';

/** Creates the rules for the checks that cases bring along, from the metrics that these can name. */
export function createCaseCheckRules(metrics: ConfiguredCaseMetrics): CaseCheckRules {
  return {
    findFaults: (testCase) => checksOf(testCase).flatMap((located) => faultsOf(located, metrics)),
    readsOf: ({ expected }) => {
      const read = new Set<Expectation>();
      for (const { check } of metricChecks(expected.checks)) {
        for (const expectation of metrics.find(toUse(check)).reads) read.add(expectation);
      }
      return expectations.filter((expectation) => read.has(expectation));
    },
    textsOf: (testCase) =>
      checksOf(testCase).flatMap(({ check, path, isNegated, isAlternative }) =>
        metrics.find(toUse(check)).texts.map((sought) => ({
          text: sought.text,
          path: [...path, ...sought.path],
          isForbidden: sought.isForbidden !== isNegated,
          isAlternative: isAlternative || sought.isAlternative,
        })),
      ),
    readerOf: (expectation) => readers[expectation],
  };
}

/** The metric to suggest for each expectation: the plainest that reads it, and one without a judge where there is one. */
const readers: Readonly<Record<Expectation, string>> = {
  answer: 'answer-match',
  behavior: 'expected-behavior',
  keywords: 'keywords',
  forbidden: 'forbidden',
  tools: 'tool-usage',
  calls: 'tool-calls',
  entities: 'entities',
  numbers: 'expected-numbers',
  documents: 'retrieval-recall',
  state: 'response-quality',
  refusal: 'refusal',
  checks: 'case-checks',
  turns: 'turn-checks',
};

function toUse({ name: _name, weight: _weight, required: _required, ...use }: LocatedCheck['check']) {
  return use;
}

/** Lists the checks by metrics of a case, including the checks of the turns of its script. */
function checksOf({ expected, user }: Pick<Case, 'expected' | 'user'>): LocatedCheck[] {
  const own = list(expected.checks, ['expected', 'checks']);
  if (user?.script === undefined) return own;
  const ofTurns = user.script.flatMap((turn, index) =>
    list(turn.expected?.checks, ['user', 'script', index, 'expected', 'checks']),
  );
  return [...own, ...ofTurns];
}

const none: LocatedCheck[] = [];

function list(checks: readonly ExpectedCheck[] | undefined, path: readonly PropertyKey[]): LocatedCheck[] {
  return checks === undefined ? none : [...metricChecks(checks, path)];
}

function faultsOf({ check, path }: LocatedCheck, metrics: ConfiguredCaseMetrics): CaseFault[] {
  try {
    metrics.find(toUse(check));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    return error.issues.map((issue) => ({
      path: [...path, ...issue.path],
      message: issue.message,
      remedy: error.remedy,
    }));
  }
}
