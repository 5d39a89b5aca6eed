import { lazily } from '../lazily.ts';
import { foldDigits, foldWidth } from '../text/words.ts';

/** A date as far as it is stated: a day, or only a year and month. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day?: number;
}

/** A date found in a text with every way to read it: `03/04/2024` has two unless the order is known. */
export interface FoundDate {
  readonly text: string;
  /** The position in the text, in UTF-16 code units. */
  readonly index: number;
  readonly readings: readonly CalendarDate[];
}

/** The rules for reading dates. */
export interface DateStyle {
  /** The first part of `03/04/2024`; when unknown, it has both readings. */
  readonly order?: 'day-first' | 'month-first';
  /** The names of months in lower case with their numbers. */
  readonly months: MonthNames;
}

type Reader = (groups: Record<string, string | undefined>, style: DateStyle) => CalendarDate[];

const day = String.raw`(?<day>\d{1,2})`;
const year = String.raw`(?<year>\d{4})`;
const word = String.raw`(?<month>\p{L}[\p{L}\p{M}]{2,})\.?`;
const of = String.raw`(?:de |del |of |d')?`;

const beforeYear = /[,\s']\d{4}(?!\d)/;

/** The notations of a date, each with a part that it always has, quick to find; the first one that matches at a position decides. */
const forms: readonly { may: RegExp; pattern: RegExp; read: Reader }[] = [
  {
    may: /\d{4}[-/.]\d/,
    pattern: new RegExp(
      String.raw`(?<![\d.])${year}(?=[-/]|\.\d{1,2}\.\d)(?<mark>[-/.])(?<month>\d{1,2})(?:\k<mark>${day})?(?![\d-])`,
      'giu',
    ),
    read: readNumbers,
  },
  {
    may: /[年년]/,
    pattern: new RegExp(
      String.raw`(?<!\d)${year}\s?[年년]\s?(?<month>\d{1,2})\s?[月월](?:\s?${day}\s?[日号일])?`,
      'giu',
    ),
    read: readNumbers,
  },
  {
    may: /\d[/.-]\d{1,2}[/.-]\d{2}/,
    pattern:
      /(?<![\d./-])(?<first>\d{1,2})(?<mark>[/.-])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|\d{2})(?![\d/-]|\.\d)/giu,
    read: readOrdered,
  },
  {
    may: beforeYear,
    pattern: new RegExp(
      String.raw`(?<!\d)${day}(?:st|nd|rd|th|er|\.|º)?\s+${of}${word}[,\s]+${of}${year}(?!\d)`,
      'giu',
    ),
    read: readNamed,
  },
  {
    may: beforeYear,
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{M}])${word}\s+(?:the )?${day}(?:st|nd|rd|th)?(?:,\s*|\s+)(?:of )?${year}(?!\d)`,
      'giu',
    ),
    read: readNamed,
  },
  {
    may: beforeYear,
    pattern: new RegExp(String.raw`(?<![\p{L}\p{M}])${word}(?:,\s*|\s+)${of}${year}(?!\d)`, 'giu'),
    read: readNamed,
  },
];

/**
 * Finds every date in a text with at least a year and a month, in the Gregorian calendar and the digits of any script.
 */
export function findDates(text: string, style: DateStyle): FoundDate[] {
  let rest = foldDigits(foldWidth(text));
  const found: FoundDate[] = [];
  for (const { may, pattern, read } of forms) {
    if (!may.test(rest)) continue;
    rest = rest.replace(pattern, (written: string, ...matched: unknown[]) => {
      const groups = matched.at(-1) as Record<string, string | undefined>;
      const meant = read(groups, style);
      if (meant.length === 0) return written;
      const readings = meant.filter(exists);
      if (readings.length > 0) found.push({ text: written, readings, index: matched.at(-3) as number });
      return '\0'.repeat(written.length);
    });
  }
  return found.sort((a, b) => a.index - b.index);
}

function readNumbers({ year, month, day }: Record<string, string | undefined>): CalendarDate[] {
  return [dateOf(year, month, day)];
}

function readNamed({ year, month = '', day }: Record<string, string | undefined>, { months }: DateStyle) {
  const number = months.get(month.toLowerCase());
  return number === undefined ? [] : [dateOf(year, String(number), day)];
}

/** Reads a date of numbers. Full stops between them (01.08.2024) mean that the day comes first. */
function readOrdered(groups: Record<string, string | undefined>, { order }: DateStyle): CalendarDate[] {
  const { first, second, year, mark } = groups;
  const dayFirst = dateOf(year, second, first);
  const monthFirst = dateOf(year, first, second);
  const known = mark === '.' ? 'day-first' : order;
  if (known !== undefined) return [known === 'day-first' ? dayFirst : monthFirst];
  return first === second ? [dayFirst] : [dayFirst, monthFirst];
}

/** Returns a date of numbers. A year of two digits means 1969 to 2068, as in POSIX. */
function dateOf(year = '', month = '', day?: string): CalendarDate {
  const short = Number(year);
  const century = year.length === 2 ? (short >= 69 ? 1900 : 2000) : 0;
  return { year: century + short, month: Number(month), day: day === undefined ? undefined : Number(day) };
}

function exists({ year, month, day = 1 }: CalendarDate): boolean {
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The languages whose names of months are known by default. */
export const usualLocales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'pl', 'ru'];

/** The numbers of months by name. */
export type MonthNames = Pick<ReadonlyMap<string, number>, 'get'>;

/**
 * Returns names and abbreviations of the months in some languages, in lower case without full stops, each with its
 * number. A name that means another month in an earlier language keeps that meaning. The names of a language are read when no
 * earlier one has the name, since reading them takes milliseconds.
 * Throws RangeError for what is not a tag of a language.
 */
export function monthNames(locales: readonly string[]): MonthNames {
  const languages = Intl.getCanonicalLocales([...locales]).map((locale) =>
    lazily(() => readMonthNames(locale)),
  );
  return {
    get: (name) => {
      if (name === 'sept') return 9;
      for (const names of languages) {
        const month = names().get(name);
        if (month !== undefined) return month;
      }
      return undefined;
    },
  };
}

function readMonthNames(locale: string): Map<string, number> {
  const names = new Map<string, number>();
  for (const form of ['long', 'short'] as const) {
    // Slavic languages inflect the name next to a day.
    const formats = [{ month: form }, { month: form, day: 'numeric' }] as const;
    for (const parts of formats) {
      addNames(names, new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }));
    }
  }
  return names;
}

function addNames(names: Map<string, number>, format: Intl.DateTimeFormat): void {
  for (let month = 0; month < 12; month++) {
    const parts = format.formatToParts(Date.UTC(2024, month, 10));
    const name = parts
      .find(({ type }) => type === 'month')
      ?.value.toLowerCase()
      .replaceAll('.', '')
      .trim();
    // A digit is not a name.
    if (name !== undefined && /^\p{L}[\p{L}\p{M}]+$/u.test(name) && !names.has(name))
      names.set(name, month + 1);
  }
}

/** A day of a month without a year, in a text. */
export interface FoundDay {
  readonly month: number;
  readonly day: number;
  readonly start: number;
  readonly end: number;
}

const spelled: readonly string[] = [
  'january jan januar janvier enero gennaio',
  'february feb februar février febrero febbraio',
  'march mar märz mars marzo',
  'april apr avril abril aprile',
  'may mai mayo maggio',
  'june jun juni juin junio giugno',
  'july jul juli juillet julio luglio',
  'august aug août agosto',
  'september sept sep septembre septiembre settembre',
  'october oct oktober octobre octubre ottobre',
  'november nov novembre noviembre',
  'december dec dezember décembre diciembre dicembre',
];
const spelledMonths = new Map(
  spelled.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);
const monthOfDay = String.raw`(?<month>${[...spelledMonths.keys()].toSorted((one, other) => other.length - one.length).join('|')})\.?`;

const dayFirst = new RegExp(
  String.raw`(?<![\p{L}\p{N}_]|[.,:/-])(?<day>[0-3]?\d)(?<ending>st|nd|rd|th|er|\.|º)?(?: of| de| d')? ?${monthOfDay}(?![\p{L}\p{M}\p{N}'-])`,
  'giu',
);
const monthFirst = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}'-])${monthOfDay} (?:the )?(?<day>[0-3]?\d)(?<ending>st|nd|rd|th)?(?![\p{L}\p{M}\p{N}_]|[.,:/-]\d|\s?[%°])`,
  'giu',
);
const mayBeDay =
  /(?<![\d.,:/-])[0-3]?\d(?!\d|[.,:/-]\d)(?:(?:st|nd|rd|th|er|\.|º)?(?: of| de| d')? ?[jfmasondegl][a-zéûäñ]|(?<=[a-zäéû]\.? (?:the )?[0-3]?\d)(?:st|nd|rd|th)?(?!\w))/i;
/** Months that are other words in small letters. */
const ambiguous = new Set(['may', 'mar', 'march', 'mars', 'mai']);
const announced =
  /(?:^|[,.;:(]|(?<!\p{L})(?:on|by|until|till|from|to|since|before|after|of|and|through))\s?$/iu;

/** Finds days that are given by their month and number alone: `3 March`, `March 3rd`, `the 3rd of March`. */
export function findDays(text: string): FoundDay[] {
  if (!mayBeDay.test(text)) return [];
  const found: FoundDay[] = [];
  for (const pattern of [dayFirst, monthFirst]) {
    for (const match of text.matchAll(pattern)) {
      const { month: name = '', day = '' } = match.groups ?? {};
      const [start, end] = [match.index, match.index + match[0].length];
      const value = { month: spelledMonths.get(name.toLowerCase()) ?? 0, day: Number(day), start, end };
      const isDay = value.day >= 1 && value.day <= 31 && !isOtherWord(match, text);
      if (isDay && !found.some((other) => other.end > start && other.start < end)) found.push(value);
    }
  }
  return found;
}

/** Returns whether the name of a month is a word of the sentence: `you may 3 times`. */
function isOtherWord({ 0: written, index, groups }: RegExpExecArray, text: string): boolean {
  const { month: name = '', ending } = groups ?? {};
  if (!ambiguous.has(name) || ending !== undefined) return false;
  const after = text.slice(index + written.length, index + written.length + 2);
  return !announced.test(text.slice(Math.max(0, index - 10), index)) || /^ \p{L}/u.test(after);
}
