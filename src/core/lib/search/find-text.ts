import { type FoldedText, foldForComparison, foldWithPlaces } from '../text/fold.ts';
import { includesText, placesOfText, wordBoundaries } from '../text/words.ts';
import {
  beginsThere,
  characterAt,
  characterBefore,
  endsThere,
  isSpacedLetter,
  isWholeNumber,
  type Occurrence,
} from './boundaries.ts';
import { createNumberSearch, type Finding } from './find-number.ts';
import { createValueSearch } from './find-value.ts';
import { otherSpellings, placeBefore, type Respelled, respell, type Spelling } from './other-spellings.ts';
import { joinStems, separator } from './stem-english.ts';
import { clip, lastWord, lettersAfter, trimMarks } from './found-words.ts';
import { readWantedText, type WantedText } from './wanted-text.ts';
import { englishSingulars, isEnglishForm, isFormOf, isPluralOf, romancePlural } from './word-forms.ts';

/** The things that a text may be a part of where it is found. */
export const searchModes = ['word-form', 'name', 'word', 'stem', 'word-start', 'substring'] as const;

/** The rules of a search; see the options of the metric `keywords`. */
export interface SearchRules {
  /** `part`: anywhere but within a longer number. */
  readonly match: (typeof searchModes)[number] | 'part';
  /** True when a text that is a number is found by its value. */
  readonly numbers: boolean;
  readonly decimalMark: '.' | ',';
  /** True when `*` and quotation marks are parts of a text. */
  readonly isLiteral?: boolean;
}

/**
 * Creates a search for texts in one text. What it needs of the text is computed once, when it is first needed; each search
 * takes time in proportion to the length of the text.
 */
export function createTextSearch(searched: string, rules: SearchRules): (text: string) => Finding {
  const within = prepareOnce(searched, rules.decimalMark);
  return (text) => {
    const wanted = rules.isLiteral === true ? literal(text) : readWantedText(text);
    const folded = foldTerm(wanted.text);
    if (folded === '') return { isFound: true };
    const isWhole = !wanted.isOpenBefore && !wanted.isOpenAfter;
    const number =
      rules.numbers && isWhole && rules.match !== 'substring' ? within.numbers(wanted.text) : undefined;
    // A quantity may have a line break or Markdown between its number and its unit.
    if (number?.isFound === true) return number;
    // `10%` may be in words; digits alone are that number, or something else.
    if (number !== undefined && !/[\p{L}\s]/u.test(wanted.text))
      return /^[\d.,+-]*$/.test(wanted.text) ? number : (within.findValue(wanted.text) ?? number);
    return within.find({ ...wanted, folded, match: wanted.isQuoted ? 'word' : rules.match });
  };
}

function literal(text: string): WantedText {
  return { text, isOpenBefore: false, isOpenAfter: false, isQuoted: false };
}

interface Sought extends WantedText {
  readonly folded: string;
  readonly match: SearchRules['match'];
  /** Returns the place in the folded text of a place in another spelling of it. */
  readonly placeOf?: (place: number) => number;
}

/** A text in which texts are looked for, with all forms of it that searches need. */
class SearchedText {
  readonly original: string;
  readonly decimalMark: '.' | ',';
  readonly #folded: string;
  #placed?: FoldedText;
  #boundaries?: ReadonlySet<number>;
  #stems?: string;
  readonly #respelled = new Map<Spelling, Respelled>();
  #numbers?: ReturnType<typeof createNumberSearch>;
  #values?: ReturnType<typeof createValueSearch>;

  constructor(original: string, decimalMark: '.' | ',') {
    this.original = original;
    this.#folded = foldForComparison(original);
    this.decimalMark = decimalMark;
  }

  /** Looks for a number by its value; undefined for a text that is no number. */
  numbers(text: string): Finding | undefined {
    this.#numbers ??= createNumberSearch(this.original, { decimalMark: this.decimalMark });
    return this.#numbers(text);
  }

  /** Looks for a number with its unit, a date, a time or an address by what it means; undefined for other texts, and where it is not there. */
  findValue(text: string): Finding | undefined {
    this.#values ??= createValueSearch(this.original, this.decimalMark);
    return this.#values(text);
  }

