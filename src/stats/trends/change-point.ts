/** A place where the level of a series shifts. */
export type ChangePoint = {
  /** The first value after the shift. */
  readonly index: number;
  /** The shift lies between these, both included, with the confidence. */
  readonly earliest: number;
  readonly latest: number;
  /** Mean after the shift, up to the next one, minus the mean before it. */
  readonly difference: number;
  /** Confidence limits of the difference. */
  readonly lower: number;
  readonly upper: number;
  /** Corrected for all places in the series. */
  readonly pValue: number;
};
