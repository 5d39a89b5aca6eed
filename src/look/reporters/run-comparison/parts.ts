import { nameMeasure } from '../../report/comparison/phrases.ts';
import { formatPairs, listUncovered } from '../../report/comparison/parts.ts';
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
import { formatCount, formatPlural, formatTime } from '../../report/format.ts';
import type { PairComparison, RunComparison, RunDifference } from '../../../core/schema/run-comparison.ts';
import { type Block, list, paragraph, section, table, note } from '../blocks/block.ts';
import { joined, name, quantity, quoted, span, type Text, type Tone, whole } from '../blocks/text.ts';

const mostListed = 8;
const widestName = 28;
const longestFact = 160;

/** Lays out the runs and targets that are A and B. */
export function sideBlocks({ a, b }: PairComparison): Block[] {
  return [a, b].map((side, index) => {
    const facts = [
      name(side.run),
      ...(side.name === undefined ? [] : [name(side.name, 'strong')]),
      name(side.target),
      whole(formatPlural(side.cases, 'question'), 'quiet'),
      ...(side.attempts > 1 ? [whole(`${side.attempts} attempts each`, 'quiet')] : []),
      name(side.sources.join(', '), 'quiet', longestFact),
      whole(formatTime(side.createdAt), 'quiet'),
      ...(side.description === undefined ? [] : [name(side.description, 'quiet', longestFact)]),
    ];
    const mark = [span(index === 0 ? 'A' : 'B', 'strong'), span('  ')];
    return paragraph(joined(facts.map((fact) => [fact])), { mark, indent: 0 });
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

/** Lays out each measure: both means, the difference with its interval, p, and on how many questions B is better or worse. */
export function differenceBlocks(pair: PairComparison, isAll: boolean): Block[] {
  const { rows, more } = pickRows(pair, isAll);
  return [
    table(
      [
        { title: 'Side by side' },
        { title: 'A', align: 'right' },
        { title: 'B', align: 'right' },
        { title: 'B − A', align: 'right' },
        { title: '', name: 'Interval' },
        { title: 'p, Holm', align: 'right' },
        { title: '' },
        { title: 'n', align: 'right', isOptional: true },
        { title: 'better / worse / equal', isOptional: true },
      ],
      rows.map(differenceCells),
    ),
    note(more > 0 ? `… and ${formatCount(more)} more categories: --verbose` : ''),
  ];
}

function differenceCells(row: RunDifference): Text[] {
  const { unit, difference, meanA, meanB, adjustedPValue, isRuleChanged } = row;
  const tone = tones[row.finding];
  const measure = nameMeasure(row).map((part) =>
    typeof part === 'string' ? span(part) : name(part.quoted, undefined, widestName),
  );
  return [
    isRuleChanged ? [...measure, span(' '), quoted('*', 'fair')] : measure,
    [quantity(formatMean(meanA, unit), unit)],
    [quantity(formatMean(meanB, unit), unit)],
    [quantity(formatSigned(difference.value, unit), unit, tone)],
    [quantity(formatLimits(difference, unit), unit, 'quiet')],
    [span(formatPValue(adjustedPValue))],
    [span(formatFinding(row), tone)],
    [span(formatPairs(row), 'quiet')],
    [span(formatWins(row), 'quiet')],
  ];
}

/** Lays out the cases that could not be paired or were measured in only one run, by their first ids. */
export function unpairedBlock(pair: PairComparison): Block {
  return list(
    listUncovered(pair).map(({ reason, cases: { count, ids } }) => {
      const names = ids.slice(0, mostListed).map((id) => [name(id)]);
      const rest = count > mostListed ? [[span(`+${formatCount(count - mostListed)} more`, 'quiet')]] : [];
      const lead = span(`${formatPlural(count, 'question')} ${reason}: `, 'quiet');
      return { text: [lead, ...joined([...names, ...rest], ', ')] };
    }),
  );
}

/** Lays out the ranking of runs, each with its possible places. */
export function rankingBlocks({ ranking = [], comparisons }: RunComparison): Block[] {
  if (ranking.length === 0) return [];
  const unit = comparisons[0]?.differences[0]?.unit;
  const rows = ranking.map(({ run, target, toLeader, ...places }): Text[] => [
    [span(formatPlaces(places), 'strong')],
    [name(run)],
    [name(target, 'quiet')],
    toLeader === null ? [] : [quantity(formatSigned(toLeader.value, unit), unit)],
    toLeader === null ? [] : [quantity(formatLimits(toLeader, unit), unit, 'quiet')],
  ]);
  const columns = [
    { title: 'Place' },
    { title: 'Run' },
    { title: '', name: 'Target' },
    { title: 'to the first', name: 'To the first' },
    { title: '', name: 'Interval' },
  ];
  return [section(table(columns, rows), note(placesNote))];
}
