import type { Grid, GridCell, GridEffect } from '../../../core/schema/api/comparison/grid.ts';
import { formatCount, formatMoney, formatPlural, formatPoints } from '../format.ts';
import { type Phrase, quote } from '../phrase.ts';

/** The marks of the cost–quality front. */
const frontMarks = { on: '●', 'in-doubt': '○', dominated: '·', unknown: '' } as const;

/** Describes the marks of the front. */
export const frontLegend =
  '● on the front: no other is better and cheaper; ○ in doubt; · dominated: another is shown to be better and cheaper';

/** The content of a cell: its mark, its score with the interval, and its cost. */
export interface CellText {
  readonly mark: string;
  readonly score: string;
  /** The interval; empty without one. */
  readonly limits: string;
  readonly cost: string;
}

/** Formats a cell of a grid: `81.0 [74.2, 87.1]` and `$0.31`. */
export function cellText({ front, score, cost }: GridCell): CellText {
  const { value, lower, upper } = score;
  return {
    mark: frontMarks[front],
    score: value === null ? 'not measured' : formatPoints(value),
    limits: lower === null || upper === null ? '' : `[${formatPoints(lower)}, ${formatPoints(upper)}]`,
    cost: cost === null ? '' : formatMoney(cost),
  };
}

/** The cells of a grid as a table: a row for each combination of the other settings, a column for each level of one. */
export interface GridTable {
  /** The settings that name the rows, with a comma between them. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (GridCell | undefined)[] }[];
}

/** The part of a grid that a table shows. */
export interface GridTableChoice {
  /** The setting whose levels are the columns; the last one by default. */
  readonly across?: string;
  /** The level that a setting has in all cells shown, by its name; such settings name no rows. */
  readonly fixed?: Readonly<Record<string, string>>;
}

/** Arranges the cells of a grid; a cell that was not asked is undefined. */
export function arrangeGrid(
  { settings, cells }: Pick<Grid, 'settings' | 'cells'>,
  { across: wanted, fixed = {} }: GridTableChoice = {},
): GridTable {
  const across = settings.find(({ name }) => name === wanted) ?? settings.at(-1);
  const others = settings.filter((setting) => setting !== across);
  const down = others.filter(({ name }) => fixed[name] === undefined);
  const nameOf = ({ levels }: GridCell) => down.map(({ name }) => levels[name] ?? '').join(', ');
  const shown = cells.filter(({ levels }) =>
    others.every(({ name }) => fixed[name] === undefined || levels[name] === fixed[name]),
  );
  const rows = [...new Set(shown.map(nameOf))];
  return {
    title: down.map(({ name }) => name).join(', '),
    columns: across?.levels ?? [],
    rows: rows.map((name) => ({
      name,
      cells: (across?.levels ?? []).map((level) =>
        shown.find((cell) => nameOf(cell) === name && cell.levels[across?.name ?? ''] === level),
      ),
    })),
  };
}

/** Describes an effect: `prompt long − short: +5.2 points [+1.4, +9.0]`. */
export function describeEffect(effect: GridEffect): Phrase {
  const { kind, settings, levels, value, lower, upper, finding } = effect;
  const [first, second] = levels;
  const pairOf = (place: number): Phrase => [
    quote(settings[place] ?? ''),
    ' ',
    quote(levels[place]?.level ?? ''),
    ' − ',
    quote(levels[place]?.than ?? ''),
  ];
  const named: Phrase =
    kind === 'main' || first === undefined || second === undefined
      ? pairOf(0)
      : [...pairOf(0), ' changed by ', ...pairOf(1)];
  const limits = lower === null || upper === null ? '' : ` [${signed(lower)}, ${signed(upper)}]`;
  const mark = { higher: ' ▲', lower: ' ▼', 'not-shown': '' }[finding];
  return [...named, `: ${value === null ? 'not measured' : `${signed(value)} points`}${limits}${mark}`];
}

/** Describes what the effects of a grid rest on, and how many questions would show more. */
export function describeBasis({ questions, incomplete, effects, isFull, cells }: Grid): string[] {
  const hasInteractions = effects.some(({ kind }) => kind === 'interaction');
  const shown = effects.filter(({ finding }) => finding !== 'not-shown').length;
  const needed = effects.flatMap(({ kind, needed: n }) => (kind === 'main' && n !== null ? [n] : []));
  const least = needed.length === 0 ? undefined : Math.min(...needed);
  return [
    `From ${formatPlural(questions, 'question')} with a score in all ${formatCount(cells.length)} cells${incomplete === 0 ? '' : `; ${formatCount(incomplete)} without one in some cell are not in the effects`}.`,
    ...(isFull
      ? []
      : [
          'Not all combinations were asked: main effects are by least squares, and interactions are not known.',
        ]),
    ...(shown === 0 ? ['No effect is shown.'] : []),
    ...(least === undefined
      ? []
      : [`The largest of the effects that are not shown would take about ${formatCount(least)} questions.`]),
    `An effect is shown where its p-value, corrected for all effects of its kind (Holm), is below ${hasInteractions ? '2.5' : '5'} %, and bounds that need no normal distribution exclude 0.`,
  ];
}

/** Returns the name of a cell within its grid: its levels, `large, short`. */
export function levelsOf({ levels }: Pick<GridCell, 'levels'>): string {
  return Object.values(levels).join(', ');
}

function quoteCell({ cells }: Grid, target: string) {
  const cell = cells.find((each) => each.target === target);
  return quote(cell === undefined ? target : levelsOf(cell));
}

/** Describes which cells are shown to be worse and dearer than another. */
export function describeDominated(grid: Grid): Phrase[] {
  return grid.cells.flatMap(({ target, dominatedBy }): Phrase[] =>
    dominatedBy === null
      ? []
      : [[quoteCell(grid, target), ' is dominated by ', quoteCell(grid, dominatedBy), '.']],
  );
}

/** Describes which cells are cheaper and not worse by more than the margin; empty without a margin. */
export function describeCheaper(grid: Grid): Phrase[] {
  const { cells, within } = grid;
  if (within === undefined) return [];
  const margin = formatPoints(within);
  const found = cells.flatMap(({ target, cheaper = [] }): Phrase[] =>
    cheaper[0] === undefined
      ? []
      : [
          [
            quoteCell(grid, cheaper[0]),
            ' is cheaper than ',
            quoteCell(grid, target),
            `, and not worse by over ${margin} points.`,
          ],
        ],
  );
  return found.length === 0
    ? [[`No cell is shown to be cheaper than another and not worse by over ${margin} points.`]]
    : found;
}

function signed(share: number): string {
  const points = formatPoints(Math.abs(share));
  return Number.parseFloat(points) === 0 ? points : `${share > 0 ? '+' : '−'}${points}`;
}
