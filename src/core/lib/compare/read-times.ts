import { findDates, findDays, monthNames, usualLocales } from '../numbers/find-dates.ts';
import { instantForm, instantOf } from '../numbers/read-instant.ts';
import { hide, type Span, type Term } from './term.ts';

const instant = new RegExp(String.raw`(?<![\d-])${instantForm}(?![\d:])`, 'g');
const time =
  /(?<![\d.:,])(\d{1,2})(?:([:.h])(\d{2})(?::(\d{2}))?)?\s?([ap])\.?\s?m(?:\.|(?![\p{L}\p{N}]))|(?<![\d.:,])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:\s?Uhr(?!\p{L}))?(?![\d:])|(?<![\d.:,])(\d{1,2})(?:\.(\d{2})\s?Uhr(?!\p{L})|h(\d{2})(?![\d\p{L}]))/giu;
const zone =
  /^ ?\(?(?<zone>UTC|GMT|[ECMP][SD]?T|CEST|CET|EEST|EET|WEST|WET|BST|IST|JST|AE[SD]T|[AN]ZST)\)?(?![\p{L}\p{N}])/u;
// What a text has that states one: most numbers are something else.
/** The name of the zone of an instant, where it has no sign for it: `2024-03-15 14:00 UTC`. */
const universal = /^ ?(?:UTC|GMT)(?![A-Za-z+-])/;
const mayBeInstant = /-\d{2}[Tt ]\d{2}/;
const mayBeDate = /\d{4}|\d[./-]\d{1,2}[./-]\d{2}/;
const mayBeTime = /\d(?::\d|\s?[ap]\.?\s?m|h\d| ?o'c)|uhr|noon|midnight|midday|(?:half|quarter) (?:past|to)/i;
const named = /(?<![\p{L}\p{N}-])(?:12(?::00)? )?(?<name>noon|midday|midnight)(?![\p{L}\p{N}-])/giu;
const full = /(?<![\d.:,])(?<hour>\d{1,2}) ?o'clock(?!\p{L})/giu;
const partOfDay = /^ (?:in the (?:morning|afternoon|evening)|at night)(?!\p{L})/iu;
const mayBeGroups = /\d\)?[ -]\(?\d|\d{3}\.\d{3}\.\d{4}|[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11}/;
const number =
  /(?<![\p{L}\p{N}+.])(?:\+\d{1,3}[ -]?)?\(?\d{1,5}\)?(?:[ -](?:\(0\) ?)?\(?\d{1,7}\)?){2,5}(?![\p{L}\p{N}]|[.,]\d)/gu;

/** A number for emergencies and services, said digit by digit. */
const emergency = /(?<![\p{L}\p{N}-])(?:[2-9]-1-1|1-1-\d|9-9-9|9-8-8|0-0-0)(?![\p{L}\p{N}-])/gu;

/** An IBAN, in groups of four or without spaces. */
const account = /(?<![\p{L}\p{N}])\p{L}{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/giu;
/** The number of a card, or of a telephone with points. */
const card =
  /(?<![\p{L}\p{N}.,-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{3}\.\d{3}\.\d{4})(?![\p{L}\p{N}]|[.,-]\d)/gu;

/** Finds instants, dates, times of day, and numbers of telephones and books, in a prepared text. */
export function readTimes(text: string): Term[] {
  if (!/\d/.test(text)) return mayBeTime.test(text) ? [...readNamed(text), ...readQuarters(text)] : [];
  const instants = mayBeInstant.test(text) ? readInstants(text) : [];
  const first = hide(text, instants);
  const dated = mayBeDate.test(first) ? readDates(first) : [];
  const dates = [...dated, ...readDays(hide(first, dated))];
  const second = hide(first, dates);
  const times = mayBeTime.test(second) ? readClock(second) : [];
  const third = hide(second, times);
  return [...instants, ...dates, ...times, ...(mayBeGroups.test(third) ? readGroups(third) : [])];
}

function readInstants(text: string): Term[] {
  return Array.from(text.matchAll(instant)).flatMap((match) => {
    const [found] = match;
    const place = match.index + found.length;
    const named = match.at(-1) === undefined ? (universal.exec(text.slice(place, place + 5))?.[0] ?? '') : '';
    const key = instantOf(named === '' ? match : [...match.slice(0, -1), 'Z']);
    if (key === undefined) return [];
    const [start, end] = [match.index, place + named.length];
    return [{ kind: 'time' as const, key, text: text.slice(start, end), start, end }];
  });
}

const usualDates = { months: monthNames(usualLocales) };

function readDates(text: string): Term[] {
  return findDates(text, usualDates).map(({ text: found, index, readings }) => ({
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

function readDays(text: string): Term[] {
  return findDays(text).map(({ month, day, start, end }) => {
    const place = { text: text.slice(start, end), start, end };
    return { kind: 'date' as const, key: `${month}-${day}`, readings: [{ month, day }], ...place };
  });
}

function readClock(text: string): Term[] {
  const words = [...readNamed(text), ...readFull(text), ...readQuarters(text)];
  const times = Array.from(hide(text, words).matchAll(time)).flatMap((match) => {
    const [found, half] = [match[0].trimEnd(), match[5]];
    const end = match.index + found.length;
    const part = half === undefined ? partOfDay.exec(text.slice(end, end + 20))?.[0] : undefined;
    const seconds = secondsOf(match, half ?? halfOf(part, Number(match[6])));
    if (seconds === undefined) return [];
    const isHalfKnown = (half ?? part) !== undefined || seconds >= 13 * 3600 || seconds < 3600;
    const time = { seconds, isHalfKnown, isPadded: found.startsWith('0') };
    return [timeAt(text, { start: match.index, end: end + (part?.length ?? 0) }, time)];
  });
  // One time such as 17:00 shows that all of a text count to 24.
  const countsTo24 = times.some(
    ({ text: found, time: { seconds } }) => seconds >= 13 * 3600 && !/[ap]\.?\s?m|[a-z] /i.test(found),
  );
  return [
    ...words,
    ...times.map((term) => (countsTo24 ? { ...term, time: { ...term.time, isHalfKnown: true } } : term)),
  ];
}

function readNamed(text: string): Term[] {
  return Array.from(text.matchAll(named), ({ 0: found, index, groups }) => {
    const seconds = groups?.['name']?.toLowerCase() === 'midnight' ? 0 : 12 * 3600;
    return timeAt(
      text,
      { start: index, end: index + found.length },
      { seconds, isHalfKnown: true, isPadded: false },
    );
  });
}

const hours = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const quarters = new RegExp(
  String.raw`(?<!\p{L})(?:a )?(?<part>half past|quarter past|quarter to) (?<hour>${hours.join('|')}|\d{1,2})(?![\p{L}\p{N}:.])`,
  'giu',
);

/** Reads `quarter past three` and `half past 9`. */
function readQuarters(text: string): (Term & { readonly time: Time })[] {
  if (!/(?:half|quarter) (?:past|to) /i.test(text)) return [];
  return Array.from(text.matchAll(quarters)).flatMap(({ 0: found, index, groups = {} }) => {
    const [part, written] = [groups['part']?.toLowerCase(), groups['hour']?.toLowerCase() ?? ''];
    const hour = /^\d/.test(written) ? Number(written) : hours.indexOf(written) + 1;
    if (hour < 1 || hour > 12) return [];
    const minutes = part === 'half past' ? 30 : part === 'quarter past' ? 15 : -15;
    const end = index + found.length;
    const day = partOfDay.exec(text.slice(end, end + 20))?.[0];
    const half = halfOf(day, hour);
    const seconds = ((hour % 12) + (half === 'p' ? 12 : 0)) * 3600 + minutes * 60;
    const time = { seconds: (seconds + 86_400) % 86_400, isHalfKnown: half !== undefined, isPadded: false };
    return [timeAt(text, { start: index, end: end + (day?.length ?? 0) }, time)];
  });
}

/** Reads `8 o'clock`. */
function readFull(text: string): Term[] {
  if (!/o'clock/i.test(text)) return [];
  return Array.from(text.matchAll(full)).flatMap(({ 0: found, index, groups }) => {
    const end = index + found.length;
    const part = partOfDay.exec(text.slice(end, end + 20))?.[0];
    const hour = Number(groups?.['hour']);
    if (hour > 24) return [];
    const half = halfOf(part, hour);
    const seconds = (half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)) * 3600;
    const isHalfKnown = half !== undefined || hour >= 13;
    return [
      timeAt(
        text,
        { start: index, end: end + (part?.length ?? 0) },
        { seconds, isHalfKnown, isPadded: false },
      ),
    ];
  });
}

/** Returns the half of the day that words name: `in the afternoon`. */
function halfOf(part: string | undefined, hour: number): 'a' | 'p' | undefined {
  if (part === undefined || hour > 12) return undefined;
  const isLate = /afternoon|evening/i.test(part) || (/night/i.test(part) && hour >= 6 && hour < 12);
  return isLate ? 'p' : 'a';
}

type Time = NonNullable<Term['time']>;

function timeAt(
  text: string,
  { start, end }: Span,
  read: Omit<Time, 'zone'>,
): Term & { readonly time: Time } {
  const found = zone.exec(text.slice(end, end + 8));
  const last = end + (found?.[0].length ?? 0);
  const time = { ...read, zone: found?.groups?.['zone'] };
  return { kind: 'time', key: `${read.seconds}`, time, text: text.slice(start, last), start, end: last };
}

/** Returns the seconds since midnight of a time; undefined for other numbers with a colon, such as 10:75. */
function secondsOf(match: RegExpExecArray, half: string | undefined): number | undefined {
  const [, twelve, , minutes, seconds, , plain, plainMinutes, plainSeconds, other, dotted, lettered] =
    match as (string | undefined)[];
  const hour = Number(twelve ?? plain ?? other);
  const [minute, second] = [minutes ?? plainMinutes ?? dotted ?? lettered, seconds ?? plainSeconds].map(
    (part) => Number(part ?? 0),
  ) as [number, number];
  if (hour > (half === undefined ? 24 : 12) || minute > 59 || second > 59) return undefined;
  const day = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return (day * 60 + minute) * 60 + second;
}

/** Groups of digits that are no quantity: telephone numbers, ISBNs. They are compared by their digits. */
function readGroups(text: string): Term[] {
  const accounts = Array.from(text.matchAll(account)).flatMap(({ 0: found, index }) =>
    found.replace(/\D/g, '').length < 10 ? [] : [codeAt(found, index, found.replace(/[ -]/g, ''))],
  );
  const cards = Array.from(hide(text, accounts).matchAll(card), ({ 0: found, index }) =>
    codeAt(found, index, found.replace(/\D/g, '')),
  );
  const services = Array.from(text.matchAll(emergency), ({ 0: found, index }) =>
    codeAt(found, index, found.replace(/\D/g, '')),
  );
  const known = [...accounts, ...cards, ...services];
  const others = Array.from(hide(text, known).matchAll(number)).flatMap(({ 0: found, index }) => {
    const digits = found.replace('(0)', '').replace(/\D/g, '').replace(/^00/, '');
    const isMarked = /^0\d|[+(]/.test(found) || (found.match(/-/g)?.length ?? 0) > 1;
    return !isMarked || digits.length < 7 || digits.length > 17 ? [] : [codeAt(found, index, digits)];
  });
  return [...known, ...others];
}

function codeAt(text: string, start: number, key: string): Term {
  return { kind: 'code', key: key.toLowerCase(), text, start, end: start + text.length };
}
