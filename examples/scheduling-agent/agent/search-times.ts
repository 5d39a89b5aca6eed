import { overlaps, type Span } from '../calendar/calendar.ts';
import type { Availability } from '../calendar/tools.ts';
import { formatInstant } from '../calendar/zoned-time.ts';
import { findConflicts, findSlots, nearestSlots } from './find-slots.ts';
import type { Conflict } from './session.ts';

/** A search for a time: where the meeting is wanted, how long it takes, and what is known of everybody. */
export interface Search {
  /** Whether one time is wanted and no other. */
  isExact: boolean;
  wanted: Span[];
  minutes: number;
  /** From the earliest to the latest time that can be offered. */
  horizon: Span;
  people: Availability[];
}

/** The times that are as wanted and suit everybody, as instants, earliest first. */
export function suitableTimes(search: Search): string[] {
  const { isExact, wanted, minutes, horizon, people } = search;
  if (isExact) return whyNone(search).length === 0 ? wanted.map(({ start }) => start) : [];
  const spans = wanted.map(({ start, end }) => ({
    start: start < horizon.start ? horizon.start : start,
    end,
  }));
  return spans.flatMap((span) => findSlots(people, span, minutes)).map(formatInstant);
}

/** Why no time that is wanted suits everybody: whom it does not suit, and what keeps them. */
export function whyNone({ isExact, wanted, minutes, horizon, people }: Search): Conflict[] {
  const [first] = wanted;
  if (first === undefined) return [];
  if (wanted.every(({ end }) => end <= horizon.start)) {
    return people.slice(0, 1).map(({ person }) => ({ person, reason: 'past', time: first.start }));
  }
  if (isExact) return findConflicts(people, first);
  const kept = people.filter((each) => wanted.every((span) => findSlots([each], span, minutes).length === 0));
  const worksThen = ({ working }: Availability) =>
    wanted.some((span) => working.some((hours) => overlaps(hours, span)));
  return (kept.length > 0 ? kept : people).map((each) => ({
    person: each.person,
    reason: kept.length === 0 ? 'no-common-time' : worksThen(each) ? 'busy' : 'out-of-hours',
    time: first.start,
  }));
}

/** The times nearest to what is wanted that suit everybody, nearest first. */
export function otherTimes({ wanted, minutes, horizon, people }: Search, count: number): string[] {
  const start = Date.parse(wanted[0]?.start ?? horizon.start);
  return nearestSlots(findSlots(people, horizon, minutes), start, count).map(formatInstant);
}
