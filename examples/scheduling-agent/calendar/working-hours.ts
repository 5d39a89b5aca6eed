import type { Person, Span } from './calendar.ts';
import { addDays, formatInstant, toInstant, toLocal, weekdayOf } from './zoned-time.ts';

/** When a person works within a span, day by day and in UTC, whatever the clocks do on the way. */
export function workingHours({ zone, days, from, to }: Person, within: Span): Span[] {
  const last = toLocal(Date.parse(within.end), zone).date;
  const hours: Span[] = [];
  for (let date = toLocal(Date.parse(within.start), zone).date; date <= last; date = addDays(date, 1)) {
    if (!days.includes(weekdayOf(date))) continue;
    const at = (time: string) => toInstant({ date, minutes: minutesOf(time) }, zone);
    const start = Math.max(at(from), Date.parse(within.start));
    const end = Math.min(at(to), Date.parse(within.end));
    if (start < end) hours.push({ start: formatInstant(start), end: formatInstant(end) });
  }
  return hours;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
