/** Scores a part of a plan elsewhere, such as in another thread, by the same rules and into the same store. */
export interface ScoringHelp {
  /** For fewer trials it does not pay. */
  readonly leastTrials: number;
  /** Begins at once. Once it is disposed of, nothing is left running. */
  begin(work: HelpedWork): HelpUnderWay;
}

/** The stored trials of one run, from an ordinal on, are to be scored for another. */
export interface HelpedWork {
  readonly source: string;
  readonly runId: string;
  readonly from: number;
}

/** Tells, again and again, up to but without which ordinal all is kept. Throws what keeps the work from being done. */
export type HelpUnderWay = AsyncIterable<number> & AsyncDisposable;
