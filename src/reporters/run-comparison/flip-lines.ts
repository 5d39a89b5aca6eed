import { firstUnits, shorten } from '../../lib/terminal-text.ts';
import type { Flip, PairComparison } from '../../schema/run-comparison.ts';
import { formatCount, formatPercent, missing } from '../../report/format/format-number.ts';
import { formatQuantity } from '../../report/format/format-quantity.ts';
import { flow, indented } from '../terminal/flow.ts';
import { joined, type Line, span, whole } from '../terminal/line.ts';
import { differInWords, type WordPiece } from '../../report/comparison/word-difference.ts';

const longestAnswer = 1200;
const longestAnswerInFull = 20_000;
const fewFlips = 10;
const start = 4;
const widestSame = 60;

/** The cases that passed in one run alone, with both answers and the words in which they differ. */
export function flipLines(pair: PairComparison, { width, isAll }: { width: number; isAll: boolean }): Line[] {
  const { flips, flipsToWorse, flipsToBetter } = pair;
  const count = flipsToWorse + flipsToBetter;
  if (count === 0) return [];
  const shown = isAll ? flips : flips.slice(0, fewFlips);
  const more = count - shown.length;
  const title = `Flipped: ${formatCount(flipsToWorse)} to the worse, ${formatCount(flipsToBetter)} to the better`;
  const rest = `… and ${formatCount(more)} more: --verbose shows all`;
  return [
    [],
    [span(`  ${title}`, 'quiet')],
    ...shown.flatMap((flip) => oneFlip(flip, width, isAll ? longestAnswerInFull : longestAnswer)),
    ...(more > 0 ? indented([span(rest, 'quiet')], width, 2) : []),
  ];
}

function oneFlip(flip: Flip, width: number, longest: number): Line[] {
  const { change, caseId, category, question, a, b, metrics } = flip;
  const [sign, tone] = change === 'worse' ? (['✗', 'bad'] as const) : (['✓', 'good'] as const);
  const totals = `${formatPercent(a.total)} → ${formatPercent(b.total)}`;
  const head: Line = [span('  '), span(sign, tone), span(' ')];
  const facts = [
    [whole(caseId, 'quiet')],
    [whole(category, 'quiet')],
    ...(a.total === null && b.total === null ? [] : [[whole(totals, tone)]]),
    ...(isRepeated(a) || isRepeated(b)
      ? [[whole(`passed ${formatPercent(a.passed)} → ${formatPercent(b.passed)}`)]]
      : []),
    ...metrics.map(({ name, unit, a: before, b: after }) => [
      whole(`${shorten(name, 40)} ${formatQuantity(before, unit)} → ${formatQuantity(after, unit)}`, 'quiet'),
    ]),
  ];
  return [
    ...flow([span(shorten(question.replaceAll(/\s+/g, ' ').trim(), 240))], { width, first: head }),
    ...indented(joined(facts), width, start),
    ...answerLines('A ', a.answer, { width, longest }),
    ...answerLines('B ', b.answer, { width, longest }),
    ...wordLines(a.answer, b.answer, { width, longest }),
  ];
}

/** Some attempts came out otherwise than the one that is shown. */
function isRepeated({ passed }: Flip['a']): boolean {
  return passed > 0 && passed < 1;
}

interface Room {
  readonly width: number;
  readonly longest: number;
}

function answerLines(label: string, answer: string | null, { width, longest }: Room): Line[] {
  const text = answer === null ? missing : cut(answer.replaceAll(/\s+/g, ' ').trim(), longest);
  return flow([span(text)], { width, first: [span(' '.repeat(start)), span(label, 'strong')] });
}

function cut(text: string, longest: number): string {
  const shown = firstUnits(text, longest);
  return shown.length === text.length ? shown : `${shown}…`;
}

/** `[-gone-] {+new+}` between the words that both share; nothing where they share none. */
function wordLines(before: string | null, after: string | null, { width, longest }: Room): Line[] {
  if (before === null || after === null) return [];
  const pieces = differInWords(cut(before, longest), cut(after, longest));
  if (pieces.length < 2 || !pieces.some(({ kind }) => kind === 'same')) return [];
  const line = pieces.flatMap((piece, place) => [...(place === 0 ? [] : [span(' ')]), wordSpan(piece)]);
  return flow(line, { width, first: [span(' '.repeat(start)), span('± ', 'strong')] });
}

function wordSpan({ kind, text }: WordPiece): Line[number] {
  if (kind === 'removed') return span(`[-${text}-]`, 'bad');
  if (kind === 'added') return span(`{+${text}+}`, 'good');
  return span(shortenMiddle(text), 'quiet');
}

/** Long runs of shared words are told by their beginning and end. */
function shortenMiddle(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= widestSame) return text;
  const half = widestSame / 2 - 2;
  return `${characters.slice(0, half).join('')} … ${characters.slice(-half).join('')}`;
}
