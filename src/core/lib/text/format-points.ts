/**
 * Formats a share in percentage points with one decimal: `84.0`. A mean can be `0.7765` or `0.7764999999999999`, by the order in
 * which it was added up: both are `77.7`. Only exactly 1 is `100.0` and only exactly 0 is `0.0`, so rounding never hides a failure.
 */
export function formatPoints(share: number): string {
  const tenths = Number((Math.abs(share) * 1000).toPrecision(12));
  const points = (Math.round(tenths) / 10).toFixed(1);
  if (points === '100.0' && share > 0 && share < 1 - 1e-9) return '99.9';
  if (points === '0.0') return share > 1e-9 ? '0.1' : points;
  return share < 0 ? `-${points}` : points;
}
