import type { Span } from '../calendar/calendar.ts';
import { addDays, formatInstant, toInstant } from '../calendar/zoned-time.ts';
import { spanFrom } from './find-slots.ts';
import type { Wish } from './reading/read-message.ts';

/** How a wish is turned into instants. */
export interface Clocks {
  zone: string;
  minutes: number;
}

/** Whether a wish names one time on one day. */
export function isExact({ days, clock }: Wish): boolean {
  return clock?.type === 'at' && days !== undefined && days.from === days.to;
}

/** The spans within which a wish wants the meeting to lie, a span for each day. */
export function wantedTimes({ days, clock }: Wish, { zone, minutes }: Clocks): Span[] {
  const spans: Span[] = [];
  if (days === undefined) return spans;
  for (let date = days.from; date <= days.to; date = addDays(date, 1)) {
    if (clock?.type === 'at') {
      spans.push(spanFrom(toInstant({ date, minutes: clock.minutes }, zone), minutes));
    } else {
      const { from, to } = clock ?? { from: 0, to: wholeDay };
      const end = to === wholeDay ? { date: addDays(date, 1), minutes: 0 } : { date, minutes: to };
      spans.push({
        start: formatInstant(toInstant({ date, minutes: from }, zone)),
        end: formatInstant(toInstant(end, zone)),
      });
    }
  }
  return spans;
}

const wholeDay = 24 * 60;
