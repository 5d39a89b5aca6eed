import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import type { Flip, PairComparison } from '../../../core/schema/run-comparison.ts';
import {
  describeMethods,
  describeFixedRegression,
  describeRegression,
  describeTargetChanges,
  describeVerdict,
  noticePhrase,
  rescoreCommands,
} from '../../report/comparison/phrases.ts';
import type { ComparisonInput } from '../../report/comparison/rows.ts';
import { diffWords, type WordPiece } from '../../report/comparison/word-difference.ts';
import { formatCount, formatPercent, formatQuantity, missing } from '../../report/format.ts';
import {
  type Block,
  gap,
  heading,
  type Item,
  list,
  paragraph,
  rule,
  section,
  note,
} from '../blocks/block.ts';
import { renderMarkdown } from '../blocks/markdown.ts';
import { renderTerminal } from '../blocks/terminal.ts';
import { joined, name, phrase, quoted, span, type Text, whole } from '../blocks/text.ts';
import type { ReportView } from '../reporter.ts';
import { differenceBlocks, rankingBlocks, sideBlocks, unpairedBlock } from './parts.ts';

/** The extent of a report on a comparison, and the place of its verdict. */
interface Extent {
  readonly isAll: boolean;
  readonly mostFlips: number;
  readonly longestAnswer: number;
  /** True to begin with the verdict, before the runs that it is about. */
  readonly isVerdictFirst: boolean;
}

/** Formats a comparison for the terminal: the verdict, then what could invalidate it, then the numbers. */
export function comparisonText(input: ComparisonInput, view: ReportView): string {
  const [mostFlips, longestAnswer] = view.verbose ? [Infinity, 20_000] : [10, 1200];
  const extent = { isAll: view.verbose, mostFlips, longestAnswer, isVerdictFirst: false };
  return renderTerminal(layout(input, extent), view);
}

/** Formats a comparison for a pull request, with all text from targets, datasets and metrics as code. */
export function comparisonMarkdown(input: ComparisonInput): string {
  const extent = { isAll: false, mostFlips: 20, longestAnswer: 400, isVerdictFirst: true };
  return renderMarkdown(layout(input, extent));
}

