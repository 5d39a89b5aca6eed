import { overlaps, type Span } from '../calendar/calendar.ts';
import type { Availability } from '../calendar/tools.ts';
import { formatInstant } from '../calendar/zoned-time.ts';
import type { Conflict } from './session.ts';

/** Meetings begin on the hour or the half hour, unless somebody asks for another time. */
const step = 30 * 60_000;

/** The span of a meeting that begins at an instant. */
export function spanFrom(start: number, minutes: number): Span {
  return { start: formatInstant(start), end: formatInstant(start + minutes * 60_000) };
}

/** Who cannot meet within a span, and why. */
export function findConflicts(people: Availability[], span: Span): Conflict[] {
  return people.flatMap(({ person, working, busy }): Conflict[] => {
    const isAtWork = working.some(
      ({ start, end }) =>
        Date.parse(start) <= Date.parse(span.start) && Date.parse(span.end) <= Date.parse(end),
    );
    if (!isAtWork) return [{ person, reason: 'out-of-hours', time: span.start }];
    return busy.some((taken) => overlaps(taken, span)) ? [{ person, reason: 'busy', time: span.start }] : [];
  });
}

/** The times within a span at which everybody can begin to meet, earliest first, as instants in milliseconds. */
export function findSlots(people: Availability[], within: Span, minutes: number): number[] {
  const hours = people.map(({ working, busy }) => ({
    working: working.map(toRange),
    busy: busy.map(toRange),
  }));
  const suits = (start: number, end: number) =>
    hours.every(
      ({ working, busy }) =>
        working.some(({ from, to }) => from <= start && end <= to) &&
        !busy.some(({ from, to }) => from < end && start < to),
    );
  const length = minutes * 60_000;
  const { from, to } = toRange(within);
  const slots: number[] = [];
  for (let start = Math.ceil(from / step) * step; start + length <= to; start += step) {
    if (suits(start, start + length)) slots.push(start);
  }
  return slots;
}

function toRange({ start, end }: Span): { from: number; to: number } {
  return { from: Date.parse(start), to: Date.parse(end) };
}

/** The slots nearest to a time, nearest first; of two at the same distance, the earlier one. */
export function nearestSlots(slots: number[], wanted: number, count: number): number[] {
  return slots.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b).slice(0, count);
}
