/** What a clock on the wall shows: a day such as `2026-03-26`, and the minutes since midnight. */
export interface LocalTime {
  date: string;
  minutes: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a time zone show at an instant, which is given in milliseconds since 1970. */
export function toLocal(instant: number, zone: string): LocalTime {
  const parts = formatterFor(zone).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  };
}

/**
 * When the clocks of a time zone show a time. Where they show it twice, in autumn, the first time counts; where they
 * skip it, in spring, the time is read with the offset from before, so that 2:30 becomes 3:30.
 */
export function toInstant(local: LocalTime, zone: string): number {
  const asUtc = Date.parse(`${local.date}T00:00Z`) + local.minutes * minuteMs;
  const before = asUtc - offsetAt(asUtc - dayMs, zone);
  const after = asUtc - offsetAt(asUtc + dayMs, zone);
  const earliest = Math.min(before, after);
  return [earliest, Math.max(before, after)].find((instant) => shows(instant, local, zone)) ?? before;
}

/** A day some days later, or earlier for a negative count. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The day of the week from 1, Monday, to 7, Sunday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00Z`).getUTCDay() || 7;
}

/** An instant as it stands in the calendar: `2026-03-26T18:00Z`. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace(':00.000Z', 'Z');
}

function shows(instant: number, local: LocalTime, zone: string): boolean {
  const shown = toLocal(instant, zone);
  return shown.date === local.date && shown.minutes === local.minutes;
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const { date, minutes } = toLocal(instant, zone);
  return Date.parse(`${date}T00:00Z`) + minutes * minuteMs - instant;
}

function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formatters.set(zone, formatter);
  return formatter;
}
