import type { MetricAspect, MetricFamily } from '../schema/metric.ts';

/** A selection of metrics: by the aspect that they measure, or by family. */
type Metrics = { readonly aspect: MetricAspect } | { readonly family: MetricFamily };

/** One of the two sides of a contradiction. */
export interface Side {
  /**
   * The metrics that decide, in order of priority: the first of them with a verdict on the answer. Among several of
   * the same priority, the one that supports the side least decides, so that all of them support it.
   */
  readonly by: readonly Metrics[];
  /** The least value that counts as high, or the greatest that counts as low. */
  readonly limit: number;
}

/** A way in which metrics can contradict each other. */
export interface ContradictionRule {
  readonly name: string;
  readonly high: Side;
  readonly low: Side;
}

const correctness: Metrics = { aspect: 'correct-answer' };
const judged: Metrics = { family: 'judged' };
const content: Metrics = { family: 'content' };
const wording: Metrics = { family: 'wording' };
const grounding: Metrics = { family: 'grounding' };
const tools: Metrics = { family: 'tools' };
const recorded: Metrics = { family: 'recorded' };
/** Metrics for whether all expected calls were made: the specific one, otherwise all of the family. */
const calls: readonly Metrics[] = [{ aspect: 'expected-calls' }, tools];

const right = [correctness, judged];
/** Metrics for whether an answer is right. A judge knows best; without one, missing content decides. */
const rightOrComplete = [...right, content];
const retrieval: readonly Metrics[] = [
  { aspect: 'all-documents' },
  { aspect: 'any-document' },
  { family: 'retrieval' },
];

const high = (by: readonly Metrics[], limit = 0.8): Side => ({ by, limit });
const low = (by: readonly Metrics[], limit = 0.3): Side => ({ by, limit });

/** All ways in which metrics can contradict each other: the only place that knows the relations between metrics. */
export const contradictionRules = [
  { name: 'paraphrase', high: high([...right, { family: 'similarity' }]), low: low([wording]) },
  { name: 'expected-but-wrong', high: high([wording]), low: low(right) },
  { name: 'similar-but-wrong', high: high([{ family: 'similarity' }]), low: low(right) },
  { name: 'complete-but-wrong', high: high([content], 1), low: low(right) },
  { name: 'right-but-incomplete', high: high(right), low: low([content]) },
  { name: 'right-but-unsupported', high: high([content, ...right]), low: low([grounding], 0.5) },
  { name: 'supported-but-wrong', high: high([grounding]), low: low(right) },
  { name: 'polite-but-wrong', high: high([{ aspect: 'polite-answer' }]), low: low(rightOrComplete) },
  { name: 'tools-but-wrong', high: high([tools], 1), low: low(rightOrComplete) },
  { name: 'right-without-tools', high: high(right), low: low([tools]) },
  { name: 'calls-but-failed', high: high(calls, 1), low: low([recorded]) },
  { name: 'passed-without-calls', high: high([recorded]), low: low(calls) },
  { name: 'found-but-wrong', high: high(retrieval), low: low(rightOrComplete) },
  { name: 'right-without-documents', high: high(right), low: low(retrieval) },
  {
    name: 'refused-but-unsafe',
    high: high([{ aspect: 'expected-refusal' }]),
    low: low([{ aspect: 'safe-answer' }]),
  },
  { name: 'error-but-right', high: high(right), low: low([{ aspect: 'no-error' }]) },
] as const satisfies readonly ContradictionRule[];
