/// <reference types="node" preserve="true" />
export { ab, type AbOptions, type AbReport } from './api/ab.ts';
export { exportRun, type ImportOptions, importRun } from './api/archive.ts';
export { exportDataset, type ExportDatasetOptions } from './api/export-dataset.ts';
export { exportTo, type ExportToOptions } from './api/export-to.ts';
export {
  exportBaseline,
  listBaselines,
  readBaseline,
  removeBaseline,
  setBaseline,
} from './api/baselines.ts';
export {
  calibrate,
  type CalibrateOptions,
  type CalibrateReport,
  listCalibrations,
  type PastCalibration,
} from './api/calibrate.ts';
export { corpusBleu, type CorpusBleu, type CorpusBleuOptions } from './api/corpus-bleu.ts';
export { compare, type CompareOptions } from './api/compare.ts';
export { evaluate, type Evaluated, type EvaluateOptions } from './api/evaluate.ts';
export {
  addFeedback,
  exportFeedback,
  type ExportFeedbackOptions,
  forgetFeedbackUsers,
  importFeedback,
  predict,
  readFeedback,
  summarizeFeedback,
  type SummarizeFeedbackOptions,
} from './api/feedback.ts';
export { eraseTexts, type EraseTextsOptions } from './api/records.ts';
export { gate, type GateOptions, type GateReport } from './api/gate.ts';
export {
  exportLabels,
  type ExportLabelsOptions,
  importLabels,
  type ImportLabelsOptions,
  readRubricVersions,
  stateSameMeaning,
} from './api/labels.ts';
export { draft, type DraftInput, type DraftOptions, planDraft } from './api/cases/draft.ts';
export { lint, type LintOptions } from './api/lint.ts';
export type { StoreChoice } from './api/open-store.ts';
export {
  deleteRuns,
  listRuns,
  type ListRunsOptions,
  readRun,
  type ReadRunOptions,
  readTrial,
  type ReadTrialOptions,
} from './api/records.ts';
export {
  type PeoplePreferOptions,
  planPrefer,
  prefer,
  type PreferOptions,
  readPeoplePreferences,
  readPreferences,
} from './api/prefer.ts';
export { type RescoreOptions, rescore } from './api/score.ts';
export {
  createReview,
  type CreateReviewOptions,
  listReviews,
  readReview,
  type ReviewState,
  setReviewStatus,
} from './api/reviews.ts';
export { type RunOptions, type RunReport, run } from './api/run.ts';
export { score, type ScoreOptions } from './api/score.ts';
export { trends, type TrendsOptions } from './api/compare.ts';
export { type Config, defineConfig } from './config/config.ts';
export { type ErrorCode, TouchstoneError } from './errors.ts';
export { defineJudge } from './judges/judge.ts';
export { defineMetric } from './metrics/metric.ts';
export { defineEmbedder } from './models/embedder.ts';
export { defineModel } from './models/model.ts';
export { ModelFailure } from './models/model-failure.ts';
export type { Prediction } from './feedback/predict.ts';
export type { FeedbackReceipt, RefusedFeedback } from './feedback/receive.ts';
export type { FeedbackGroup, FeedbackSummary } from './feedback/summarize.ts';
export type { PreferencePlan } from './prefer/plan-preferences.ts';
export type { PreferenceObserver } from './prefer/prefer.ts';
export type { DraftObserver } from './draft/draft.ts';
export type { DraftEstimate } from './draft/estimate-draft.ts';
export type { RunObserver } from './run/run-needs.ts';
export type { DraftedQuestion, DraftReport } from './schema/api/draft-report.ts';
export type { LintFinding, LintReport } from './schema/api/lint-finding.ts';
export type { Case } from './schema/case.ts';
export type { Expected } from './schema/expected.ts';
export type { Robustness } from './schema/condition.ts';
export type { CaseUser, Conversation } from './schema/conversation.ts';
export type { Baseline } from './schema/decision.ts';
export type { Feedback, FeedbackMatch, GivenFeedback } from './schema/feedback/feedback.ts';
export type { Estimate } from './schema/estimate.ts';
export { ExactNumber } from './lib/json/exact-number.ts';
export type { Json } from './schema/json.ts';
export type { Judgement } from './schema/judgement.ts';
export type { Message, ToolCall } from './schema/message.ts';
export type { PeoplePreferenceReport } from './schema/api/preference/people.ts';
export type { PreferenceReport } from './schema/api/preference/report.ts';
export type { Report } from './schema/api/report.ts';
export type { Result } from './schema/result.ts';
export type { Run } from './schema/run.ts';
export type { RunComparison } from './schema/run-comparison.ts';
export type { Disagreement, Summary, TargetSummary } from './schema/summary.ts';
export type { Decision } from './schema/decision.ts';
export type { Trends } from './schema/trends.ts';
export { type Trial, toolCallsOf } from './schema/trial.ts';
export type { Grade, ScorecardResult, Verdict } from './schema/verdict.ts';
export type { MetricAspect, MetricFamily, MetricPart } from './schema/metric.ts';
export { defineScorecard } from './scorecards/scorecard.ts';
export { defineTarget, TargetFailure } from './targets/target.ts';
export { defineUser } from './users/user.ts';
/** The schema library that options are declared with, so that a config needs no copy of its own. */
export { z } from 'zod';
