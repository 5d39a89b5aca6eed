import {
  type Calendar,
  type CalendarEvent,
  findPerson,
  overlaps,
  type Person,
  type Span,
} from './calendar.ts';
import { foldText } from './fold-text.ts';
import { workingHours } from './working-hours.ts';
import { formatInstant } from './zoned-time.ts';

/** A name as somebody wrote it, and whom it may mean. */
export interface NameMatches {
  name: string;
  matches: { id: string; name: string; zone: string }[];
}

/** When somebody works and when they are taken. */
export interface Availability {
  person: string;
  working: Span[];
  busy: Span[];
}

/** The arguments of each tool. */
export interface ToolArguments {
  find_people: { names: string[] };
  free_busy: { people: string[]; start: string; end: string; except?: string };
  list_events: { person: string };
  book_event: { title: string; participants: string[]; start: string; minutes: number };
  move_event: { id: string; start: string };
  cancel_event: { id: string };
}

/** What each tool gives back. */
export interface ToolResults {
  find_people: NameMatches[];
  free_busy: Availability[];
  list_events: CalendarEvent[];
  book_event: CalendarEvent;
  move_event: CalendarEvent;
  cancel_event: CalendarEvent;
}

/** The name of a tool. */
export type ToolName = keyof ToolArguments;

/** Every tool, as a function of the calendar and its arguments. Throws an error that begins with an HTTP status. */
export const tools: {
  [Name in ToolName]: (calendar: Calendar, given: ToolArguments[Name]) => ToolResults[Name];
} = {
  find_people: ({ people }, { names }) =>
    names.map((name) => {
      const words = foldText(name).split(' ');
      const isMeant = (person: Person) => words.every((word) => wordsOf(person).includes(word));
      return { name, matches: people.filter(isMeant).map(({ id, name, zone }) => ({ id, name, zone })) };
    }),

  free_busy: (calendar, { people, start, end, except }) =>
    people.map((id) => ({
      person: id,
      working: workingHours(findPerson(calendar, id), { start, end }),
      busy: calendar.events
        .filter((event) => event.id !== except && event.participants.includes(id))
        .filter((event) => overlaps(event, { start, end }))
        .map((event) => ({ start: event.start, end: event.end })),
    })),

  list_events: (calendar, { person }) =>
    calendar.events.filter((event) => event.participants.includes(person) && event.end > calendar.now),

  // The same booking asked for twice is made once: whoever heard nothing may safely ask again.
  book_event(calendar, { title, participants, start, minutes }) {
    const span = spanOf(start, minutes);
    const isSame = (event: CalendarEvent) =>
      event.title === title &&
      event.start === span.start &&
      event.participants.join() === participants.join();
    const same = calendar.events.find(isSame);
    if (same !== undefined) return same;
    refuseTaken(calendar, { id: '', participants, ...span });
    const event = { id: nextId(calendar), title, participants, ...span };
    calendar.events.push(event);
    return event;
  },

  move_event(calendar, { id, start }) {
    const event = findEvent(calendar, id);
    const span = spanOf(start, (Date.parse(event.end) - Date.parse(event.start)) / 60_000);
    refuseTaken(calendar, { ...event, ...span });
    return Object.assign(event, span);
  },

  // As with a booking, asking again does no harm.
  cancel_event(calendar, { id }) {
    const before = calendar.cancelled.find((event) => event.id === id);
    if (before !== undefined) return before;
    const event = findEvent(calendar, id);
    calendar.events = calendar.events.filter((other) => other !== event);
    calendar.cancelled.push(event);
    return event;
  },
};

/** What somebody may be called: the words of the name, and the id, so that Jörg is found as Joerg too. */
function wordsOf({ id, name }: Person): string[] {
  return [...foldText(name).split(' '), id];
}

function nextId({ events }: Calendar): string {
  return `e${1 + Math.max(0, ...events.map(({ id }) => Number(id.slice(1))))}`;
}

function findEvent(calendar: Calendar, id: string): CalendarEvent {
  const event = calendar.events.find((each) => each.id === id);
  if (event === undefined) throw new Error(`404: there is no event ${id}`);
  return event;
}

function spanOf(start: string, minutes: number): Span {
  const from = Date.parse(start);
  if (Number.isNaN(from)) throw new Error(`400: "${start}" is no instant`);
  return { start: formatInstant(from), end: formatInstant(from + minutes * 60_000) };
}

function refuseTaken(calendar: Calendar, wanted: Omit<CalendarEvent, 'title'>): void {
  const others = calendar.events.filter((event) => event.id !== wanted.id && overlaps(event, wanted));
  const taken = wanted.participants.find((id) => others.some((event) => event.participants.includes(id)));
  if (taken !== undefined) throw new Error(`409: ${findPerson(calendar, taken).name} is busy at that time`);
}
