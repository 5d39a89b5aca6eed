export { type RunOptions, type RunReport, run } from './api/run.ts';
export { type Config, defineConfig } from './config/config.ts';
export { type ErrorCode, TouchstoneError } from './errors.ts';
export * from './executors/registry.ts';
export { defineMetric, type Metric, type MetricInput } from './metrics/metric.ts';
export * from './metrics/registry.ts';
export type { RunObserver } from './run/run.ts';
export type { Case, Expected } from './schema/case.ts';
export type { Json } from './schema/json.ts';
export type { Message, ToolCall } from './schema/message.ts';
export type { Report } from './schema/report.ts';
export type { Result } from './schema/result.ts';
export type { Run } from './schema/run.ts';
export type { Grade, ScorecardResult } from './schema/scorecard-result.ts';
export type { Decision, Estimate, Summary, TargetSummary } from './schema/summary.ts';
export { type Trial, toolCallsOf } from './schema/trial.ts';
export type { Verdict } from './schema/verdict.ts';
export * from './scorecards/registry.ts';
export { defineScorecard, type Scorecard } from './scorecards/scorecard.ts';
export * from './stores/registry.ts';
export type { Store } from './stores/store.ts';
export * from './targets/registry.ts';
export {
  defineTarget,
  type Reply,
  type Target,
  TargetFailure,
  type TargetRequest,
} from './targets/target.ts';
