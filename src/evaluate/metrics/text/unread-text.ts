import { foldForComparison } from '../../../core/lib/text/fold.ts';
import { countCharacters } from '../../../core/lib/text/python-text.ts';

/** The part of a text that a metric reads. The rest takes no part in its value. */
export interface Reading {
  /** Its description as a clause: `ROUGE reads a-z and 0-9 only`. */
  readonly says: string;
  /** Matches all that it reads in a folded text, or more; without the flag `g`. */
  readonly reads: RegExp;
  /** The text whose parts the value is a share of, when it is not both. */
  readonly shareOf?: 'answer' | 'reference';
}

/** A reading of the words of all scripts by the Unicode rules, which drops emoji, operators and other signs. */
export const wordReading: Reading = {
  says: 'words of all scripts are read, but no emoji, operators and other signs',
  reads: /^(?:[\p{L}\p{M}\p{N}]|\.)/u,
};

// Letters, digits, emoji and the signs of numbers, formulas and code: what a reader would miss. The marks of sentences,
// which the published metrics drop on purpose, are none, nor is the dollar, which is often not written.
const meaningful =
  /\p{L}|(?![\ufe00-\ufe0f])\p{M}|\p{N}|\p{So}|\p{Sm}|(?!\$)\p{Sc}|\^|(?<=\p{L})#|(?<=\d)%|(?<![\p{L}\p{N}])-(?=\d)|(?<=\d)\.(?=\d)|!(?=[=\p{L}])|(?<=\d ?)\*(?= ?\d)|(?<=\s)\/(?=\s)/gu;
const otherDigit = /(?![0-9])\p{Nd}/gu;
const strange = /(?!\p{Script=Latin})\p{L}|\p{So}/u;

/**
 * Returns why a value of 1 says nothing about an answer, as a clause: the metric reads only a part of the texts, and in
 * the rest they differ. Undefined when they do not.
 */
export function findUnreadDifference(
  answer: string,
  reference: string,
  { says, reads, shareOf }: Reading,
): string | undefined {
  const [given, wanted] = [answer, reference].map((text) => {
    const signs = signsOf(text);
    const unread = signs.filter((sign) => !reads.test(sign));
    return { unread: unread.join(''), all: signs.join('') };
  });
  if (given === undefined || wanted === undefined || given.unread === wanted.unread) return undefined;
  if (shareOf === 'reference' && given.unread.includes(wanted.unread)) return undefined;
  if (shareOf === 'answer' && wanted.unread.includes(given.unread)) return undefined;
  return `${says}, and in the rest the answer has ${quote(given.unread)} and the expected answer ${quote(wanted.unread)}`;
}

/**
 * Returns why nothing can be said about a reference, as a clause: the metric does not read most of it. The letters of the
 * Latin script are always taken as read, with or without their accents.
 */
export function findUnreadReference(reference: string, { says, reads }: Reading): string | undefined {
  const signs = signsOf(reference).filter((sign) => /[\p{L}\p{N}\p{So}]/u.test(sign));
  const unread = signs.filter((sign) => strange.test(sign) && !reads.test(sign)).length;
  if (unread * 2 <= signs.length) return undefined;
  return `${says}: ${unread} of ${signs.length} letters and signs of the expected answer are not read`;
}

function signsOf(text: string): string[] {
  // Folded, the digits of all scripts are alike, and a metric that reads 0-9 has not read the others.
  return [...(foldForComparison(text).match(meaningful) ?? []), ...(text.match(otherDigit) ?? [])];
}

const mostShown = 20;

function quote(signs: string): string {
  if (signs === '') return 'nothing';
  const shown = Array.from(signs.slice(0, 2 * mostShown))
    .slice(0, mostShown)
    .join('');
  return countCharacters(signs) > mostShown ? `“${shown}…”` : `“${shown}”`;
}
