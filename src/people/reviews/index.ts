export { adjudicate, addLabels, correct, skip, undo } from './give-labels.ts';
export type { GivenAnswer, GivenLabel, Reviewer } from './make-label.ts';
export { nextItems, type NextItems, readProgress, reveal } from './next-items.ts';
export type { OtherLabel, Revealed, ReviewCard } from './cards.ts';
export type { PersonProgress, ReviewProgress, Sameness } from './progress.ts';
export {
  createReview,
  type DrawChoice,
  planReview,
  type ReviewPlan,
  type ReviewSettings,
} from './plan-review.ts';
export { type Asker, chooseItems } from './choose-items.ts';
export { inclusionProbabilities, type UncertaintyDraw } from './draw/by-uncertainty.ts';
export { type Draw, drawEntries, type DrawnEntry, type DrawSettings, type FrameEntry } from './draw/draw.ts';
export {
  settle,
  type SettledBy,
  type Settlement,
  type SettleRules,
} from '../../decide/certificates/settle.ts';
export { equivalentVersions, makeRubric, passOf, versionOf } from '../../decide/certificates/rubric.ts';
export { type DerivedItem, deriveItems, type ReviewView } from './review-view.ts';
export { findTask, readView } from './read-view.ts';
export { passedBy } from '../../core/schema/verdict.ts';
export { hashAnswer } from '../../decide/analysis/hash-answer.ts';
export type {
  Label,
  LabelMark,
  LabelOutcome,
  LabelPurpose,
  LabelValue,
  Subject,
} from '../../core/schema/review/label.ts';
export { labelsInForce, markOf } from '../../core/schema/review/label.ts';
export type { ItemState, Reservation, ReviewItem, ReviewTask } from '../../core/schema/review/review-task.ts';
export type { Rubric, RubricEquivalence, RubricScale } from '../../core/schema/review/rubric.ts';
export type { DocumentStore } from '../../stores/documents/document-store.ts';
