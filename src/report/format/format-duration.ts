import { formatHuge, largestSize, missing } from './format-number.ts';

/** A duration as people say it: `0.4 ms`, `850 ms`, `1.24 s`, `1 min 15 s`, `2 h 5 min`. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs) || durationMs < 0) return missing;
  if (durationMs < 9.95) return `${Number(durationMs.toFixed(1))} ms`;
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 9_995) return `${(durationMs / 1000).toFixed(2)} s`;
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 3600) return twoUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes >= largestSize) return formatHuge(minutes / 60, 'h');
  return twoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
