import type { CalendarEvent } from '../calendar/calendar.ts';
import type { Conflict, Session, Stage } from './session.ts';

/** A meeting as the agent tells of it: ids of people in the order of the alphabet, an instant in UTC, minutes. */
export interface Meeting {
  id: string;
  title: string;
  participants: string[];
  time: string;
  duration: number;
  /** Not what the agent says, but what the calendar does. */
  in_calendar: boolean;
}

/** What the agent believes, and how the calendar really is: the two need not agree. */
export interface State {
  conversation_stage: Stage;
  scheduling_context: {
    booking_confirmed: boolean;
    booked_event: Meeting | null;
    cancelled_event: Meeting | null;
    conflicts: Conflict[];
    proposed_alternatives: string[];
  };
  calendar: CalendarEvent[];
}

/** The state after a turn. */
export function reportState({ stage, booked, cancelled, conflicts, proposed, calendar }: Session): State {
  return {
    conversation_stage: stage,
    scheduling_context: {
      booking_confirmed: booked !== undefined,
      booked_event: booked === undefined ? null : toMeeting(booked, calendar.events),
      cancelled_event: cancelled === undefined ? null : toMeeting(cancelled, calendar.events),
      conflicts,
      proposed_alternatives: proposed,
    },
    calendar: calendar.events,
  };
}

/** A meeting in the form in which the agent tells of it. */
export function toMeeting(event: CalendarEvent, calendar: CalendarEvent[]): Meeting {
  const { id, title, participants, start, end } = event;
  return {
    id,
    title,
    participants: participants.toSorted(),
    time: start,
    duration: (Date.parse(end) - Date.parse(start)) / 60_000,
    in_calendar: calendar.some((other) => other.id === id && other.start === start),
  };
}
