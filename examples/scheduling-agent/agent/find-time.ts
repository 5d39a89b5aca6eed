import { formatInstant } from '../calendar/zoned-time.ts';
import { sayConflicts, sayTime } from './phrases.ts';
import { otherTimes, type Search, suitableTimes, whyNone } from './search-times.ts';
import type { Draft } from './session.ts';
import { settle } from './settle.ts';
import { everybody, giveUp, type Turn } from './turn.ts';
import { isExact, wantedTimes } from './wanted-times.ts';

const offersAtOnce = 3;
const noticeMs = 15 * 60_000;
const weekMs = 7 * 24 * 3_600_000;

/** Books or moves a meeting at the time that is wanted, if it suits everybody; else offers what does. */
export async function findTime(turn: Turn, draft: Draft): Promise<string> {
  const search = await prepareSearch(turn, draft);
  const times = suitableTimes(search);
  const [first] = times;
  if (first === undefined) return await answerConflict(turn, draft, search);
  if (search.isExact || draft.wish.isFlexible) return await settle(turn, draft, first);
  return offer(turn, times, 'Everybody is free at these times:');
}

async function prepareSearch(turn: Turn, { wish, invited, event }: Draft): Promise<Search> {
  const { session, toolbox, ways } = turn;
  const minutes = wish.minutes ?? ways.usualMinutes;
  const wanted = wantedTimes(wish, { minutes, zone: wish.zone ?? ways.clocksOf(session.requester) });
  const now = Date.parse(session.calendar.now);
  const latest = Math.max(now, ...wanted.map(({ end }) => Date.parse(end)));
  const horizon = { start: formatInstant(now + noticeMs), end: formatInstant(latest + weekMs) };
  const people = everybody(turn, invited).map(({ id }) => id);
  const except = event === undefined ? {} : { except: event.id };
  const availability = await toolbox.use('free_busy', { people, ...horizon, ...except });
  return { isExact: isExact(wish), wanted, minutes, horizon, people: availability };
}

async function answerConflict(turn: Turn, draft: Draft, search: Search): Promise<string> {
  const { session, ways } = turn;
  const conflicts = whyNone(search);
  session.conflicts.push(...conflicts);
  const why = `That does not work: ${sayConflicts(conflicts, everybody(turn, draft.invited))}.`;
  const others = otherTimes(search, offersAtOnce);
  const [nearest] = others;
  if (nearest === undefined) {
    return giveUp(
      turn,
      `${why} I found no other time for ${search.minutes} minutes within a week. I have booked nothing.`,
    );
  }
  if (ways.onConflict === 'take-nearest') return await settle(turn, draft, nearest);
  return offer(turn, others, `${why} I can offer:`);
}

function offer({ session }: Turn, times: string[], why: string): string {
  session.offers = times.slice(0, offersAtOnce);
  session.proposed.push(...session.offers);
  session.stage = 'proposing';
  const list = session.offers.map((time, at) => `${at + 1}) ${sayTime(time, session.requester.zone)}`);
  return `${why} ${list.join('; ')}. Shall I take the first, or another one?`;
}
