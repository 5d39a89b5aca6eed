import type { NamedUse } from '../../lib/define.ts';
import type { Verdict } from '../../schema/verdict.ts';
import type { Metric, MetricContext, MetricNeeds } from '../metric.ts';
import type { CheckedTurn } from './turns-of.ts';

/** The metric that checks an expectation of a turn, unless another one is named. */
const usualMetrics = {
  answer: 'exact-match',
  keywords: 'keywords',
  forbidden: 'forbidden',
  tools: 'tool-usage',
  calls: 'tool-calls',
  entities: 'entities',
  numbers: 'expected-numbers',
  documents: 'retrieval-recall',
  state: 'state-match',
  refusal: 'refusal',
} as const;

type CheckPart = keyof typeof usualMetrics;

/** The expectations that a turn can have. */
export const checkParts = Object.keys(usualMetrics) as [CheckPart, ...CheckPart[]];

/** A metric that is held against turns. */
export interface Check {
  readonly name: string;
  readonly metric: Metric;
  /** The expectation that a turn must have; undefined for a check of every turn. */
  readonly part: CheckPart | undefined;
}

/** What a check says of a turn. */
export interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'not-applicable' | 'not-measured';
  readonly note?: string | undefined;
  /** Why it was not measured. */
  readonly code?: string;
  readonly judgements?: readonly string[] | undefined;
}

interface CheckOptions {
  readonly metrics: Readonly<Partial<Record<CheckPart, NamedUse | string>>>;
  readonly every: readonly (NamedUse | string)[];
}

/** Finds the metrics. Throws what finding one throws. */
export function createChecks({ metrics, every }: CheckOptions, needs: MetricNeeds): Check[] {
  const ofParts = checkParts.map((part) => {
    const use = metrics[part] ?? usualMetrics[part];
    return { name: nameOf(use), part, metric: needs.metric?.(use) ?? missingMetric };
  });
  const ofAll = every.map((use) => {
    return { name: nameOf(use), part: undefined, metric: needs.metric?.(use) ?? missingMetric };
  });
  return [...ofParts, ...ofAll];
}

function nameOf(use: NamedUse | string): string {
  return typeof use === 'string' ? use : (use.name ?? use.use);
}

/** An expectation that nobody checks must not look as if it were met. */
const missingMetric: Metric = {
  score: () => ({ status: 'failed', code: 'metric-missing', reason: 'there is no metric to check it' }),
};

/** Holds a turn against a check. A promise only where its metric waits. */
export function runCheck(
  { name, metric }: Check,
  { input }: CheckedTurn,
  context: MetricContext | undefined,
): CheckResult | Promise<CheckResult> {
  const verdict = metric.score(input, context);
  return verdict instanceof Promise
    ? verdict.then((waited) => toResult(name, waited))
    : toResult(name, verdict);
}

function toResult(name: string, verdict: Verdict): CheckResult {
  if (verdict.status === 'not-applicable') return { name, outcome: 'not-applicable', note: verdict.reason };
  const { judgements } = verdict;
  if (verdict.status === 'failed') {
    return {
      name,
      outcome: 'not-measured',
      code: verdict.code,
      note: `${name}: ${verdict.reason}`,
      judgements,
    };
  }
  const { value, unit, passed = unit === undefined ? value >= 1 - 1e-9 : undefined, explanation } = verdict;
  if (passed === undefined) {
    const note = `${name} gives ${value} ${unit} and neither passes nor fails; give it a limit`;
    return { name, outcome: 'not-measured', code: 'no-verdict', note };
  }
  return { name, outcome: passed ? 'passed' : 'failed', note: explanation, judgements };
}
