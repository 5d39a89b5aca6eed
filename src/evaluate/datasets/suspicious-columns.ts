import { nearestName } from '../../core/lib/text/nearest-name.ts';
import { likelyColumn } from '../../core/schema/expectation.ts';

/** An unknown column that looks like an expectation. Nothing reads it, so what it expects is not measured. */
export interface SuspiciousColumn {
  readonly name: string;
  /** True when it is a known name with a typing error, or in another order of its words: it stops a run. */
  readonly isNearMiss: boolean;
  /** The most similar known name; undefined when there is none. */
  readonly nearest: string | undefined;
}

/** First words of names of expectations. */
const firstWords =
  /^(?:expect(?:s|ed|ation|ations)?|must|should|forbid(?:den)?|disallow(?:ed)?|banned|prohibited|required?|validat(?:e|es|ion|ions|or|ors)|min|max|gold(?:en)?|rubrics?|assert(?:s|ion|ions)?|references?|groundtruths?|truth|ideal|correct|criteria|criterion|checks?|grader?s?|grading|acceptable|accepted)$/;
/** Words that mark the name of an expectation anywhere in the name. */
const anyWords = /^(?:expected|expectations?|gold|golden|rubrics?|assertions?|forbidden|groundtruth|truth)$/;
/** Names that begin in the same way but are a setting, a date or a link. */
const innocent =
  /^(?:max ?tokens|max ?turns|check ?(?:in|out).*|.*\b(?:url|link|date|page|pages)|required ?role)$/;

/**
 * Returns what is suspicious about an unknown column; undefined for plain metadata.
 * @param known - The names that are read as expectations.
 */
export function describeSuspicion(name: string, known: readonly string[]): SuspiciousColumn | undefined {
  const words = wordsOf(name);
  if (innocent.test(words.join(' '))) return undefined;
  const reordered =
    words.length < 2 ? undefined : known.find((each) => inOrder(wordsOf(each)) === inOrder(words));
  if (reordered !== undefined) return { name, isNearMiss: true, nearest: reordered };
  const readAs = likelyColumn(name);
  if (readAs !== undefined) return { name, isNearMiss: false, nearest: readAs };
  const nearest = nearestKnown(words.join('_'), known);
  const isNearMiss = nearest?.isClose === true && !isPlural(words, nearest.name);
  if (isNearMiss) return { name, isNearMiss, nearest: nearest.name };
  return areOfExpectation(words) ? { name, isNearMiss, nearest: undefined } : undefined;
}

function areOfExpectation(words: readonly string[]): boolean {
  const [first = '', second] = words;
  const isMarked = firstWords.test(first) || words.some((word) => anyWords.test(word));
  return isMarked || (first === 'ground' && second === 'truth');
}

/** Returns words in one order and without the `s` of a plural, to compare names in any order of their words. */
function inOrder(words: readonly string[]): string {
  return words
    .map((word) => word.replace(/s$/, ''))
    .sort()
    .join(' ');
}

/** Returns whether a name is the plural of a single known word: `references` may be anything but a slip of `reference`. */
function isPlural(words: readonly string[], known: string): boolean {
  return words.length === 1 && words[0] === `${known}s`;
}

/** Splits a name in any spelling into words: `expectedToolCalls`, `expected-tool-calls`, `Expected tool calls`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/**
 * Returns the nearest known name. Short names are similar to many words: they are close with one wrong letter, longer
 * ones with two.
 */
function nearestKnown(
  name: string,
  known: readonly string[],
): { readonly name: string; readonly isClose: boolean } | undefined {
  const nearest = nearestName(name, known);
  if (nearest === undefined) return undefined;
  const most = nearest.length >= 8 ? 2 : 1;
  const isNear = nearest.length >= 6 && nearestName(name, [nearest], most) !== undefined;
  return { name: nearest, isClose: isNear && isSlip(wordsOf(name), wordsOf(nearest)) };
}

/**
 * Returns whether each word may be a slip of the word in its place. `incorrect` says the opposite of `correct`, and `intent`
 * is another word than `content`, however few letters differ.
 */
function isSlip(words: readonly string[], known: readonly string[]): boolean {
  if (words.length !== known.length) return true; // A separator is missing, or one too many.
  return words.every((word, index) => {
    const meant = known[index] ?? '';
    const isOpposite = opposites.some((prefix) => word === prefix + meant);
    return !isOpposite && nearestName(word, [meant], meant.length >= 8 ? 2 : 1) !== undefined;
  });
}

const opposites = ['in', 'un', 'non', 'not', 'mis', 'dis'];
