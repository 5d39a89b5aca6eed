/// <reference types="node" preserve="true" />
export { ab, type AbOptions, type AbReport } from './api/ab.ts';
export { compare, type CompareOptions } from './api/compare.ts';
export { evaluate, type Evaluated, type EvaluateOptions } from './api/evaluate.ts';
export { type RescoreOptions, rescore } from './api/rescore.ts';
export { type RunOptions, type RunReport, run } from './api/run.ts';
export { trends, type TrendsOptions } from './api/trends.ts';
export { type Config, defineConfig } from './config/config.ts';
export { type ErrorCode, TouchstoneError } from './errors.ts';
export * from './executors/registry.ts';
export { type AnswerPair, comparePair, type PairVerdict } from './judges/compare-pair.ts';
export {
  type Ballot,
  defineJudge,
  type Judge,
  type JudgeAnswer,
  type JudgeContext,
  type JudgeQuestion,
} from './judges/judge.ts';
export * from './judges/registry.ts';
export type { CriterionAnswer, CriterionFunction, CriterionInput } from './metrics/criteria/function.ts';
export { defineMetric, type Metric, type MetricContext, type MetricInput } from './metrics/metric.ts';
export * from './metrics/registry.ts';
export { defineEmbedder, type EmbedContext, type Embedder, type EmbedReply } from './models/embedder.ts';
export * from './models/embedders/registry.ts';
export {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  defineModel,
  ModelFailure,
} from './models/model.ts';
export * from './models/registry.ts';
export type { RunObserver } from './run/run-needs.ts';
export type { Case, Expected } from './schema/case.ts';
export type { Conversation } from './schema/conversation.ts';
export type { Disagreement } from './schema/summary.ts';
export type { Estimate } from './schema/estimate.ts';
export type { Json } from './schema/json.ts';
export type { Judgement } from './schema/judgement.ts';
export type { Message, ToolCall } from './schema/message.ts';
export type { MetricFamily } from './schema/verdict.ts';
export type { Report } from './schema/report.ts';
export type { Result } from './schema/result.ts';
export type { Robustness } from './schema/condition.ts';
export type { Run } from './schema/run.ts';
export type { RunComparison } from './schema/run-comparison.ts';
export type { Grade, ScorecardResult } from './schema/verdict.ts';
export type { Decision, Summary, TargetSummary } from './schema/summary.ts';
export type { Trends } from './schema/trends.ts';
export { type Trial, toolCallsOf } from './schema/trial.ts';
export type { CaseUser } from './schema/conversation.ts';
export type { Verdict } from './schema/verdict.ts';
export * from './scorecards/registry.ts';
export { defineScorecard, type Scorecard } from './scorecards/scorecard.ts';
export * from './stores/registry.ts';
export type { Store } from './stores/store.ts';
export type { ModuleFunction, ModuleRequest } from './targets/module-function.ts';
export * from './targets/registry.ts';
export {
  type ToolInterceptor,
  defineTarget,
  type Reply,
  type Target,
  TargetFailure,
  type TargetRequest,
  type TargetSession,
} from './targets/target.ts';
export * from './users/registry.ts';
export { defineUser, type Move, type Part, type Speaker, type User } from './users/user.ts';
/** The schema library that options are declared with, so that a config needs no copy of its own. */
export { z } from 'zod';
