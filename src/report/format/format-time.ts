/** A moment to the minute, in UTC: `2026-02-11 09:30 UTC`. */
export function formatTime(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
