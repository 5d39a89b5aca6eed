import {
  type Calendar,
  type CalendarEvent,
  findPerson,
  openCalendar,
  type Person,
} from '../calendar/calendar.ts';
import type { Wish } from './reading/read-message.ts';

/** Whom a name turned out to mean. */
export type Invited = Pick<Person, 'id' | 'name' | 'zone'>;

/** Why a time does not suit somebody. */
export interface Conflict {
  person: string;
  reason: 'busy' | 'out-of-hours' | 'no-common-time' | 'past';
  time: string;
}

/** What the user wants, as far as it has been said. */
export interface Draft {
  task: 'book' | 'move' | 'cancel';
  wish: Wish;
  invited: Invited[];
  /** How the meeting that is to be moved was described. */
  subject: Wish | undefined;
  /** The meeting that is to be moved or cancelled. */
  event?: CalendarEvent;
}

/** What the agent asked last and has no answer to. */
export type Question =
  | { about: 'people' | 'time' }
  | { about: 'which-person'; name: string; candidates: Invited[] }
  | { about: 'which-event'; candidates: CalendarEvent[] };

/** How far a conversation has come. */
export type Stage =
  | 'started'
  | 'clarifying'
  | 'proposing'
  | 'confirmed'
  | 'cancelled'
  | 'declined'
  | 'failed';

/** All that the agent remembers from one message to the next. */
export interface Session {
  calendar: Calendar;
  requester: Person;
  stage: Stage;
  draft?: Draft;
  question?: Question;
  /** Times that the user may choose from now, as instants. */
  offers: string[];
  /** All times that were offered in the conversation. */
  proposed: string[];
  conflicts: Conflict[];
  booked?: CalendarEvent;
  cancelled?: CalendarEvent;
}

/** Begins a conversation with somebody, over a calendar of its own. */
export function openSession(requester: string): Session {
  const calendar = openCalendar();
  return {
    calendar,
    requester: findPerson(calendar, requester),
    stage: 'started',
    offers: [],
    proposed: [],
    conflicts: [],
  };
}
