/** Formats how long something still takes or has taken, in milliseconds, as people say it: `8 s`, `12 min`, `2.5 h`, `3 days`. */
export function formatTimeLeft(timeMs: number): string {
  const seconds = timeMs / 1000;
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${Number(hours.toFixed(1))} h` : `${Math.round(hours / 24)} days`;
}
