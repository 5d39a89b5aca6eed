import { nearestName } from '../lib/text/nearest-name.ts';

/** A column that looks like an expectation and is not known: nobody would read it, and the case would pass without it. */
export interface SuspiciousColumn {
  readonly name: string;
  /** The known name that is most like it; undefined where none is. */
  readonly nearest: string | undefined;
}

/** Words with which the name of an expectation begins. */
const firstWords =
  /^(?:expect(?:s|ed|ation|ations)?|must|should|forbid(?:den)?|disallow(?:ed)?|banned|prohibited|required?|validat(?:e|es|ion|ions|or|ors)|min|max|gold(?:en)?|rubrics?|assert(?:s|ion|ions)?|references?|groundtruths?|truth|ideal|correct|criteria|criterion|checks?|grader?s?|grading|acceptable|accepted)$/;
/** Words that make a name an expectation wherever they stand. */
const anyWords = /^(?:expected|expectations?|gold|golden|rubrics?|assertions?|forbidden|groundtruth|truth)$/;
/** Names of what metrics look for, written without saying that it is expected. */
const wholeNames =
  /^(?:keywords?|contains(?:all|any)?|icontains|notcontains|includes?|excludes?|entities|toolcallsexpected|answerkey|solutions?)$/;
/** What begins in the same way and is a setting, a date or a link. */
const innocent =
  /^(?:max ?tokens|max ?turns|check ?(?:in|out).*|.*\b(?:url|link|date|page|pages)|required ?role)$/;

/**
 * Returns what is suspicious about the name of a column that no rule knows; undefined for plain metadata.
 * @param known - The names that are read as expectations.
 */
export function suspect(name: string, known: readonly string[]): SuspiciousColumn | undefined {
  const words = wordsOf(name);
  if (innocent.test(words.join(' '))) return undefined;
  const nearest = nearestKnown(words.join('_'), known);
  const isSuspicious =
    nearest?.isClose === true ||
    firstWords.test(words[0] ?? '') ||
    words.some((word) => anyWords.test(word)) ||
    (words[0] === 'ground' && words[1] === 'truth') ||
    wholeNames.test(words.join(''));
  return isSuspicious ? { name, nearest: nearest?.name } : undefined;
}

/** The words of a name in any spelling: `expectedToolCalls`, `expected-tool-calls`, `Expected tool calls`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Short names are near to many words: they count from one wrong letter on, longer ones from two. */
function nearestKnown(
  name: string,
  known: readonly string[],
): { readonly name: string; readonly isClose: boolean } | undefined {
  const nearest = nearestName(name, known);
  if (nearest === undefined) return undefined;
  const most = nearest.length >= 8 ? 2 : 1;
  return { name: nearest, isClose: nearest.length >= 5 && nearestName(name, [nearest], most) !== undefined };
}
