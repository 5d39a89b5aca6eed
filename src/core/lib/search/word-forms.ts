import { stemEnglish } from './stem-english.ts';

/** A word that a text ends in, and the longer word that begins with it. */
export interface LongerWord {
  /** The word that is looked for, folded; with its first letter as it was written. */
  readonly word: string;
  readonly initial: string;
  /** The letters that follow it in the longer word. */
  readonly rest: string;
  /** The first letter of the longer word as it was written. */
  readonly foundInitial: string;
}

const latin = /^[\p{Script=Latin}\p{M}]+$/u;
/** Few letters may be an ending, many letters another word. */
const longestEnding = 3;

/** The least letters of a word after which any letters may follow: no other word is so long by chance. */
const longWord = 9;

/**
 * Returns whether a longer word is a form of a word, or composed of it: `dogs`, `deductible`, `cancellation`,
 * `Versicherungsbeitrag`, and not `landlord` for `land`, `category` for `cat` or `none` for `no`.
 *
 * - An English form has the same stem by Porter's rules, or ends in "-ment"; a few words only look like forms.
 * - A German noun that is written with a capital may be followed by at least four letters of another one; the endings
 *   "e", "en" and "n" are forms from five letters on.
 * - From nine letters on, any letters may follow; in alphabets other than the Latin one, three, or any from six letters on.
 */
export function isFormOf({ word, initial, rest, foundInitial }: LongerWord): boolean {
  const length = countLetters(word);
  if (!latin.test(word)) return length >= 3 && (countLetters(rest) <= longestEnding || length >= 6);
  if (functionWords.has(word)) return false;
  if (length >= longWord) return !lookAlikes.has(`${word}${rest}`);
  if (length < 3 || !latin.test(rest)) return false;
  if (isEnglishForm(word, `${word}${rest}`) || isPluralOf(word, `${word}${rest}`)) return true;
  if (length < 5) return false;
  const isCapital = isUpper(initial) && isUpper(foundInitial);
  return germanEndings.has(rest) || (isCapital && rest.length >= 4 && !englishEnding.test(rest));
}

/** Returns whether an English word is a form of another one, which it need not begin with: `policies` of `policy`. */
export function isEnglishForm(word: string, longer: string): boolean {
  if (lookAlikes.has(longer) || !/^[a-z]+$/.test(longer)) return false;
  if (irregularForms.has(longer) && longer.startsWith(word)) return true;
  if (isPluralOf(word, longer) || (longer.startsWith(word) && /^ments?$/.test(longer.slice(word.length))))
    return true;
  return stemEnglish(longer) === stemEnglish(word);
}

/** Returns whether a longer word is the plural of a word: `desk lamps` of `desk lamp`. */
export function isPluralOf(word: string, longer: string): boolean {
  const rest = longer.slice(word.length);
  const ending = /(?:[sxz]|[cs]h|o)$/.test(word) ? /^(?:es|s)$/ : /^s$/;
  return longer.startsWith(word) ? ending.test(rest) : longer === `${word.replace(/y$/, '')}ies`;
}

/** Returns the singulars of an English word that is the plural of one, in the ways to form it: `policy` of `policies`. */
export function englishSingulars(word: string): readonly string[] {
  if (!/^[a-z]{3,}[a-rt-z]s$/.test(word) || functionWords.has(word) || lookAlikes.has(word)) return [];
  const singulars = [word.replace(/ies$/, 'y'), word.replace(/es$/, ''), word.slice(0, -1)];
  return singulars.filter((singular) => singular.length >= 3 && isPluralOf(singular, word));
}

/** Returns the plural of a Spanish or Portuguese word in -ión or -ção, which loses its accent: `devoluciones`. */
export function romancePlural(word: string): string | undefined {
  if (/\p{L}{3}ión$/u.test(word)) return word.replace(/ión$/, 'iones');
  return /\p{L}{2}ção$/u.test(word) ? word.replace(/ção$/, 'ções') : undefined;
}

function countLetters(text: string): number {
  return Array.from(text.matchAll(/\p{L}/gu)).length;
}

function isUpper(letter: string): boolean {
  return letter !== letter.toLowerCase();
}

const germanEndings = new Set(['e', 'en', 'n']);
const englishEnding =
  /^(?:ment|ments|ship|ness|ally|less|ware|land|soft|script|ational|ization|isation|aire)/;

/** Words that are too common to be the beginning of another word by intention. */
const functionWords: ReadonlySet<string> = new Set(
  (
    'a an the this that and or but nor so yet if of to in on at by as up off out for from with without about ' +
    'i me my we us our you your he him his she her they them their it its is are was were be been am do does did ' +
    'has have had can may might must will would shall should could not no yes none all any each every some one two ' +
    'ten now new then than there here who what when where which why how more most less least very too also only own ' +
    'over under again per via'
  ).split(' '),
);

/** Forms of short words that neither their stem nor their ending shows. */
const irregularForms: ReadonlySet<string> = new Set(
  'rental rentals taxable taxation payable employee employees children'.split(' '),
);

/** Words whose stem, or whose beginning, is shared by a word with another meaning. */
const lookAlikes: ReadonlySet<string> = new Set(
  (
    'importance important importantly customer customers customary customize internal internally international ' +
    'apartment apartments department departments departmental statement statements basement basements pigment casement ' +
    'united evening evenings organic organization organizations organisation organisations hospitality hospitable ' +
    'university universities personal personally personality emergency emergencies romance romances publication ' +
    'publications literal literally several minerals mineral formation formations past paste goods million millions ' +
    'millionaire millionaires billionaire billionaires stationary stationery missionary protestant conditioner ' +
    'customs news means arms thanks glasses series species always perhaps towards besides sometimes'
  ).split(' '),
);
