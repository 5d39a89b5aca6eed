export type { CriterionAnswer, CriterionFunction, CriterionInput } from './criteria/function.ts';
export type { Metric, MetricContext, MetricInput, MetricNeeds } from './metric.ts';
export * from './registry.ts';
