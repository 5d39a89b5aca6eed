import { firstUnits, shorten } from '../../../core/lib/text/terminal-text.ts';
import {
  noticePhrase,
  rescoreCommands,
  describeMethods,
  describeRegression,
  describeTargetChanges,
  describeVerdict,
} from '../../report/comparison/phrases.ts';
import type { ComparisonInput } from '../../report/comparison/rows.ts';
import { formatCount, formatPercent, formatQuantity, missing } from '../../report/format.ts';
import { diffWords, type WordPiece } from '../../report/comparison/word-difference.ts';
import type { Flip, PairComparison } from '../../../core/schema/run-comparison.ts';
import type { ReportView } from '../reporter.ts';
import { flow, indented } from '../terminal/flow.ts';
import { joined, type Line, renderLine, span, whole } from '../terminal/line.ts';
import { rule } from '../terminal/title.ts';
import { differenceLines, phraseLine, rankingLines, sideLines, unpairedLines } from './terminal-lines.ts';

/** Formats a comparison for the terminal: the verdict first, then what could invalidate it, then the numbers. */
export function comparisonText(input: ComparisonInput, view: ReportView): string {
  const { comparison } = input;
  const lines = [
    [span('Touchstone', 'strong'), span('  compare', 'quiet')],
    ...comparison.comparisons.flatMap((pair) => pairLines(pair, input, view)),
    ...rankingLines(comparison, view.width),
  ];
  return lines.map((line) => renderLine(line, view)).join('');
}

const tones = {
  better: 'good',
  worse: 'bad',
  'better-on-most': 'fair',
  'worse-on-most': 'fair',
  'no-visible-difference': 'fair',
  'not-enough-data': 'fair',
  'not-comparable': 'fair',
} as const;

function pairLines(pair: PairComparison, input: ComparisonInput, { width, verbose }: ReportView): Line[] {
  const { outcome, sentences } = describeVerdict(pair);
  const regression = describeRegression(pair);
  const room = { width, isAll: verbose };
  return [
    ...sideLines(pair, width),
    ...changeLines(pair, width),
    rule(width),
    [{ text: outcome, tone: tones[pair.verdict.outcome], isStrong: true }],
    ...sentences.flatMap((sentence) => indented(phraseLine(sentence), width, 2)),
    ...(regression === undefined ? [] : indented(phraseLine(regression, 'strong'), width, 2)),
    ...noticeLines(pair, input, width),
    ...differenceLines(pair, room),
    ...unpairedLines(pair, width),
    ...flipLines(pair, room),
    [],
    ...describeMethods(pair, input.comparison).flatMap((sentence) =>
      indented(phraseLine(sentence, 'quiet'), width, 2),
    ),
    ...(pair.differences.some(({ isRuleChanged }) => isRuleChanged)
      ? indented([span('* measured by another rule in A than in B', 'fair')], width, 2)
      : []),
    [],
  ];
}

function changeLines({ targetChanges }: PairComparison, width: number): Line[] {
  const changes = describeTargetChanges(targetChanges);
  return changes === undefined ? [] : indented(phraseLine(changes), width, 3);
}

/** Formats what else differs between the runs, and the commands that score both by the same rules. */
function noticeLines(pair: PairComparison, input: ComparisonInput, width: number): Line[] {
  if (pair.notices.length === 0) return [];
  const commands = rescoreCommands(pair, input);
  return [
    [],
    ...pair.notices.flatMap((notice) =>
      indented([span('! ', 'fair'), ...phraseLine(noticePhrase(notice), 'fair')], width, 2),
    ),
    ...(commands.length === 0
      ? []
      : indented([span('To score both by the rules of the config here:')], width, 2)),
    ...commands.flatMap((command) => indented([whole(command)], width, 4)),
  ];
}

const longestAnswer = 1200;
const longestAnswerInFull = 20_000;
const fewFlips = 10;
const start = 4;
const widestSame = 60;

/** Formats the cases that passed in only one of the runs, with both answers and the words in which they differ. */
function flipLines(pair: PairComparison, { width, isAll }: { width: number; isAll: boolean }): Line[] {
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

/** Returns whether the attempts at a case had different results. */
function isRepeated({ passed }: Flip['a']): boolean {
  return passed > 0 && passed < 1;
}

/** The space for an answer. */
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

/** Formats the difference of two answers as `[-removed-] {+added+}`; nothing when they share no words. */
function wordLines(before: string | null, after: string | null, { width, longest }: Room): Line[] {
  if (before === null || after === null) return [];
  const pieces = diffWords(cut(before, longest), cut(after, longest));
  if (pieces.length < 2 || !pieces.some(({ kind }) => kind === 'same')) return [];
  const line = pieces.flatMap((piece, place) => [...(place === 0 ? [] : [span(' ')]), wordSpan(piece)]);
  return flow(line, { width, first: [span(' '.repeat(start)), span('± ', 'strong')] });
}

function wordSpan({ kind, text }: WordPiece): Line[number] {
  if (kind === 'removed') return span(`[-${text}-]`, 'bad');
  if (kind === 'added') return span(`{+${text}+}`, 'good');
  return span(shortenMiddle(text), 'quiet');
}

/** Shortens a long run of shared words to its beginning and end. */
function shortenMiddle(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= widestSame) return text;
  const half = widestSame / 2 - 2;
  return `${characters.slice(0, half).join('')} … ${characters.slice(-half).join('')}`;
}
