import { defuse } from '../../lib/delimit-material.ts';
import { foldText } from '../../lib/fold-text.ts';
import type { AnswerOf } from '../../schema/judgement.ts';
import type { JudgeQuestion } from '../judge.ts';

/**
 * What is wrong with the quote that a verdict rests on: there is none where there must be one, or its words do not stand
 * in what may be quoted. Letter case, white space, quotation marks and marks of emphasis do not count; `…` stands for
 * words that were left out. The fault does not repeat the quote: it is told to the judge, outside the material.
 */
export function findQuoteFault(
  { quote, verdict }: AnswerOf<'quoted-verdict'>,
  { quotes, material }: Pick<JudgeQuestion, 'quotes' | 'material'>,
): string | undefined {
  if (quotes === undefined) return undefined;
  const pieces = quote
    .split(/\[?(?:…|\.{3,})\]?/)
    .map(fold)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  if (pieces.length === 0) {
    return quotes.for.includes(verdict) ? `a "${verdict}" needs a \`quote\` that shows it` : undefined;
  }
  const parts = material.filter(({ title }) => quotes.from.includes(title));
  if (parts.some(({ text }) => holdsInOrder(fold(text), pieces))) return undefined;
  const where =
    parts.length === 0 ? 'anything that may be quoted' : parts.map(({ title }) => title).join(', ');
  return `the quote does not stand in ${where}; copy it word for word`;
}

function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const place = text.indexOf(piece, from);
    if (place === -1) return false;
    from = place + piece.length;
  }
  return true;
}

/** Quotation marks of all languages, marks of emphasis, and the backslashes that JSON puts before marks. */
const marks = /[\p{Pi}\p{Pf}"'`´‚„「」『』*_\\]/gu;

function fold(text: string): string {
  return foldText(defuse(text))
    .toLowerCase()
    .replace(/\\[nrt]/g, ' ')
    .replace(marks, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/gu, '');
}