  find(sought: Sought): Finding {
    const asWritten = this.#findIn(this.#folded, sought);
    if (asWritten !== undefined && asWritten.isFit) return this.#found(asWritten, sought);
    return (
      this.#findOtherwise(sought) ?? {
        isFound: false,
        as: asWritten === undefined ? undefined : this.#wordAround(asWritten),
      }
    );
  }

  /** Looks for the text with other hyphens, groups of digits, or in another form of its last word. */
  #findOtherwise(sought: Sought): Finding | undefined {
    const { folded, match } = sought;
    for (const spelling of otherSpellings) {
      const { applies, mark } = spelling;
      if (!applies.test(folded) || !(folded.includes(mark) || this.#folded.includes(mark))) continue;
      const within = this.#respell(spelling);
      const wanted = respell(folded, spelling).text;
      const found = this.#findIn(within.text, {
        ...sought,
        folded: wanted,
        placeOf: (place) => placeBefore(within, place),
      });
      if (found?.isFit !== true) continue;
      const [start, end] = [placeBefore(within, found.start), placeBefore(within, found.end - 1) + 1];
      return this.#found({ ...found, start, end }, sought);
    }
    if (match === 'stem') {
      this.#stems ??= joinStems(this.#folded);
      const stems = joinStems(folded);
      return stems !== separator && includesText(this.#stems, stems) ? { isFound: true } : undefined;
    }
    if (match !== 'word-form' && match !== 'name') return undefined;
    const form = this.#findTrunk(sought);
    return form === undefined ? this.#valueOf(sought) : this.#found(form, sought);
  }

  #valueOf({ text, isOpenBefore, isOpenAfter }: Sought): Finding | undefined {
    return isOpenBefore || isOpenAfter ? undefined : this.findValue(text);
  }

  #respell(spelling: Spelling): Respelled {
    const known = this.#respelled.get(spelling);
    if (known !== undefined) return known;
    const respelled = respell(this.#folded, spelling);
    this.#respelled.set(spelling, respelled);
    return respelled;
  }

  /** Looks for forms that lose the last letter of the word: `leasing` of `lease`, `policies` of `policy`. */
  #findTrunk({ folded, match }: Sought): Found | undefined {
    const plural = romancePlural(folded);
    if (plural !== undefined) return this.#findWhole(plural);
    if (match === 'word-form' && folded.endsWith('s')) return this.#findSingular(folded);
    if (!/[a-z]{3}[ey]$/.test(folded)) return undefined;
    const word = lastWord(folded);
    // `available` becomes `availability`.
    const trunk = folded.slice(0, word.endsWith('ble') ? -2 : -1);
    for (const at of placesOfText(this.#folded, trunk)) {
      const occurrence = { text: this.#folded, start: at, end: at + trunk.length };
      const longer = lastWord(trunk) + lettersAfter(this.#folded, occurrence.end);
      if (longer.startsWith(word)) continue;
      const isForm = match === 'name' ? isPluralOf(word, longer) : isEnglishForm(word, longer);
      const end = occurrence.end + longer.length - lastWord(trunk).length;
      if (isForm && beginsThere(occurrence)) return { ...occurrence, end, isFit: true };
    }
    return undefined;
  }

  /** Looks for the singular of a plural: `policy` for `policies`. */
  #findSingular(folded: string): Found | undefined {
    const word = lastWord(folded);
    for (const singular of englishSingulars(word)) {
      const found = this.#findWhole(folded.slice(0, -word.length) + singular);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findWhole(word: string): Found | undefined {
    const starts = placesOfText(this.#folded, word).map((start) => ({
      text: this.#folded,
      start,
      end: start + word.length,
    }));
    const found = starts.find((place) => beginsThere(place) && lettersAfter(this.#folded, place.end) === '');
    return found && { ...found, isFit: true };
  }

  /** Returns the first place where the text fits, else the first place where it occurs at all. */
  #findIn(within: string, sought: Sought): Found | undefined {
    let first: Found | undefined;
    for (const start of placesOfText(within, sought.folded)) {
      const occurrence = { text: within, start, end: start + sought.folded.length };
      const end = this.#endOf(occurrence, sought);
      if (end !== undefined) return { ...occurrence, end, isFit: true };
      first ??= { ...occurrence, isFit: false };
    }
    return first;
  }

  /** Returns where the text ends, with the letters that may follow it; undefined when it does not fit there. */
  #endOf(occurrence: Occurrence, sought: Sought): number | undefined {
    const { match, isOpenBefore } = sought;
    if (match === 'substring') return occurrence.end;
    if (match !== 'part' && this.#isOtherWord(occurrence, sought)) return undefined;
    if (match === 'part') return isWholeNumber(occurrence) ? occurrence.end : undefined;
    return isOpenBefore || beginsThere(occurrence) ? this.#endOfWord(occurrence, sought) : undefined;
  }

  /** Returns whether the small letters of a common word stand where capitals are meant: `us` for `US`. */
  #isOtherWord({ start }: Occurrence, { folded, text: written, placeOf }: Sought): boolean {
    if (!acronyms.has(folded) || written !== written.toUpperCase()) return false;
    const found = this.#writtenAt(this.#folded, placeOf?.(start + 1) ?? start + 1);
    return found !== found.toUpperCase();
  }

  #endOfWord(occurrence: Occurrence, sought: Sought): number | undefined {
    const { match, isOpenAfter } = sought;
    const { text, end } = occurrence;
    const rest = isSpacedLetter(characterBefore(text, end)) ? lettersAfter(text, end) : '';
    if (isOpenAfter || match === 'word-start')
      return isOpenAfter || endsThere(occurrence) ? end + rest.length : undefined;
    if (!endsThere({ ...occurrence, end: end + rest.length }) && !endsThere(occurrence)) return undefined;
    if (match === 'word') return rest === '' && this.#isAtWords(occurrence) ? end : undefined;
    // `IBM2` and `IBMs2` are other names.
    if (isSpacedLetter(characterBefore(text, end)) && /\p{N}/u.test(characterAt(text, end + rest.length)))
      return undefined;
    if (rest === '') return end;
    return this.#isForm(occurrence, rest, sought) ? end + rest.length : undefined;
  }

  #isForm({ text, start, end }: Occurrence, rest: string, { match, text: written }: Sought): boolean {
    const word = lastWord(text.slice(start, end));
    const foundAt = end - word.length;
    const [initial, foundInitial] = [written.slice(-word.length).charAt(0), this.#writtenAt(text, foundAt)];
    const isUpperWord =
      word.length >= 2 && word.length <= 4 && /^\p{Lu}+$/u.test(written.slice(-word.length));
    // `HTTPS` is no plural of `HTTP`.
    if (isUpperWord) return rest === 's' && this.#writtenAt(text, end) === 's';
    if (match !== 'name') return isFormOf({ word, initial, rest, foundInitial });
    const isCommon =
      foundInitial === foundInitial.toLowerCase() && foundInitial !== foundInitial.toUpperCase();
    // The name `Apple` is not in “apples”; `Desk Lamp` may be a title.
    const isName = word.length === end - start && initial !== initial.toLowerCase();
    return isCommon && !isName && isPluralOf(word, word + rest);
  }

  /** Returns a character as it is written in the text itself. */
  #writtenAt(text: string, place: number): string {
    if (text !== this.#folded) return text.charAt(place);
    this.#placed ??= foldWithPlaces(this.original);
    return this.#placed.originalOf(place, place + 1);
  }

  /** Returns whether a text of a script without spaces consists of words of a dictionary. */
  #isAtWords({ text, start, end }: Occurrence): boolean {
    const isSpaced = [characterAt(text, start), characterBefore(text, end)].every(
      (edge) => isSpacedLetter(edge) || !/\p{L}/u.test(edge),
    );
    if (isSpaced || text !== this.#folded) return true;
    this.#boundaries ??= wordBoundaries(this.#folded);
    return this.#boundaries.has(start) && this.#boundaries.has(end);
  }

  #found({ start, end }: Found, { text }: Sought): Finding {
    const plain = text.toLowerCase();
    if (end - start === plain.length && this.#folded.startsWith(plain, start)) return { isFound: true };
    this.#placed ??= foldWithPlaces(this.original);
    const as = this.#placed.originalOf(start, end);
    return as.toLowerCase() === plain ? { isFound: true } : { isFound: true, as: clip(as) };
  }

  #wordAround({ start, end }: Found): string {
    const before = /\S{0,20}$/u.exec(this.#folded.slice(Math.max(0, start - 20), start))?.[0] ?? '';
    const after = /^\S{0,20}/u.exec(this.#folded.slice(end, end + 20))?.[0] ?? '';
    this.#placed ??= foldWithPlaces(this.original);
    return clip(trimMarks(this.#placed.originalOf(start - before.length, end + after.length)));
  }
}

/** Acronyms that are common words in small letters. */
const acronyms = new Set('us it who or in me he as at be so we am is an on by if'.split(' '));

interface Found extends Occurrence {
  readonly isFit: boolean;
}

let last: SearchedText | undefined;

/** Prepares a text once for all metrics that search it one after the other. */
function prepareOnce(original: string, decimalMark: '.' | ','): SearchedText {
  if (last?.original !== original || last.decimalMark !== decimalMark) {
    last = new SearchedText(original, decimalMark);
  }
  return last;
}

/** Folds a term; most are plain words. */
function foldTerm(text: string): string {
  return /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/.test(text) ? text.toLowerCase() : foldForComparison(text);
}
