import { compareTerms, isHard } from '../compare/hard-terms.ts';
import { prepareText } from '../compare/prepare-text.ts';
import { readTerms } from '../compare/read-terms.ts';
import { formsOf, type Term } from '../compare/term.ts';
import { lazily } from '../lazily.ts';
import type { DecimalMark } from '../numbers/find-numbers.ts';
import type { Finding } from './find-number.ts';

/** The signs and words of a text that states a number, a date, a time or an address, or denies: most texts have none of it. */
const mayState =
  /\d|:\/\/|n't|(?<!\p{L})not(?!\p{L})|cannot|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}{3,5}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\p{L}+)?|hundred|thousand|\p{L}illion|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|half|noon|midnight|[IVXLC]{1,7})(?!\p{L})/iu;
const ordinal = /^\d+(?:st|nd|rd|th)$/;
const mostTerms = 6;

/**
 * Creates a search for texts that state a number with its unit, a date, a time, an ordinal, an address or a denial, by what they mean:
 * `30 days` in “thirty days” and “a 30-day offer”, `March 3` in “the 3rd of March”, `do not` in “don't”. It returns undefined for other texts.
 */
export function createValueSearch(
  searched: string,
  mark: DecimalMark,
): (text: string) => Finding | undefined {
  const prepared = lazily(() => prepareText(searched));
  const terms = lazily(() => readTerms(prepared(), mark));
  return (text) => {
    if (!mayState.test(text)) return undefined;
    const wanted = readTerms(prepareText(text), mark);
    const isStated = wanted.some((term) => isHard(term) || ordinal.test(term.key) || isDenial(term, wanted));
    if (wanted.length > mostTerms || !isStated) return undefined;
    const given = terms();
    const at = given.findIndex(
      (_, place) =>
        wanted.every((term, offset) => isSame(given[place + offset], term)) &&
        // `non-five` is not five.
        given[place - 1]?.kind !== 'not',
    );
    const [first, last] = [given[at], given[at + wanted.length - 1]];
    if (first === undefined || last === undefined) return undefined;
    return { isFound: true, as: prepared().slice(first.start, last.end) };
  };
}

/** Returns whether a term denies a word that is looked for with it: `not` alone may be meant as it is written. */
function isDenial({ kind }: Term, wanted: readonly Term[]): boolean {
  return kind === 'not' && wanted.length > 1;
}

function isSame(given: Term | undefined, wanted: Term): boolean {
  if (given === undefined) return false;
  if (!isHard(wanted)) return formsOf(wanted.key).includes(given.key) && !isOtherAcronym(given, wanted);
  const isBare = wanted.quantity?.currency !== undefined && given.quantity?.currency === undefined;
  return !isBare && compareTerms(given, wanted) === 'same';
}

/** Returns whether one of two words is the other one with a capital S: `HTTPS` and `HTTP`. */
function isOtherAcronym(given: Term, wanted: Term): boolean {
  return given.key !== wanted.key && /^\p{Lu}{2,}$/u.test(wanted.text) && /^\p{Lu}+$/u.test(given.text);
}
