import { addDays, weekdayOf } from '../../calendar/zoned-time.ts';

/** Days from one to another, both included. */
export interface Days {
  from: string;
  to: string;
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const month = `(${months.join('|')})`;

/** The day or the week that a folded text names, seen from a day such as `2026-03-25`. */
export function readDay(text: string, today: string): Days | undefined {
  const day = readDate(text, today) ?? readRelativeDay(text, today) ?? readWeekday(text, today);
  if (day !== undefined) return { from: day, to: day };
  const monday = addDays(today, 1 - weekdayOf(today));
  if (/\bnext week\b/.test(text)) return { from: addDays(monday, 7), to: addDays(monday, 11) };
  if (/\bthis week\b/.test(text)) return { from: today, to: addDays(monday, 4) };
  return undefined;
}

/** "2026-03-30", "march 30", "30th of march". A day without a year that is over is meant for next year. */
function readDate(text: string, today: string): string | undefined {
  const iso = /\b\d{4}-\d\d-\d\d\b/.exec(text);
  if (iso !== null) return iso[0];
  const monthFirst = new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?\\b`).exec(text);
  const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}\\b`).exec(text);
  const [name, day] = monthFirst?.slice(1) ?? dayFirst?.slice(1).reverse() ?? [];
  if (name === undefined || day === undefined) return undefined;
  const monthAndDay = `${String(months.indexOf(name) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const year = Number(today.slice(0, 4));
  return monthAndDay < today.slice(5) ? `${year + 1}-${monthAndDay}` : `${year}-${monthAndDay}`;
}

function readRelativeDay(text: string, today: string): string | undefined {
  if (/\bday after tomorrow\b/.test(text)) return addDays(today, 2);
  if (/\btomorrow\b/.test(text)) return addDays(today, 1);
  if (/\b(?:today|tonight|this (?:morning|afternoon|evening))\b/.test(text)) return today;
  return /\byesterday\b/.test(text) ? addDays(today, -1) : undefined;
}

/** "friday" is the one to come, "next friday" that of the week after this one. */
function readWeekday(text: string, today: string): string | undefined {
  const found = new RegExp(`\\b(next )?(${weekdays.join('|')})s?\\b`).exec(text);
  if (found === null) return undefined;
  const ahead = weekdays.indexOf(found[2] ?? '') + 1 - weekdayOf(today);
  if (found[1] !== undefined) return addDays(today, ahead + 7);
  return addDays(today, ahead > 0 ? ahead : ahead + 7);
}
