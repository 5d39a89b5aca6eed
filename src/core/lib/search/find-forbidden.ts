import { foldForComparison } from '../text/fold.ts';
import { withoutDisguise } from '../text/look-alikes.ts';
import { includesText } from '../text/words.ts';
import { createNumberSearch, type Finding } from './find-number.ts';
import { createTextSearch } from './find-text.ts';

/**
 * Creates a search for texts that must not be in an answer. A miss is worse than a false alarm: a text counts as a part of
 * other words, too, and however it is written. But 5 is not in 15 or −5, since a number is forbidden, not its digits; the
 * same number in another notation is forbidden alike.
 * @param match - `word` for whole words only.
 */
export function createForbiddenSearch(
  answer: string,
  match: 'substring' | 'word',
): (text: string) => Finding {
  const search = createTextSearch(answer, {
    match: match === 'word' ? 'word' : 'part',
    numbers: false,
    decimalMark: '.',
    isLiteral: true,
  });
  const findNumber = createNumberSearch(answer, { decimalMark: '.', isAnyCurrency: true });
  let bare: string | undefined;
  return (text) => {
    const number = findNumber(text);
    if (number?.isFound === true) return number;
    const { isFound, as } = search(text);
    if (isFound || match === 'word') return isFound ? { isFound, as } : { isFound };
    bare ??= withoutMarks(answer);
    return { isFound: hasHidden(bare, text) };
  };
}

/** Finds a text within which there are marks of Markdown or letters that look like its own, and a long number, such as a card's, in any groups. */
function hasHidden(bare: string, text: string): boolean {
  const wanted = withoutMarks(text);
  if (/^\d{6,}$/.test(wanted)) return new RegExp(String.raw`(?<!\d)${wanted}(?!\d)`).test(bare);
  return /^\p{L}[\p{L} ]*$/u.test(wanted) && includesText(bare, wanted);
}

function withoutMarks(text: string): string {
  return withoutDisguise(foldForComparison(text)).replace(/[*_`~]|(?<=\d)[ -](?=\d)/g, '');
}
