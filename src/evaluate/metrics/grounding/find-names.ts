import type { NameFact } from './fact.ts';
import { functionWords } from './function-words.ts';

/**
 * Finds the names in a text: capitalised words side by side, a single capitalised word inside a sentence, and words
 * that mix letters and digits (`DP-3`). Where nouns are capitalised, as in German, only words side by side count. A
 * script without capitals has no names that could be found.
 */
export function findNames(text: string): NameFact[] {
  const words = Array.from(text.matchAll(wordPattern), ({ 0: found, index }) => readWord(found, index, text));
  const groups = groupNeighbours(words, text);
  const hasManyCapitals = isGerman(words) || isHeadline(words, groups);
  return groups.map((group) => toName(group, text)).filter((name) => isName(name, hasManyCapitals));
}

const word = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’&.\-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*`;
const wordPattern = new RegExp(word, 'gu');

function isGerman(words: readonly Word[]): boolean {
  const german = words.filter(({ text }) => germanWords.has(text.toLowerCase())).length;
  return german >= 2 && german / words.length >= fewestGermanShare;
}

/** Returns whether so many single words inside sentences are capitalised that they cannot all be names. */
function isHeadline(words: readonly Word[], groups: readonly (readonly Word[])[]): boolean {
  const lone = groups.filter(([first, second]) => second === undefined && first?.isFirstOfSentence === false);
  return lone.length >= 6 && lone.length / words.length >= 0.3;
}

function readWord(found: string, index: number, text: string): Word {
  const plain = found.replace(/['’][sS]$/u, '');
  return { text: plain, index, end: index + plain.length, isFirstOfSentence: beginsSentence(text, index) };
}

interface Word {
  readonly text: string;
  readonly index: number;
  readonly end: number;
  readonly isFirstOfSentence: boolean;
}

/**
 * Frequent short words of German, where all nouns are capitalised; none is frequent in another language listed here.
 */
const germanWords: ReadonlySet<string> = new Set(
  'am auf auch bei bitte das dem der die ein eine einem einen einer für ihnen ist mit nicht oder sich sie sind und von wird zum zur'.split(
    ' ',
  ),
);
const fewestGermanShare = 0.12;

/** Short words with a full stop that does not end a sentence, such as titles and initials. */
const abbreviation =
  /(?:^|[^\p{L}\p{N}])(?:\p{Lu}|Mrs?|Ms|Dr|Prof|St|Jr|Sr|No|Nr|vs|e\.g|i\.e|z\.B|bzw|ca|approx)\.\s*$/u;

/**
 * Returns whether a word begins a sentence: after the end of another one, a bullet, a table cell, a bracket or a
 * heading mark.
 */
function beginsSentence(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 24), index);
  if (/^[\s\p{Pi}"'¿¡(]*$/u.test(before) && index <= 24) return true;
  if (abbreviation.test(before)) return false;
  return /(?:[.!?…:;|>#*•·–—)\]}。！？]|\n|^\s*\d+[.)]|(?:^|\s)-)[\s"'“”„«»‘’¿¡(*_#[]*$|[("“„«‘¿¡[{*_]$/u.test(
    before,
  );
}

function isNameWord({ text }: Word): boolean {
  if (functionWords.has(text.toLowerCase())) return false;
  return /^\p{Lu}/u.test(text) || isCode(text);
}

/** Returns whether a word mixes letters and digits and has a capital or a hyphen: `WSM-204417`, not `9th`. */
function isCode(text: string): boolean {
  return /\p{L}/u.test(text) && /\p{N}/u.test(text) && /\p{Lu}|\p{L}-\p{N}/u.test(text);
}

const joining =
  /^(?:\.?[ \u00a0]|\s?&\s?| (?:of|of the|de|de la|del|della|di|du|des|der|von|van|van der|von der|la|le|los|las) )$/u;

/** Groups name words that have only a space between them, or a small word that occurs inside names. */
function groupNeighbours(words: readonly Word[], text: string): Word[][] {
  const groups: Word[][] = [];
  for (const found of words.filter(isNameWord)) {
    const last = groups.at(-1)?.at(-1);
    const between = last === undefined ? '' : text.slice(last.end, found.index);
    const isNeighbour = joining.test(between) && !found.isFirstOfSentence;
    if (isNeighbour) groups.at(-1)?.push(found);
    else groups.push([found]);
  }
  return groups;
}

function toName(group: readonly Word[], text: string): NameFact {
  const [first, last] = [group[0], group.at(-1)];
  const index = first?.index ?? 0;
  return {
    kind: 'name',
    text: text.slice(index, last?.end),
    index,
    words: group.map(({ text: found }) => found),
    isFirstOfSentence: first?.isFirstOfSentence ?? false,
  };
}

function isName({ words, isFirstOfSentence }: NameFact, hasManyCapitals: boolean): boolean {
  const [first = ''] = words;
  if (words.length > 1 || isCode(first)) return true;
  return !isFirstOfSentence && !hasManyCapitals && first.length > 1;
}
