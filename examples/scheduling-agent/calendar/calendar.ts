import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Somebody with a calendar: working days from 1, Monday, and hours on the clocks of their own time zone. */
export interface Person {
  id: string;
  name: string;
  zone: string;
  days: number[];
  from: string;
  to: string;
}

/** A meeting. Instants are UTC, as in `2026-03-26T18:00Z`; participants are ids of people. */
export interface CalendarEvent {
  id: string;
  title: string;
  participants: string[];
  start: string;
  end: string;
}

/** All that the tools read and change. Its clock stands still, so that "tomorrow" is the same day in every run. */
export interface Calendar {
  now: string;
  people: Person[];
  events: CalendarEvent[];
  cancelled: CalendarEvent[];
}

const text = readFileSync(join(import.meta.dirname, 'calendar.json'), 'utf8');

/** Opens a calendar as it was before anybody asked anything. Every conversation gets one of its own. */
export function openCalendar(): Calendar {
  return { ...(JSON.parse(text) as Omit<Calendar, 'cancelled'>), cancelled: [] };
}

/** The person with an id. Throws for an id that nobody has. */
export function findPerson(calendar: Calendar, id: string): Person {
  const person = calendar.people.find((each) => each.id === id);
  if (person === undefined) throw new Error(`404: nobody has the id ${id}`);
  return person;
}

/** Whether two spans have more than a moment in common. */
export function overlaps(a: Span, b: Span): boolean {
  return Date.parse(a.start) < Date.parse(b.end) && Date.parse(b.start) < Date.parse(a.end);
}

/** From one instant to another, as in an event. */
export type Span = Pick<CalendarEvent, 'start' | 'end'>;
