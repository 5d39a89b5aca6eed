/** The default confidence level. */
export const defaultConfidence = 0.95;

/** The method of an interval, as reports print it. */
export type IntervalMethod =
  | 'wilson'
  | 'wilson-one-sided'
  | 'clopper-pearson'
  | 'clopper-pearson-one-sided'
  | 'effective-wilson'
  | 'jeffreys'
  | 't'
  | 'weighted-t'
  | 'cluster-robust-t'
  | 'stratified-t'
  | 'stratified-wilson'
  | 'gaffke'
  | 'stratified-gaffke'
  | 'bca-bootstrap'
  | 'percentile-bootstrap'
  | 'tango'
  | 'newcombe-paired'
  | 'order-statistics'
  | 'fisher-z'
  | 'length-controlled'
  | 'beta-binomial-sequence'
  | 'betting-sequence'
  | 'fleiss-cohen-everitt'
  | 'gwet-t'
  | 'delong'
  | 'rogan-gladen'
  | 'ppi'
  | 'ppi-wilson'
  | 'ppi-t'
  | 'ppi-weighted'
  | 'verdict-strata'
  | 'verdict-strata-wilson'
  | 'fixed-questions'
  | 'hypergeometric'
  | 'mover';

/** The properties that every interval states, defined or not. */
export type IntervalBasis = {
  /** The number of observations. */
  readonly n: number;
  /** The number of distinct clusters, when observations are clustered. */
  readonly clusters?: number;
  /** Confidence level, strictly between 0 and 1. */
  readonly confidence: number;
  readonly method: IntervalMethod;
};

/** An estimate with its confidence limits, in the unit of the data. */
export type DefinedInterval = IntervalBasis & {
  readonly status: 'defined';
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
};

/** An interval without limits. The estimate can still be known: one value has a mean but no interval. */
export type UndefinedInterval = IntervalBasis & {
  readonly status: 'undefined';
  readonly estimate: number | null;
  readonly lower: null;
  readonly upper: null;
  /** The reason as a phrase for a report. */
  readonly reason: string;
};

/** A confidence interval, or the reason why there is none. */
export type Interval = DefinedInterval | UndefinedInterval;

/** Returns an interval without limits, with the reason. */
export function undefinedInterval<Basis extends IntervalBasis>(
  basis: Basis & { readonly estimate: number | null; readonly reason: string },
): Basis & UndefinedInterval {
  return { ...basis, status: 'undefined', lower: null, upper: null };
}
