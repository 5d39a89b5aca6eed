import { toLocal } from '../calendar/zoned-time.ts';
import { saysSomething } from './draft.ts';
import type { Reading, Wish } from './reading/read-message.ts';

/** Which of the times that were offered a message takes: by its number, by its time, or by a plain yes the first. */
export function chooseOffer(reading: Reading, offers: string[], zone: string): string | undefined {
  const { choice, reply, wish } = reading;
  if (choice !== undefined) return offers.at(choice);
  if (wish.clock?.type === 'at') return offers.find((offer) => isAsWished(offer, wish, zone));
  return reply === 'yes' && !saysSomething(wish) ? offers[0] : undefined;
}

function isAsWished(offer: string, { days, clock, zone }: Wish, ownZone: string): boolean {
  const { date, minutes } = toLocal(Date.parse(offer), zone ?? ownZone);
  const isThatDay = days === undefined || (days.from <= date && date <= days.to);
  return isThatDay && clock?.type === 'at' && clock.minutes === minutes;
}
