import type { CalendarEvent } from '../calendar/calendar.ts';
import { foldText } from '../calendar/fold-text.ts';
import { toLocal } from '../calendar/zoned-time.ts';
import { sayTime } from './phrases.ts';
import type { Wish } from './reading/read-message.ts';
import { ask, giveUp, type Turn } from './turn.ts';

/** The one meeting of the requester's that words describe; else a question, or the end of it. */
export async function findMeeting(turn: Turn, words: Wish): Promise<CalendarEvent | string> {
  const { toolbox, session } = turn;
  const events = await toolbox.use('list_events', { person: session.requester.id });
  const found = await pickMeetings(turn, words, events);
  const [first, ...others] = found;
  if (first === undefined)
    return giveUp(turn, 'I find no such meeting in your calendar, so I have changed nothing.');
  return others.length === 0 ? first : askWhichMeeting(turn, found);
}

/** The meetings that are as the words say: by title, people, day and time. */
export async function pickMeetings(
  turn: Turn,
  words: Wish,
  events: CalendarEvent[],
): Promise<CalendarEvent[]> {
  const { zone } = turn.session.requester;
  const people = words.names.length > 0 ? await turn.toolbox.use('find_people', { names: words.names }) : [];
  const text = plain(words.text);
  const isNamed = events.some(({ title }) => text.includes(plain(title)));
  return events.filter(({ title, participants, start }) => {
    const { date, minutes } = toLocal(Date.parse(start), zone);
    return (
      (!isNamed || text.includes(plain(title))) &&
      people.every(({ matches }) => matches.some(({ id }) => participants.includes(id))) &&
      (words.days === undefined || (words.days.from <= date && date <= words.days.to)) &&
      (words.clock?.type !== 'at' || words.clock.minutes === minutes) &&
      (isNamed || people.length > 0 || words.days !== undefined || words.clock !== undefined)
    );
  });
}

function askWhichMeeting(turn: Turn, candidates: CalendarEvent[]): string {
  const { zone } = turn.session.requester;
  const list = candidates.map(({ title, start }) => `"${title}" on ${sayTime(start, zone)}`);
  return ask(turn, { about: 'which-event', candidates }, `Which one do you mean: ${list.join(' or ')}?`);
}

/** "1:1", "one on one" and "One-on-one" are the same. */
function plain(text: string): string {
  return foldText(text)
    .replace(/\b1:1\b/g, 'one on one')
    .replaceAll('-', ' ');
}
