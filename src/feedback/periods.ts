/** The length of the periods of a summary. */
export type PeriodLength = 'day' | 'week' | 'month';

/**
 * Returns the period of a time, in UTC: `2026-01-31`, the week `2026-W05` of ISO 8601, or `2026-01`.
 * @param time - ISO 8601.
 */
export function periodOf(time: string, length: PeriodLength): string {
  const day = new Date(time).toISOString().slice(0, 10);
  if (length === 'day') return day;
  return length === 'month' ? day.slice(0, 7) : weekOf(day);
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the week of ISO 8601: it begins on a Monday, and belongs to the year of its Thursday. */
function weekOf(day: string): string {
  const time = Date.parse(day);
  const thursday = time + (3 - ((new Date(time).getUTCDay() + 6) % 7)) * dayMs;
  const year = new Date(thursday).getUTCFullYear();
  const number = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}
