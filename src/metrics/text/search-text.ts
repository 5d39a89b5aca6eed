import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { foldText, segmentWords, wordBoundaries } from '../../lib/text/words.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { findNumbers, type FoundNumber } from '../../lib/numbers/find-numbers.ts';
import { searchNumbers } from '../values/search-numbers.ts';
import { verdictOf } from './references.ts';
import { stemEnglish } from './stem-english.ts';

/** The options of metrics that look for a list of texts in the answer. By default a text is found as a substring. */
export const findTextsOptions = lazily(() =>
  z.strictObject({
    threshold: z.number().min(0).max(1).optional().describe('The least share that passes.'),
    match: z
      .enum(['substring', 'word', 'stem'])
      .default('substring')
      .describe(
        '`word`: whole words only, in any script. `stem`: also in another form (leases, leasing); English.',
      ),
    alternatives: z
      .boolean()
      .default(false)
      .describe(
        'True when `|` separates alternatives, of which any one is enough: `rental income | rent received`.',
      ),
    numbers: z
      .boolean()
      .default(false)
      .describe('True to find a text that is a number by its value: 1204 in `$1,204`, 442300 in `442.3k`.'),
    decimalMark: z.enum(['.', ',']).default('.').describe('The decimal mark, for `numbers`.'),
    ignoreNegated: z
      .boolean()
      .default(false)
      .describe('True to ignore negated clauses ("no depreciation was taken").'),
    normalize: z
      .boolean()
      .default(false)
      .describe(
        'True to search for substrings, too, in Unicode form NFKC with plain digits and single spaces.',
      ),
  }),
);
type FindTextsOptions = z.output<ReturnType<typeof findTextsOptions>>;

/**
 * Returns the share of texts found in the answer, with the missing ones by name. A text that is listed twice counts
 * twice.
 */
export function findTexts(
  texts: readonly string[],
  answer: string | null,
  options: FindTextsOptions,
): Verdict {
  const search = createSearch(answer ?? '', options);
  const found: string[] = [];
  const missing: string[] = [];
  for (const text of texts) (search(text) ? found : missing).push(text);
  const value = texts.length === 0 ? 1 : found.length / texts.length;
  const explanation =
    missing.length === 0 ? undefined : `missing: ${missing.join(', ')}${hint(missing, options)}`;
  return verdictOf({ value, explanation, evidence: { found, missing } }, options.threshold);
}

function hint(missing: readonly string[], { alternatives }: FindTextsOptions): string {
  if (alternatives || !missing.some((text) => text.includes(' | '))) return '';
  return ' (for either of two texts, set the option `alternatives`)';
}

/** The rules of a search; see the options of the metric `keywords`. */
export interface SearchOptions {
  readonly match: 'substring' | 'word' | 'stem';
  readonly alternatives: boolean;
  readonly numbers: boolean;
  readonly decimalMark: '.' | ',';
  readonly ignoreNegated: boolean;
  readonly normalize: boolean;
}

/** Creates a search for texts in one answer. What it needs of the answer is computed once, when it is first needed. */
function createSearch(answer: string, options: SearchOptions): (text: string) => boolean {
  const whole = createPlainSearch(answer, options);
  if (!options.ignoreNegated && !options.alternatives) return whole;
  const affirmed = options.ignoreNegated ? createPlainSearch(dropNegatedClauses(answer), options) : whole;
  return (text) => {
    const choices = options.alternatives ? splitAlternatives(text) : [text];
    return choices.some((choice) => (affirmed !== whole && !isNegation(choice) ? affirmed : whole)(choice));
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

/** Returns the number that a text consists of; undefined when it is anything else. */
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

/** Returns whether a text occurs with word boundaries on both sides. */
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

const words = [
  "no|not|never|none|nothing|nobody|nowhere|neither|nor|without|cannot|\\p{L}+n't",
  'nicht|kein(?:e|en|er|es|em)?|nie|niemals|ohne|weder|noch',
  'pas|jamais|aucune?|sans|rien',
  'nunca|sin|ningún|ninguna?|não|sem|nenhuma?|non|senza|nessuna?',
  'niet|geen|nooit|zonder|inte|ikke|ingen|inget|nie|bez',
  'не|нет|без|никогда|немає',
  'لا|ليس|ليست|لم|لن|بدون|לא|אין|בלי|नहीं',
].join('|');
const cue = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])|不是|不会|不會|不能|不包|没有|沒有|无法|無法|并非|並非|ません|なかった|ない(?=[。、．]|$)|없|않|아니`,
  'iu',
);

/** Phrases that look like a negation but affirm. */
const affirmations =
  /(?<!\p{L})(?:not (?:only|just|merely|simply|to mention|until)|no (?:doubt|problem|later than|more than|less than|fewer than|longer than|earlier than)|not (?:more|less|fewer|later|earlier) than|nothing but|without (?:a )?doubt|nicht nur|(?:pas|non) seulement|no s[oó]lo|non solo|não (?:só|apenas)|niet alleen)(?!\p{L})/giu;

// The end of a clause: the end of a sentence, a comma before a space, or the beginning of a contrast. A decimal point
// does not end a clause.
const clauseEnd =
  /(?<=[.!?;…](?=\s|$)|[。！？；،؛؟\n]|,(?=\s)|、)|(?=(?<!\p{L})(?:but|however|although|though|whereas|while|yet|except|sondern|aber|jedoch|mais|pero|sino|mas|ma|però|maar|но|а|لكن|但|但是)(?!\p{L}))/giu;
const sentenceEnd = /[.!?;…。！？؛؟\n]$/u;
const continuation = /^\s*(?:or|nor|oder|noch|ou|ni|né|of|или|ни|أو)(?!\p{L})/iu;

/** Returns whether a text contains a negating word. */
function isNegation(text: string): boolean {
  return cue.test(text.replace(/[’ʼ]/g, "'").replace(affirmations, ''));
}

/**
 * Returns a text without its negated clauses: "It is not in Denver, it is in Montrose." keeps its second half. By a
 * rule of thumb, a clause with a negating word is dropped as a whole, and so is a list after it that ends in "or" ("no
 * land, building, or basis").
 */
function dropNegatedClauses(text: string): string {
  const clauses = text.split(clauseEnd);
  const isNegated = clauses.map((clause) => isNegation(clause));
  // The last negated clause of this sentence.
  let negated = -1;
  for (const [index, clause] of clauses.entries()) {
    if (index > 0 && sentenceEnd.test(clauses[index - 1] ?? '')) negated = -1;
    if (negated !== -1 && continuation.test(clause)) isNegated.fill(true, negated, index + 1);
    if (isNegated[index] === true) negated = index;
  }
  return clauses.map((clause, index) => (isNegated[index] === true ? '\n' : clause)).join('');
}
