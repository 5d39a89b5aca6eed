export { betaQuantile, regularizedBeta } from './beta.ts';
export { chiSquareSurvival, homogeneityTest, regularizedGammaQ } from './chi-square.ts';
export type { HomogeneityTest, TwoSamples } from './chi-square.ts';
export { clusterInterval } from './cluster-interval.ts';
export type { ClusteredValues } from './cluster-interval.ts';
export { fixedQuestionBounds } from './fixed-questions.ts';
export type { FixedQuestions, FixedQuestionsInterval, QuestionAttempts } from './fixed-questions.ts';
export { logGamma } from './gamma.ts';
export type { BetaShape } from './beta.ts';
export { defaultConfidence } from './interval.ts';
export type {
  DefinedInterval,
  Interval,
  IntervalBasis,
  IntervalMethod,
  UndefinedInterval,
} from './interval.ts';
export { jeffreysInterval } from './proportion-interval.ts';
export { correlationBootstrap } from './correlation/correlation-bootstrap.ts';
export type {
  CorrelationBootstrap,
  CorrelationBootstrapOptions,
} from './correlation/correlation-bootstrap.ts';
export { kendall } from './correlation/kendall.ts';
export type { KendallCorrelation } from './correlation/kendall.ts';
export { pearson, pointBiserial } from './correlation/pearson.ts';
export type { CorrelationOptions, PointBiserialOptions } from './correlation/pearson.ts';
export { spearman } from './correlation/spearman.ts';
export type { RankCorrelation } from './correlation/spearman.ts';
export { createMeanAccumulator, meanInterval } from './mean-interval.ts';
export type { MeanAccumulator } from './mean-interval.ts';
export { boundedMeanBounds, boundedMeanInterval } from './means/bounded-mean.ts';
export type { BoundedValues } from './means/bounded-mean.ts';
export { bootstrapInterval } from './means/bootstrap-interval.ts';
export type { BootstrapInterval, BootstrapOptions } from './means/bootstrap-interval.ts';
export { createNestedVariance, nestedVariance } from './means/nested-variance.ts';
export type {
  NestedVariance,
  NestedVarianceAccumulator,
  VariancePart,
} from './means/nested-variance.ts';
export { stratifiedMean } from './means/stratified-mean.ts';
export type { Stratum } from './means/stratified-mean.ts';
export { weightedShares } from './means/stratified-mean.ts';
export type { WeightedShare } from './means/stratified-mean.ts';
export { varianceComponents } from './means/variance-components.ts';
export type { VarianceComponents } from './means/variance-components.ts';
export { benjaminiHochberg, benjaminiYekutieli, holm } from './adjust-p-values.ts';
export type { AdjustedPValues, PValues } from './adjust-p-values.ts';
export { normalCdf, normalQuantile } from './normal.ts';
export { cliffsDelta } from './paired/effect-size.ts';
export type { CliffsDelta } from './paired/effect-size.ts';
export { cohensH } from './paired/effect-size.ts';
export type { CohensH } from './paired/effect-size.ts';
export type { ClusteredPairs } from './paired/differences.ts';
export type { PairedValues } from './paired/differences.ts';
export { equivalence } from './paired/equivalence.ts';
export type { MarginBasis, MarginOptions, MarginTest, MarginVerdict } from './paired/equivalence.ts';
export { mcnemar, signTest } from './paired/mcnemar.ts';
export type { DiscordantCounts, McnemarTest, WinsAndLosses } from './paired/mcnemar.ts';
export { nonInferiority } from './paired/equivalence.ts';
export type { PairedCounts } from './paired/mcnemar.ts';
export { pairedEffectSize } from './paired/effect-size.ts';
export type { PairedEffectSize } from './paired/effect-size.ts';
export { pairedT } from './paired/differences.ts';
export type { PairedT } from './paired/differences.ts';
export { signFlipTest } from './paired/sign-flip-test.ts';
export type { SignFlipOptions, SignFlipTest } from './paired/sign-flip-test.ts';
export { tangoInterval } from './paired/tango-interval.ts';
export { wilcoxonSignedRank } from './paired/wilcoxon-signed-rank.ts';
export type { WilcoxonSignedRank } from './paired/wilcoxon-signed-rank.ts';
export { passAtK, passHatK } from './pass-at-k.ts';
export type { PassEstimate, PassOptions } from './pass-at-k.ts';
export type { DifferenceVariance } from './planning/sample-size.ts';
export { measurementPlan } from './planning/measurement-plan.ts';
export type {
  MeasurementChoice,
  MeasurementPart,
  MeasurementPlan,
  MeasurementPlanOptions,
} from './planning/measurement-plan.ts';
export { mcnemarSampleSize } from './planning/sample-size.ts';
export type { ExpectedDiscordance } from './planning/sample-size.ts';
export { nonInferioritySampleSize } from './planning/sample-size.ts';
export { minimumDetectableDifference, pairedSampleSize } from './planning/sample-size.ts';
export type { DetectableDifference } from './planning/sample-size.ts';
export type { PlanLevel, SampleSize } from './planning/plan-level.ts';
export { bradleyTerry } from './preference/bradley-terry.ts';
export type {
  BradleyTerry,
  BradleyTerryOptions,
  StrengthDifference,
  TargetStrength,
} from './preference/bradley-terry.ts';
export { eloExpectation, eloRatings, eloScale } from './preference/elo.ts';
export type { EloOptions, EloRating } from './preference/elo.ts';
export type { TieModel } from './preference/fit-strengths.ts';
export { lengthControlledWinRate } from './preference/length-controlled-win-rate.ts';
export type {
  LengthControlledWinRate,
  LengthControlOptions,
} from './preference/length-controlled-win-rate.ts';
export { rankByPreference } from './preference/rank-by-preference.ts';
export type {
  PreferenceRanking,
  PreferenceRankingOptions,
  RankedDifference,
  RankedTarget,
} from './preference/rank-by-preference.ts';
export type { PreferenceCounts } from './preference/tally-preferences.ts';
export { winRate } from './preference/win-rate.ts';
export type { PreferenceOutcome, WinRate, WinRateOptions } from './preference/win-rate.ts';
export {
  clopperPearsonInterval,
  clopperPearsonLowerBound,
  wilsonInterval,
  wilsonLowerBound,
} from './proportion-interval.ts';
export type { Proportion } from './proportion-interval.ts';
export { quantile } from './quantile.ts';
export type { Quantile, QuantileMethod } from './quantile.ts';
export { quantileInterval } from './quantiles/quantile-interval.ts';
export type { QuantileInterval } from './quantiles/quantile-interval.ts';
export { createRandom } from './random.ts';
export type { Random } from './random.ts';
export type { AttemptCounts } from './pass-at-k.ts';
export { curtailedPassAtK, curtailedPassHatK } from './repeats/curtailed-rates.ts';
export type { CurtailedPassOptions } from './repeats/curtailed-rates.ts';
export { curtailedRate } from './repeats/curtailed-rates.ts';
export type { CurtailedRate } from './repeats/curtailed-rates.ts';
export { flakiness } from './repeats/flakiness.ts';
export type { Flakiness } from './repeats/flakiness.ts';
export { settleAttempts } from './repeats/settle-attempts.ts';
export type { AttemptRule, SettledAttempts } from './repeats/settle-attempts.ts';
export { createBettingMixture } from './stopping/betting-sequence.ts';
export type { BettingMixture, BettingMixtureOptions } from './stopping/betting-sequence.ts';
export { bettingSequence } from './stopping/betting-sequence.ts';
export type { BettingOptions } from './stopping/betting-sequence.ts';
export { restartEvidence } from './stopping/restart-evidence.ts';
export type { DayScores, RestartEvidence, RestartEvidenceOptions } from './stopping/restart-evidence.ts';
export type { Progress, StoppingDecision } from './stopping/sequence-decision.ts';
export type { ConfidenceSequence } from './stopping/sequence-decision.ts';
export { sprt } from './stopping/sprt.ts';
export type { SprtOptions, SprtState } from './stopping/sprt.ts';
export { studentTCdf, studentTQuantile } from './student-t.ts';
export type { StudentInterval, StudentPoint } from './student-t.ts';
export type { ChangePoint } from './trends/change-points.ts';
export { changePoints } from './trends/change-points.ts';
export type { ChangePointBasis, ChangePointOptions, ChangePoints } from './trends/change-points.ts';
export { cohensKappa } from './agreement/cohens-kappa.ts';
export type { Kappa, KappaOptions, KappaWeights } from './agreement/cohens-kappa.ts';
export { confusionCounts, confusionRates } from './agreement/confusion.ts';
export type { ConfusionCounts, ConfusionRates, PairedVerdicts } from './agreement/confusion.ts';
export { dawidSkene } from './agreement/dawid-skene.ts';
export type { DawidSkene, DawidSkeneResult, RatedItem, RaterErrors } from './agreement/dawid-skene.ts';
export { krippendorffsAlpha } from './agreement/krippendorffs-alpha.ts';
export type { Alpha, AlphaOptions, RatingScale } from './agreement/krippendorffs-alpha.ts';
export { fleissKappa, gwetsAc1 } from './agreement/multi-rater-kappa.ts';
export type { MultiRaterKappa, MultiRaterOptions } from './agreement/multi-rater-kappa.ts';
export { positionBias } from './agreement/position-bias.ts';
export type { BothOrders, PositionBias, PreferredPlace } from './agreement/position-bias.ts';
export { crossTable } from './agreement/rating-table.ts';
export type { Category, CrossTable, RatedItems, TwoRaters } from './agreement/rating-table.ts';
export { selfConsistency } from './agreement/self-consistency.ts';
export type { SelfConsistency } from './agreement/self-consistency.ts';
export { weightedConfusionRates } from './agreement/weighted-confusion.ts';
export type { WeightedVerdicts } from './agreement/weighted-confusion.ts';
export type { LabelCaution } from './judges/label-caution.ts';
export { labelsForKappa, labelsForRate } from './judges/labels-needed.ts';
export type { LabelsNeeded, WishedPrecision } from './judges/labels-needed.ts';
export { watchDrift } from './judges/drift-watch.ts';
export type { DriftCheck, DriftOptions, DriftSum, DriftWatch, FreshLabel } from './judges/drift-watch.ts';
export { peopleAlone, worthOfJudge } from './judges/people-alone.ts';
export type { PeopleAlone } from './judges/people-alone.ts';
export { ppiDifference } from './judges/ppi-difference.ts';
export type { PpiDifferenceOptions } from './judges/ppi-difference.ts';
export { ppiMean } from './judges/ppi-mean.ts';
export type { PpiMean, PpiOptions } from './judges/ppi-mean.ts';
export type { PpiValues } from './judges/ppi-variance.ts';
export { ppiWeightedMean } from './judges/ppi-weighted-mean.ts';
export type { PpiWeightedOptions } from './judges/ppi-weighted-mean.ts';
export { rocAuc } from './judges/roc-auc.ts';
export type { RocAuc, ScoredVerdicts } from './judges/roc-auc.ts';
export { rateWithin, roganGladen, roganGladenOfRates } from './judges/rogan-gladen.ts';
export type {
  RateOfJudge,
  RoganGladen,
  RoganGladenOfRates,
  RoganGladenOptions,
} from './judges/rogan-gladen.ts';
export { scoreCalibration } from './judges/score-calibration.ts';
export type { BinRule, ReliabilityBin, ScoreCalibration } from './judges/score-calibration.ts';
export { verdictStrataRate } from './judges/verdict-strata.ts';
export type {
  RateTarget,
  VerdictStrataOptions,
  VerdictStrataRate,
  VerdictStratum,
} from './judges/verdict-strata.ts';
export type { NormalInterval } from './normal-interval.ts';
export type { ValueOrReason } from './value-or-reason.ts';
export { readersAgreement } from './agreement/two-readers.ts';
export type { ReadersAgreement, ReadersTable } from './agreement/two-readers.ts';
export { fisherExact } from './shares/fisher-exact.ts';
export type { TwoGroups } from './shares/fisher-exact.ts';
export { readingsForWidth, readingsToSee } from './shares/readings.ts';
export type { SupposedShare } from './shares/readings.ts';
export { differenceOfShares, shareInRun, stratifiedShare } from './shares/share-in-run.ts';
export type { ReadStratum, ShareInRun, StratifiedShare } from './shares/share-in-run.ts';
export { shareOfCases } from './shares/share-of-cases.ts';
export type { ShareOfCases } from './shares/share-of-cases.ts';
export { failuresUntilKnown, unseenShare } from './shares/unseen-share.ts';
export type { SeenKinds, UnseenShare } from './shares/unseen-share.ts';
