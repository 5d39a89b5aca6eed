import { findDates, monthNames, usualLocales } from '../numbers/find-dates.ts';
import { instantForm, instantOf } from '../numbers/read-instant.ts';
import { hide, type Term } from './term.ts';

const instant = new RegExp(String.raw`(?<![\d-])${instantForm}(?![\d:])`, 'g');
const time =
  /(?<![\d.:,])(\d{1,2})(?:([:.h])(\d{2})(?::(\d{2}))?)?\s?([ap])\.?\s?m(?:\.|(?![\p{L}\p{N}]))|(?<![\d.:,])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?![\d:])/giu;
// What a text has that states one: most numbers are something else.
const mayBeInstant = /-\d{2}[Tt ]\d{2}/;
const mayBeDate = /\d{4}|\d[./-]\d{1,2}[./-]\d{2}/;
const mayBeTime = /\d(?::\d|\s?[ap]\.?\s?m)/i;
const mayBeGroups = /\d\)?[ -]\(?\d/;
const number =
  /(?<![\p{L}\p{N}+.])(?:\+\d{1,3}[ -]?)?\(?\d{1,5}\)?(?:[ -]\(?\d{1,7}\)?){2,5}(?![\p{L}\p{N}]|[.,]\d)/gu;

/** Finds instants, dates, times of day, and numbers of telephones and books, in a prepared text. */
export function readTimes(text: string): Term[] {
  if (!/\d/.test(text)) return [];
  const instants = mayBeInstant.test(text) ? readInstants(text) : [];
  const first = hide(text, instants);
  const dates = mayBeDate.test(first) ? readDates(first) : [];
  const second = hide(first, dates);
  const times = mayBeTime.test(second) ? readClock(second) : [];
  const third = hide(second, times);
  return [...instants, ...dates, ...times, ...(mayBeGroups.test(third) ? readGroups(third) : [])];
}

function readInstants(text: string): Term[] {
  return Array.from(text.matchAll(instant)).flatMap((match) => {
    const key = instantOf(match);
    if (key === undefined) return [];
    const [found] = match;
    return [{ kind: 'time' as const, key, text: found, start: match.index, end: match.index + found.length }];
  });
}

function readDates(text: string): Term[] {
  return findDates(text, { months: monthNames(usualLocales) }).map(({ text: found, index, readings }) => ({
    kind: 'date' as const,
    key:
      readings.length === 1
        ? readings.map(({ year, month, day }) => `${year}-${month}-${day ?? ''}`).join()
        : found.replace(/\b0/g, ''),
    readings,
    text: found,
    start: index,
    end: index + found.length,
  }));
}

function readClock(text: string): Term[] {
  return Array.from(text.matchAll(time)).flatMap((match) => {
    const [
      found,
      twelve,
      ,
      minutes = '00',
      seconds = '00',
      half,
      plain,
      plainMinutes = '00',
      plainSeconds = '00',
    ] = match;
    const hour = Number(twelve ?? plain);
    const limit = half === undefined ? 24 : 12;
    const [minute, second] = half === undefined ? [plainMinutes, plainSeconds] : [minutes, seconds];
    if (hour > limit || Number(minute) > 59 || Number(second) > 59) return [];
    const day = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    const total = (day * 60 + Number(minute)) * 60 + Number(second);
    const isHalfKnown = half !== undefined || hour > 12 || hour === 0;
    const trimmed = found.trimEnd();
    return [
      {
        kind: 'time' as const,
        key: `${total}`,
        time: { seconds: total, isHalfKnown },
        text: trimmed,
        start: match.index,
        end: match.index + trimmed.length,
      },
    ];
  });
}

/** Groups of digits that are no quantity: telephone numbers, ISBNs. They are compared by their digits. */
function readGroups(text: string): Term[] {
  return Array.from(text.matchAll(number)).flatMap(({ 0: found, index }) => {
    const digits = found.replace(/\D/g, '');
    const isMarked = /[+(]/.test(found) || (found.match(/-/g)?.length ?? 0) > 1;
    if (!isMarked || digits.length < 7 || digits.length > 17) return [];
    return [{ kind: 'code' as const, key: digits, text: found, start: index, end: index + found.length }];
  });
}
