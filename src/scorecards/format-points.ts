/** A share of the score in two digits, in three where two would not say it: `0.25`, `0.10`, `0.125`. */
export function formatPoints(share: number): string {
  return share.toFixed(3).replace(/0$/, '');
}
