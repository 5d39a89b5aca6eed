export { betaQuantile, regularizedBeta } from './beta.ts';
export { clusterInterval } from './cluster-interval.ts';
export type { ClusteredValues } from './cluster-interval.ts';
export { logGamma } from './gamma.ts';
export type { BetaShape } from './incomplete-beta.ts';
export type {
  DefinedInterval,
  Interval,
  IntervalBasis,
  IntervalMethod,
  UndefinedInterval,
} from './interval.ts';
export { createMeanAccumulator, meanInterval } from './mean-interval.ts';
export type { MeanAccumulator } from './mean-interval.ts';
export { normalCdf, normalQuantile } from './normal.ts';
export {
  clopperPearsonInterval,
  clopperPearsonLowerBound,
  wilsonInterval,
  wilsonLowerBound,
} from './proportion-interval.ts';
export type { Proportion } from './proportion-interval.ts';
export { quantile } from './quantile.ts';
export type { Quantile, QuantileMethod } from './quantile.ts';
export { createRandom } from './random.ts';
export type { Random } from './random.ts';
export { spearman } from './spearman.ts';
export type { RankCorrelation } from './spearman.ts';
export { studentTCdf, studentTQuantile } from './student-t.ts';
