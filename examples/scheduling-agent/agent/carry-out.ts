import type { CalendarEvent } from '../calendar/calendar.ts';
import { toLocal } from '../calendar/zoned-time.ts';
import { missingPart } from './draft.ts';
import { findMeeting } from './find-meeting.ts';
import { findTime } from './find-time.ts';
import { invitePeople } from './invite-people.ts';
import type { Draft } from './session.ts';
import { cancel } from './settle.ts';
import { ask, type Turn } from './turn.ts';

/** Does what the draft wants, as far as that is known; asks for what is missing. */
export async function carryOut(turn: Turn, draft: Draft): Promise<string> {
  if (draft.task !== 'book') {
    const event = draft.event ?? (await findMeeting(turn, draft.subject ?? draft.wish));
    if (typeof event === 'string') return event;
    if (draft.task === 'cancel') return await cancel(turn, event);
    draft.event = event;
    takeOver(draft, event, turn);
  }
  const problem = await invitePeople(turn, draft);
  if (problem !== undefined) return problem;
  const missing = missingPart(draft);
  if (missing === 'people') return ask(turn, { about: 'people' }, 'Whom shall I invite?');
  if (missing === 'time') return ask(turn, { about: 'time' }, 'On which day, and at what time?');
  return await findTime(turn, draft);
}

/** A meeting that moves keeps its people and its length, and what is not said of the new time. */
function takeOver(draft: Draft, { participants, start, end }: CalendarEvent, { session }: Turn): void {
  const { wish } = draft;
  const { date, minutes } = toLocal(Date.parse(start), session.requester.zone);
  wish.names = participants.filter((id) => id !== session.requester.id);
  wish.minutes = (Date.parse(end) - Date.parse(start)) / 60_000;
  if (wish.days === undefined && wish.clock === undefined) return;
  wish.days ??= { from: date, to: date };
  wish.clock ??= { type: 'at', minutes };
}
