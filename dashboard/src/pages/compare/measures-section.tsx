import { useState } from 'react';
import { nameMeasure } from '../../../../src/look/report/comparison/phrases.ts';
import {
  formatPairs,
  groupRows,
  reachByUnit,
  reachOf,
} from '../../../../src/look/report/comparison/parts.ts';
import {
  formatLimits,
  formatMean,
  formatPValue,
  formatSigned,
  formatWins,
  pickRows,
} from '../../../../src/look/report/comparison/rows.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { type Phrase, quote } from '../../../../src/look/report/phrase.ts';
import {
  measureKey,
  type PairComparison,
  type RunDifference,
} from '../../../../src/core/schema/run-comparison.ts';
import { Button } from '../../parts/button.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { Section } from '../../parts/section.tsx';
import { FindingMark } from './finding-mark.tsx';

/** The differences on every measure, by category, and in time and cost. */
export function MeasuresSection({ pair }: { readonly pair: PairComparison }) {
  const [isAll, setIsAll] = useState(false);
  const { rows, more } = pickRows(pair, isAll);
  const { quality, categories, effort } = groupRows({ differences: rows });
  const reach = reachByUnit([...quality, ...categories]);
  const isRuleChanged = rows.some((row) => row.isRuleChanged === true);
  const groups: readonly Group[] = [
    { title: 'Quality', rows: quality, reachOf: reach },
    { title: 'Categories', rows: categories, reachOf: reach },
    { title: 'Time and cost', rows: effort, reachOf: (row) => reachOf([row]) },
  ];
  return (
    <Section
      title="By how much, and on which measure?"
      note={isRuleChanged ? '* measured by another rule in A than in B' : undefined}
    >
      {groups.every((group) => group.rows.length === 0) ? (
        <p className="text-quiet">No question has a number in both runs yet.</p>
      ) : (
        <MeasureTable groups={groups.filter((group) => group.rows.length > 0)} />
      )}
      {more > 0 && (
        <div className="mt-2">
          <Button onClick={() => setIsAll(true)}>Show {formatCount(more)} more categories</Button>
        </div>
      )}
    </Section>
  );
}

/** Rows under a heading of the table. */
interface Group {
  readonly title: string;
  readonly rows: readonly RunDifference[];
  /** Returns the reach of the axis on which a row is drawn. */
  readonly reachOf: (row: RunDifference) => number;
}

function MeasureTable({ groups }: { readonly groups: readonly Group[] }) {
  const optional = 'hidden md:table-cell';
  return (
    // A region that scrolls has to be reached by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label="Differences" tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse whitespace-nowrap">
        <thead className="text-xs text-quiet">
          <tr>
            <Title text="Measure" className="pl-0 text-left" />
            <Title text="A" className={`text-right ${optional}`} />
            <Title text="B" className={`text-right ${optional}`} />
            <Title text="B − A" className="text-right" />
            <Title text="Interval" className={`text-left ${optional}`} />
            <Title text="Around 0" className={`w-1/5 ${optional}`} isHidden />
            <Title text="Finding" className="text-left" />
            <Title text="p, Holm" className={`text-right ${optional}`} />
            <Title text="n" className={`text-right ${optional}`} />
            <Title text="Better / worse / equal" className={`pr-0 text-right ${optional}`} />
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.title}>
            <tr>
              <th colSpan={10} scope="rowgroup" className="h-9 pt-2 text-left text-xs font-semibold">
                {group.title}
              </th>
            </tr>
            {group.rows.map((row) => (
              <MeasureRow key={measureKey(row)} row={row} reach={group.reachOf(row)} optional={optional} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface TitleOptions {
  readonly text: string;
  readonly className: string;
  /** True for a title that need not be seen. */
  readonly isHidden?: boolean;
}

function Title({ text, className, isHidden = false }: TitleOptions) {
  return (
    <th scope="col" className={`h-8 px-2 font-medium ${className}`}>
      {isHidden ? <span className="sr-only">{text}</span> : text}
    </th>
  );
}

interface MeasureRowOptions {
  readonly row: RunDifference;
  readonly reach: number;
  /** The class of the cells that a narrow screen leaves out. */
  readonly optional: string;
}

function MeasureRow({ row, reach, optional }: MeasureRowOptions) {
  const { unit, meanA, meanB, difference, adjustedPValue } = row;
  return (
    <tr className="h-8 border-t border-line hover:bg-surface">
      <th
        scope="row"
        className="max-w-64 min-w-28 py-1 sm:min-w-44 pr-2 text-left font-normal whitespace-normal wrap-anywhere"
      >
        <span className="line-clamp-3">
          <PhraseText phrase={namePhrase(row)} />
          {row.isRuleChanged === true && <span className="text-unsure"> *</span>}
        </span>
      </th>
      <td className={`px-2 text-right ${optional}`}>{formatMean(meanA, unit)}</td>
      <td className={`px-2 text-right ${optional}`}>{formatMean(meanB, unit)}</td>
      <td className="px-2 text-right">
        <span className="font-medium">{formatSigned(difference.value, unit)}</span>
        <span className="block text-xs text-quiet md:hidden">{formatLimits(difference, unit)}</span>
      </td>
      <td className={`px-2 text-quiet ${optional}`}>{formatLimits(difference, unit)}</td>
      <td className={`px-2 ${optional}`}>
        <IntervalPlot
          estimate={difference}
          domain={[-reach, reach]}
          mark={0}
          colour={colours[row.finding] ?? 'text-quiet'}
        />
      </td>
      <td className="px-2">
        <FindingMark row={row} />
      </td>
      <td className={`px-2 text-right ${optional}`}>{formatPValue(adjustedPValue)}</td>
      <td className={`px-2 text-right ${optional}`}>{formatPairs(row)}</td>
      <td className={`pl-2 text-right text-quiet ${optional}`}>{formatWins(row)}</td>
    </tr>
  );
}

/** Names the measure of a row; the heading says already that a row is a category. */
function namePhrase(row: RunDifference): Phrase {
  return row.measure === 'category' ? [quote(row.name)] : nameMeasure(row);
}

const colours: Partial<Record<RunDifference['finding'], string>> = {
  better: 'text-good',
  worse: 'text-bad',
  different: 'text-accent',
  'better-on-most': 'text-unsure',
  'worse-on-most': 'text-unsure',
};
