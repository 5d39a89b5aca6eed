import type { CalendarEvent } from '../calendar/calendar.ts';
import type { ToolArguments } from '../calendar/tools.ts';
import { spanFrom } from './find-slots.ts';
import { sayNames, sayTimeForAll } from './phrases.ts';
import type { Draft } from './session.ts';
import { ToolTrouble } from './toolbox.ts';
import { end, everybody, type Turn } from './turn.ts';

/** Books a new meeting at an instant, or moves one there, and says so. */
export async function settle(turn: Turn, draft: Draft, start: string): Promise<string> {
  const { session, toolbox } = turn;
  const people = everybody(turn, draft.invited);
  const participants = people.map(({ id }) => id);
  const minutes = draft.wish.minutes ?? turn.ways.usualMinutes;
  session.booked =
    draft.event === undefined
      ? await book(turn, { title: sayTitle(draft), participants, start, minutes })
      : await toolbox.use('move_event', { id: draft.event.id, start });
  const { id, title } = session.booked;
  const names = sayNames(people.slice(1).map(({ name }) => name));
  const what = draft.event === undefined ? 'Booked' : 'Moved';
  const length = (Date.parse(session.booked.end) - Date.parse(start)) / 60_000;
  return end(
    turn,
    'confirmed',
    `${what}: "${title}" (${id}) with ${names}, ${sayTimeForAll(start, people)}, ${length} minutes.`,
  );
}

/** Cancels a meeting and says so. */
export async function cancel(turn: Turn, event: CalendarEvent): Promise<string> {
  const { session, toolbox } = turn;
  session.cancelled = await toolbox.use('cancel_event', { id: event.id });
  const when = sayTimeForAll(event.start, [session.requester]);
  return end(turn, 'cancelled', `Cancelled: "${event.title}" (${event.id}), ${when}.`);
}

async function book({ toolbox, ways }: Turn, wanted: ToolArguments['book_event']): Promise<CalendarEvent> {
  if (ways.waitsForConfirmation) return await toolbox.use('book_event', wanted);
  const outcome = await toolbox.tryOnce('book_event', wanted);
  if (!(outcome instanceof ToolTrouble)) return outcome;
  return { id: 'new', ...wanted, ...spanFrom(Date.parse(wanted.start), wanted.minutes) };
}

function sayTitle({ wish: { title = 'meeting' } }: Draft): string {
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
}
