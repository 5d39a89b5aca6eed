import type { Grid, RunGrids } from '../../core/schema/api/comparison/grid.ts';
import {
  arrangeGrid,
  cellText,
  describeBasis,
  describeCheaper,
  describeDominated,
  describeEffect,
  frontLegend,
} from '../report/grid/describe-grid.ts';
import { type Block, heading, list, paragraph, section, note } from './blocks/block.ts';
import { renderMarkdown } from './blocks/markdown.ts';
import { renderTerminal } from './blocks/terminal.ts';
import { name, phrase, span, type Text } from './blocks/text.ts';
import type { ReportView } from './reporter.ts';

/** Formats the grids of a run for a terminal: cells, effects, and the cost–quality front. */
export function gridText(found: RunGrids, view: ReportView): string {
  return renderTerminal(layOut(found), view);
}

/** Formats the grids of a run as Markdown. */
export function gridMarkdown(found: RunGrids): string {
  return renderMarkdown(layOut(found));
}

function layOut({ run, grids }: RunGrids): Block[] {
  return [
    heading(1, [span('Grid of settings, run '), name(run)]),
    ...grids.flatMap((grid) => blocksOf(grid)),
  ];
}

function blocksOf(grid: Grid): Block[] {
  const { of, cells, effects } = grid;
  const arranged = arrangeGrid(grid);
  const columns = arranged.columns.map((title) => ({ title, isQuoted: true, align: 'right' as const }));
  const hasFront = cells.some(({ front }) => front !== 'unknown');
  const kinds = (['main', 'interaction'] as const).map((kind) =>
    effects.filter((effect) => effect.kind === kind),
  );
  const [main = [], interactions = []] = kinds;
  const shown = interactions.filter(({ finding }) => finding !== 'not-shown');
  return [
    section(
      heading(2, [name(of)]),
      {
        kind: 'table',
        columns: [{ title: arranged.title, isQuoted: true }, ...columns],
        rows: arranged.rows.map((row) => {
          const lines = row.cells.map(textOf);
          return {
            cells: [[name(row.name)], ...lines.map(([line = []]) => line)],
            below: [[], ...lines.map(([, line = []]) => line)],
          };
        }),
      },
      note(hasFront ? frontLegend : 'The cost of some attempt is not known: there is no front.'),
      ...[...describeDominated(grid), ...describeCheaper(grid)].map((sentence) =>
        paragraph(phrase(sentence)),
      ),
    ),
    section(
      heading(3, [span('Effects of the settings')]),
      list(main.map((effect) => ({ text: phrase(describeEffect(effect)) }))),
      ...(interactions.length === 0
        ? []
        : shown.length === 0
          ? [paragraph([span('No interaction is shown.')])]
          : [list(shown.map((effect) => ({ text: phrase(describeEffect(effect)) })))]),
      ...describeBasis(grid).map((sentence) => note(sentence)),
    ),
  ];
}

/** Returns the two lines of a cell: its mark and its score, its interval and its cost. */
function textOf(cell: Grid['cells'][number] | undefined): Text[] {
  if (cell === undefined) return [[span('not asked', 'quiet')]];
  const { mark, score, limits, cost } = cellText(cell);
  const line = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');
  return [[span(line(mark, score))], [span(line(limits, cost), 'quiet')]];
}
