import { foldText } from '../../lib/fold-text.ts';
import { segmentWords, wordBoundaries } from '../../lib/segment-words.ts';
import { stemEnglish } from '../../lib/stem-english.ts';
import { type FoundNumber, findNumbers } from '../values/find-numbers.ts';
import { searchNumbers } from '../values/search-numbers.ts';
import { dropNegatedClauses, holdsNegation } from './negation.ts';

/** How a text is looked for; see the options of the metric `keywords`. */
export interface SearchOptions {
  readonly match: 'substring' | 'word' | 'stem';
  readonly alternatives: boolean;
  readonly numbers: boolean;
  readonly decimalMark: '.' | ',';
  readonly ignoreNegated: boolean;
  readonly normalize: boolean;
}

/** Makes a search for texts in one answer. What it needs of the answer is worked out once, and only when asked for. */
export function createSearch(answer: string, options: SearchOptions): (text: string) => boolean {
  const whole = createPlainSearch(answer, options);
  if (!options.ignoreNegated && !options.alternatives) return whole;
  const affirmed = options.ignoreNegated ? createPlainSearch(dropNegatedClauses(answer), options) : whole;
  return (text) => {
    const choices = options.alternatives ? splitAlternatives(text) : [text];
    return choices.some((choice) =>
      (affirmed !== whole && !holdsNegation(choice) ? affirmed : whole)(choice),
    );
  };
}

function splitAlternatives(text: string): string[] {
  const choices = text.split('|').map((choice) => choice.trim());
  const filled = choices.filter((choice) => choice !== '');
  return filled.length === 0 ? [text] : filled;
}

function createPlainSearch(answer: string, options: SearchOptions): (text: string) => boolean {
  const searchText = createTextSearch(answer, options);
  if (!options.numbers) return searchText;
  const numbersOf = once(() => searchNumbers(findNumbers(answer, options.decimalMark)));
  const exact = { tolerance: 0, relativeTolerance: 0 };
  return (text) => {
    const wanted = soleNumber(text, options.decimalMark);
    return searchText(text) || (wanted !== undefined && numbersOf().has(wanted, exact));
  };
}

/** The number that a text is, when it is nothing else. */
function soleNumber(text: string, decimalMark: '.' | ','): FoundNumber | undefined {
  const [number, ...others] = findNumbers(text, decimalMark);
  return others.length === 0 && number?.text.length === foldText(text).trim().length ? number : undefined;
}

function createTextSearch(answer: string, { match, normalize }: SearchOptions): (text: string) => boolean {
  if (match === 'substring') {
    const form = normalize ? fold : (text: string) => text.toLowerCase();
    const searched = form(answer);
    return (text) => searched.includes(form(text));
  }
  const searched = fold(answer);
  const boundaries = once(() => wordBoundaries(searched));
  const hasWord = (text: string) => standsAtBoundaries(searched, fold(text), boundaries());
  if (match === 'word') return hasWord;
  const stems = once(() => joinStems(searched));
  return (text) => {
    const wanted = joinStems(fold(text));
    return (wanted !== separator && stems().includes(wanted)) || hasWord(text);
  };
}

function fold(text: string): string {
  return foldText(text).toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** Whether a text occurs with the bounds of words on both sides. */
export function standsAtBoundaries(searched: string, text: string, boundaries: ReadonlySet<number>): boolean {
  for (let at = searched.indexOf(text); at !== -1; at = searched.indexOf(text, at + 1)) {
    if (boundaries.has(at) && boundaries.has(at + text.length)) return true;
    if (text === '') return true;
  }
  return false;
}

const separator = '\0';

function joinStems(text: string): string {
  const stems = segmentWords(text).map((word) => {
    const bare = word.replace(/['’]s$/u, '');
    return `${/^[a-z]+$/.test(bare) ? stemEnglish(bare) : bare}${separator}`;
  });
  return `${separator}${stems.join('')}`;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
