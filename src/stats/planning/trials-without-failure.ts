/**
 * How many trials without a failure it takes to show that less than a share of all fail: the least n with
 * (1 − share)^n ≤ 1 − confidence, such as 59 for 5 % at 95 %. The exact form of the "rule of three".
 *
 * @param options.share - Strictly between 0 and 1.
 */
export function trialsWithoutFailure({
  share,
  confidence,
}: {
  readonly share: number;
  readonly confidence: number;
}): number {
  return Math.ceil(Math.log(1 - confidence) / Math.log1p(-share));
}
