import { toLocal } from '../calendar/zoned-time.ts';
import type { Conflict, Invited } from './session.ts';

/** An instant on the clocks of a zone: "Thursday, March 26, 2:00 pm". */
export function sayTime(instant: string, zone: string): string {
  const day = { weekday: 'long', month: 'long', day: 'numeric' } as const;
  const date = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...day }).format(Date.parse(instant));
  return `${date}, ${sayClock(instant, zone)}`;
}

/** The same time for everybody: on the first one's clocks, then on those of other places that show another time. */
export function sayTimeForAll(instant: string, people: Invited[]): string {
  const [first, ...others] = [...new Set(people.map(({ zone }) => zone))];
  if (first === undefined) return instant;
  const own = sayTime(instant, first);
  const elsewhere = others.map((zone) => `${sayClock(instant, zone)} in ${sayPlace(zone)}`);
  const differing = elsewhere.filter((text) => !text.startsWith(`${sayClock(instant, first)} `));
  return `${own} ${sayPlace(first)} time${differing.length > 0 ? ` (${differing.join(', ')})` : ''}`;
}

/** Names in a sentence: "Ben Carter, Chloe Martin and Priya Nair". */
export function sayNames(names: string[], last: 'and' | 'or' = 'and'): string {
  return [...names.slice(0, -2), names.slice(-2).join(` ${last} `)].join(', ');
}

/** A name as it is written: "Zoe" for the "zoe" of a folded text. */
export function sayName(folded: string): string {
  return folded.replace(/\b\p{L}/gu, (letter) => letter.toUpperCase());
}

/** Why a time does not suit: "Ben Carter is busy and it is outside the working hours of Chloe Martin (7:00 pm in London)". */
export function sayConflicts(conflicts: Conflict[], people: Invited[]): string {
  const phrases = conflicts.map(({ person, reason, time }) => {
    const { name, zone } = people.find(({ id }) => id === person) ?? { name: person, zone: 'UTC' };
    if (reason === 'busy') return `${name} is busy`;
    if (reason === 'past') return 'that time is already over';
    if (reason === 'no-common-time') return 'you are never all free at once then';
    return `it is outside the working hours of ${name} (${sayClock(time, zone)} in ${sayPlace(zone)})`;
  });
  return sayNames([...new Set(phrases)]);
}

function sayClock(instant: string, zone: string): string {
  const { minutes } = toLocal(Date.parse(instant), zone);
  const hour = Math.floor(minutes / 60);
  const minute = String(minutes % 60).padStart(2, '0');
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'am' : 'pm'}`;
}

function sayPlace(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replace('_', ' ');
}
