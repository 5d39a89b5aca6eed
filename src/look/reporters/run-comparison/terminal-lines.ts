import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { nameMeasure } from '../../report/comparison/phrases.ts';
import {
  formatFinding,
  formatLimits,
  formatMean,
  formatPlaces,
  formatPValue,
  formatSigned,
  formatWins,
  pickRows,
  placesNote,
} from '../../report/comparison/rows.ts';
import { formatPairs, listUncovered } from '../../report/comparison/parts.ts';
import { formatCount, formatPlural, formatTime } from '../../report/format.ts';
import type { Phrase } from '../../report/phrase.ts';
import type { PairComparison, RunComparison, RunDifference } from '../../../core/schema/run-comparison.ts';
import { flow, indented } from '../terminal/flow.ts';
import { joined, type Line, span, type Tone, whole } from '../terminal/line.ts';
import { type Column, setTable } from '../terminal/table.ts';

const indent = 2;
const mostListed = 8;
const widestName = 28;

/** Formats a phrase as one line that can be wrapped; quoted names are not broken. */
export function phraseLine(phrase: Phrase, tone?: Tone): Line {
  return phrase.map((part) => (typeof part === 'string' ? span(part, tone) : whole(part.quoted, tone)));
}

/** Formats the runs and targets that are A and B. */
export function sideLines({ a, b }: PairComparison, width: number): Line[] {
  return [a, b].flatMap((side, index) => {
    const facts = [
      side.run,
      side.target,
      formatPlural(side.cases, 'question'),
      ...(side.attempts > 1 ? [`${side.attempts} attempts each`] : []),
      side.sources.join(', '),
      formatTime(side.createdAt),
      ...(side.description === undefined ? [] : [side.description]),
    ];
    const line = joined(facts.map((fact, place) => [whole(fact, place < 2 ? undefined : 'quiet')]));
    return flow(line, { width, first: [span(index === 0 ? 'A  ' : 'B  ', 'strong')] });
  });
}

const tones: Partial<Record<RunDifference['finding'], Tone>> = {
  better: 'good',
  worse: 'bad',
  different: 'fair',
  'better-on-most': 'fair',
  'worse-on-most': 'fair',
  'too-few': 'quiet',
  'not-comparable': 'fair',
};

/** Formats each measure: both means, the difference with its interval, p, and on how many questions B is better or worse. */
export function differenceLines(
  pair: PairComparison,
  { width, isAll }: { width: number; isAll: boolean },
): Line[] {
  const { rows, more } = pickRows(pair, isAll);
  if (rows.length === 0) return [];
  const columns: Column[] = [
    { title: 'Side by side' },
    { title: 'A', align: 'right' },
    { title: 'B', align: 'right' },
    { title: 'B − A', align: 'right' },
    { title: '' },
    { title: 'p, Holm', align: 'right' },
    { title: '' },
    { title: 'n', align: 'right', isOptional: true },
    { title: 'better / worse / equal', isOptional: true },
  ];
  const lines = setTable({ columns, rows: rows.map(rowCells) }, width);
  return [
    [],
    ...lines,
    ...(more > 0
      ? indented([span(`… and ${formatCount(more)} more categories: --verbose`, 'quiet')], width, indent)
      : []),
  ];
}

function rowCells(row: RunDifference): Line[] {
  const { unit, difference, meanA, meanB, adjustedPValue, isRuleChanged } = row;
  const tone = tones[row.finding];
  const name = nameMeasure(row).map((part) => (typeof part === 'string' ? part : part.quoted));
  return [
    [span(shorten(name.join(''), widestName)), ...(isRuleChanged ? [span(' *', 'fair')] : [])],
    [span(formatMean(meanA, unit))],
    [span(formatMean(meanB, unit))],
    [span(formatSigned(difference.value, unit), tone)],
    [span(formatLimits(difference, unit), 'quiet')],
    [span(formatPValue(adjustedPValue))],
    [span(formatFinding(row), tone)],
    [span(formatPairs(row), 'quiet')],
    [span(formatWins(row), 'quiet')],
  ];
}

/** Formats the cases that could not be paired or were measured in only one run, by their first ids. */
export function unpairedLines(pair: PairComparison, width: number): Line[] {
  const shown = listUncovered(pair);
  if (shown.length === 0) return [];
  return [
    [],
    ...shown.flatMap(({ reason, cases: { count, ids } }) => {
      const names = ids.slice(0, mostListed).map((id) => [whole(id)]);
      const rest = count > mostListed ? [[span(`+${formatCount(count - mostListed)} more`, 'quiet')]] : [];
      const line = joined([...names, ...rest], ', ');
      return indented(
        [span(`${formatPlural(count, 'question')} ${reason}: `, 'quiet'), ...line],
        width,
        indent,
      );
    }),
  ];
}

/** Formats the ranking of runs, each with its possible places. */
export function rankingLines({ ranking = [], comparisons }: RunComparison, width: number): Line[] {
  if (ranking.length === 0) return [];
  const unit = comparisons[0]?.differences[0]?.unit;
  const rows = ranking.map(({ run, target, toLeader, ...places }): Line[] => [
    [span(formatPlaces(places), 'strong')],
    [span(run)],
    [span(target, 'quiet')],
    toLeader === null ? [] : [span(formatSigned(toLeader.value, unit))],
    [span(toLeader === null ? '' : formatLimits(toLeader, unit), 'quiet')],
  ]);
  const columns = [
    { title: 'Place' },
    { title: 'Run' },
    { title: '' },
    { title: 'to the first' },
    { title: '' },
  ];
  return [[], ...setTable({ columns, rows }, width), ...indented([span(placesNote, 'quiet')], width, indent)];
}
