/// <reference types="node" preserve="true" />
export { ab, type AbOptions, type AbReport } from './api/runs/ab.ts';
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
export {
  checkStore,
  type Leftovers,
  type StoreCheck,
  type StoreCheckOptions,
} from './api/project/check-store.ts';
export { corpusBleu, type CorpusBleu, type CorpusBleuOptions } from './api/corpus-bleu.ts';
export {
  compare,
  type CompareOptions,
  grid,
  type GridOptions,
  matrix,
  type MatrixOptions,
} from './api/compare.ts';
export type { RunGrids } from '../core/schema/api/comparison/grid.ts';
export { doctor, type DoctorReport, type FoundPackage } from './doctor.ts';
export { evaluate, type Evaluated, type EvaluateOptions } from './api/runs/evaluate.ts';
export {
  addFeedback,
  exportFeedback,
  type ExportFeedbackOptions,
  type ImportFeedbackOptions,
  forgetFeedbackUsers,
  importFeedback,
  predict,
  readFeedback,
  summarizeFeedback,
  type SummarizeFeedbackOptions,
} from './api/feedback.ts';
export { eraseTexts, type EraseTextsOptions } from './api/records.ts';
export { gate, type GateOptions, type GateReport } from './api/runs/gate.ts';
export {
  exportLabels,
  type ExportLabelsOptions,
  importLabels,
  type ImportLabelsOptions,
  readRubricVersions,
  stateSameMeaning,
} from './api/labels.ts';
export {
  compareModes,
  editMode,
  markModes,
  modeTable,
  type ModeWriterOptions,
} from './api/modes/modes.ts';
export { suggestModes, type SuggestedModes, type SuggestModesOptions } from './api/modes/suggest.ts';
export { type MadeMetric, makeMetric, type MakeMetricOptions } from './api/modes/make-metric.ts';
export { improveJudge, type ImproveJudgeOptions, type JudgeImprovement } from './api/judges/improve.ts';
export { exportModes, importModes, type ModeFiles } from './api/modes/files.ts';
export type { ImportedModes } from '../people/modes/files/import-modes.ts';
export type { ModeEdit, NewMode } from '../people/modes/edit-mode.ts';
export type { GivenMarks, MarkedPlace } from '../people/modes/mark-modes.ts';
export type { ModeTableChoice } from '../people/modes/mode-table.ts';
export type {
  ModeAgreement,
  ModeComparison,
  ModeConcentration,
  ModeDifference,
  ModeExample,
  ModeOfRun,
  ModeRow,
  ModeShare,
  ModeTable,
  NoShare,
} from '../core/schema/modes/mode-table.ts';
export type { Mark } from '../core/schema/modes/mark.ts';
export type { Mode, ModeName, ModeState, ModeWords } from '../core/schema/modes/mode.ts';
export type { WrittenBy } from '../core/schema/review/label.ts';
export { draft, type DraftInput, type DraftOptions, planDraft } from './api/cases/draft.ts';
export { lint, type LintOptions } from './api/lint.ts';
export { openReferee, type Referee } from './api/referee/referee.ts';
export type { LookOptions } from './api/referee/look-report.ts';
export type { LookReport } from '../core/schema/referee/look-request.ts';
export type { RefereeStatus } from './api/referee/status.ts';
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
export { type RescoreOptions, rescore } from './api/runs/rescore.ts';
export {
  createReview,
  type CreateReviewOptions,
  listReviews,
  readReview,
  type ReviewState,
  setReviewStatus,
} from './api/reviews.ts';
export { type RunOptions, type RunReport, run } from './api/runs/run.ts';
export { score, type ScoreOptions } from './api/runs/score.ts';
export { scoreTraces, type ScoreTracesOptions } from './api/watch/score-traces.ts';
export type { RuleReport, WatchReport } from './api/watch/watch-report.ts';
export { trends, type TrendsOptions } from './api/compare.ts';
export { type Config, defineConfig } from './config/config.ts';
export { type ErrorCode, TouchstoneError } from '../core/errors.ts';
export { defineJudge } from '../evaluate/judges/judge.ts';
export { defineMetric } from '../evaluate/metrics/metric.ts';
export { defineEmbedder } from '../evaluate/models/embedder.ts';
export { defineModel } from '../evaluate/models/model.ts';
export { ModelFailure } from '../evaluate/models/model-failure.ts';
export type { Prediction } from '../people/feedback/predict.ts';
export type { FeedbackReceipt, RefusedFeedback } from '../people/feedback/receive.ts';
export type { FeedbackGroup, FeedbackSummary } from '../people/feedback/summarize.ts';
export type { PreferencePlan } from '../people/prefer/plan-preferences.ts';
export type { PreferenceObserver } from '../people/prefer/prefer.ts';
export type { DraftObserver } from '../cases/draft/draft.ts';
export type { DraftEstimate } from '../cases/draft/estimate-draft.ts';
export type { RunObserver } from '../evaluate/run/run-needs.ts';
export type { DraftedQuestion, DraftReport } from '../core/schema/api/draft-report.ts';
export type { Matrix, MatrixCounts, MatrixRow } from '../core/schema/api/comparison/matrix.ts';
export type { LintFinding, LintReport } from '../core/schema/api/lint-finding.ts';
export type { Case } from '../core/schema/case.ts';
export type { Expected } from '../core/schema/expected.ts';
export type { Robustness } from '../core/schema/condition.ts';
export type { CaseUser, Conversation } from '../core/schema/conversation.ts';
export type { Baseline } from '../core/schema/decision.ts';
export type { Feedback, FeedbackMatch, GivenFeedback } from '../core/schema/feedback/feedback.ts';
export type { Estimate } from '../core/schema/estimate.ts';
export { ExactNumber } from '../core/lib/json/exact-number.ts';
export type { Json } from '../core/schema/json.ts';
export type { Judgement } from '../core/schema/judgement.ts';
export type { Message, ToolCall } from '../core/schema/message.ts';
export type { PeoplePreferenceReport } from '../core/schema/api/preference/people.ts';
export type { PreferenceReport } from '../core/schema/api/preference/report.ts';
export type { Report } from '../core/schema/api/report.ts';
export type { Result } from '../core/schema/result.ts';
export type { Run } from '../core/schema/run.ts';
export type { RunComparison } from '../core/schema/run-comparison.ts';
export type { Disagreement, Summary, TargetSummary } from '../core/schema/summary.ts';
export type { Decision } from '../core/schema/decision.ts';
export type { Trends } from '../core/schema/trends.ts';
export { type Trial, toolCallsOf } from '../core/schema/trial.ts';
export type { Grade, ScorecardResult, Verdict } from '../core/schema/verdict.ts';
export type { MetricAspect, MetricFamily, MetricPart } from '../core/schema/metric.ts';
export { defineScorecard } from '../decide/scorecards/scorecard.ts';
export { defineTarget, TargetFailure } from '../evaluate/targets/target.ts';
export { defineUser } from '../evaluate/users/user.ts';
/** The schema library that options are declared with, so that a config needs no copy of its own. */
export { z } from 'zod';