function layout(input: ComparisonInput, extent: Extent): Block[] {
  const { comparison } = input;
  return [
    heading(1, [span('Touchstone', 'strong'), span('  compare', 'quiet')]),
    ...comparison.comparisons.flatMap((pair) => pairBlocks(pair, input, extent)),
    ...rankingBlocks(comparison),
  ];
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

function pairBlocks(pair: PairComparison, input: ComparisonInput, extent: Extent): Block[] {
  const changes = describeTargetChanges(pair.targetChanges);
  const sides = [
    ...sideBlocks(pair),
    ...(changes === undefined ? [] : [paragraph(phrase(changes, undefined, 'plain'), { indent: 3 })]),
    rule,
  ];
  const verdict = verdictBlocks(pair);
  return [
    ...(extent.isVerdictFirst ? [...verdict, ...sides] : [...sides, ...verdict]),
    section(...noticeBlocks(pair, input)),
    section(...differenceBlocks(pair, extent.isAll)),
    section(unpairedBlock(pair)),
    section(...flipBlocks(pair, extent)),
    section(
      ...describeMethods(pair, input.comparison).map((sentence) => paragraph(phrase(sentence, 'quiet'))),
      ...(pair.differences.some(({ isRuleChanged }) => isRuleChanged)
        ? [paragraph([quoted('*', 'fair'), span(' measured by another rule in A than in B', 'fair')])]
        : []),
    ),
    gap,
  ];
}

function verdictBlocks(pair: PairComparison): Block[] {
  const { outcome, sentences } = describeVerdict(pair);
  const regressions = [describeRegression(pair), describeFixedRegression(pair)].filter(
    (each) => each !== undefined,
  );
  const tone = tones[pair.verdict.outcome];
  return [
    paragraph([{ text: outcome, tone, isStrong: true }], { indent: 0 }),
    ...sentences.map((sentence) => paragraph(phrase(sentence, undefined, 'plain'))),
    ...regressions.map((regression) => paragraph(phrase(regression, 'strong'))),
  ];
}

const longestCommand = 240;

/** Lays out what else differs between the runs, and the commands that score both by the same rules. */
function noticeBlocks(pair: PairComparison, input: ComparisonInput): Block[] {
  if (pair.notices.length === 0) return [];
  const commands = rescoreCommands(pair, input).map((command) => ({
    text: [name(command, undefined, longestCommand)],
  }));
  const notices = pair.notices.map((notice) => ({
    text: [span('! ', 'fair'), ...phrase(noticePhrase(notice), 'fair')],
  }));
  const lead = span('To score both by the rules of the config here:');
  return [list([...notices, ...(commands.length === 0 ? [] : [{ text: [lead], details: commands }])])];
}

/** Lays out the cases that passed in only one of the runs, with both answers and the words in which they differ. */
function flipBlocks(pair: PairComparison, { mostFlips, longestAnswer }: Extent): Block[] {
  const { flips, flipsToWorse, flipsToBetter } = pair;
  const count = flipsToWorse + flipsToBetter;
  if (count === 0) return [];
  const shown = flips.slice(0, mostFlips);
  const more = count - shown.length;
  const title = `Flipped: ${formatCount(flipsToWorse)} to the worse, ${formatCount(flipsToBetter)} to the better`;
  return [
    note(title),
    list(shown.map((flip) => flipItem(flip, longestAnswer))),
    note(more > 0 ? `… and ${formatCount(more)} more: --verbose shows all` : ''),
  ];
}

const longestQuestion = 240;

function flipItem(flip: Flip, longest: number): Item {
  const { change, caseId, category, question, a, b, metrics } = flip;
  const [sign, tone] = change === 'worse' ? (['✗', 'bad'] as const) : (['✓', 'good'] as const);
  const totals = `${formatPercent(a.total)} → ${formatPercent(b.total)}`;
  const facts = [
    [name(caseId, 'quiet')],
    [name(category, 'quiet')],
    a.total === null && b.total === null ? [] : [whole(totals, tone)],
    ...(isRepeated(a) || isRepeated(b)
      ? [[whole(`passed ${formatPercent(a.passed)} → ${formatPercent(b.passed)}`)]]
      : []),
    ...metrics.map(({ name: metric, unit, a: before, b: after }) => [
      name(`${metric} ${formatQuantity(before, unit)} → ${formatQuantity(after, unit)}`, 'quiet'),
    ]),
  ];
  const words = changedWords(a.answer, b.answer, longest);
  return {
    mark: [span(sign, tone), span(' ')],
    text: [quoted(flat(question), undefined, longestQuestion)],
    details: [
      { text: joined(facts) },
      { mark: [span('A ', 'strong')], text: answerText(a.answer, longest) },
      { mark: [span('B ', 'strong')], text: answerText(b.answer, longest) },
      ...(words.length === 0 ? [] : [{ mark: [span('± ', 'strong')], text: words }]),
    ],
  };
}

/** Returns whether the attempts at a case had different results. */
function isRepeated({ passed }: Flip['a']): boolean {
  return passed > 0 && passed < 1;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function answerText(answer: string | null, longest: number): Text {
  return answer === null ? [span(missing)] : [quoted(flat(answer), undefined, longest)];
}

/** Sets the difference of two answers as `[-removed-] {+added+}`; empty when they share no words. */
function changedWords(before: string | null, after: string | null, longest: number): Text {
  if (before === null || after === null) return [];
  const pieces = diffWords(cut(before, longest), cut(after, longest));
  if (pieces.length < 2 || !pieces.some(({ kind }) => kind === 'same')) return [];
  return pieces.flatMap((piece, place) => [...(place === 0 ? [] : [span(' ')]), ...wordText(piece, longest)]);
}

function cut(text: string, longest: number): string {
  const shown = firstUnits(text, longest);
  return shown.length === text.length ? shown : `${shown}…`;
}

function wordText({ kind, text }: WordPiece, longest: number): Text {
  if (kind === 'removed') return [span('[-', 'bad'), quoted(text, 'bad', longest), span('-]', 'bad')];
  if (kind === 'added') return [span('{+', 'good'), quoted(text, 'good', longest), span('+}', 'good')];
  return [quoted(shortenMiddle(text), 'quiet')];
}

const widestSame = 60;

/** Shortens a long run of shared words to its beginning and end. */
function shortenMiddle(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= widestSame) return text;
  const half = widestSame / 2 - 2;
  return `${characters.slice(0, half).join('')} … ${characters.slice(-half).join('')}`;
}
