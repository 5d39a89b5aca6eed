import type { ModeConcentration } from '../../core/schema/modes/mode-table.ts';
import { holm } from '../../core/stats/adjust-p-values.ts';
import { fisherExact } from '../../core/stats/shares/fisher-exact.ts';

/** An answer that was read, by what a mode may be concentrated in, each level once. */
export interface PlacedAnswer {
  readonly answer: string;
  readonly levels: Readonly<Record<ModeConcentration['by'], readonly string[]>>;
}

/** The most cells that are shown, and the adjusted p-value below which one is. */
const mostShown = 5;
const level = 0.05;

/**
 * Returns the cells in which modes are more frequent than in all other answers read: mode by category, target and tool, by Fisher's
 * exact test, adjusted by Holm over all cells that were tested; at most five, the most certain first.
 * @param marks - By mode: whether a marked answer has it.
 */
export function findConcentrations(
  answers: readonly PlacedAnswer[],
  marks: ReadonlyMap<string, ReadonlyMap<string, boolean>>,
): ModeConcentration[] {
  const cells = [...marks].flatMap(([mode, values]) => cellsOf(answers, mode, values));
  const { adjusted } = holm({ pValues: cells.map(({ pValue }) => pValue) });
  return cells
    .map((cell, place) => ({ ...cell, adjusted: adjusted[place] as number }))
    .filter((cell) => cell.adjusted < level && isMore(cell))
    .toSorted((one, other) => one.adjusted - other.adjusted || one.pValue - other.pValue)
    .slice(0, mostShown);
}

/** Returns whether a mode is more frequent in a cell than in the others: of two levels, both would say the same. */
function isMore({
  successes,
  trials,
  otherSuccesses,
  otherTrials,
}: Omit<ModeConcentration, 'adjusted'>): boolean {
  return successes * otherTrials > otherSuccesses * trials;
}

function cellsOf(
  answers: readonly PlacedAnswer[],
  mode: string,
  values: ReadonlyMap<string, boolean>,
): Omit<ModeConcentration, 'adjusted'>[] {
  const marked = answers.filter(({ answer }) => values.has(answer));
  const all = marked.filter(({ answer }) => values.get(answer) === true).length;
  if (all === 0 || all === marked.length) return [];
  const tallies = (['category', 'target', 'tool'] as const).flatMap((by) => [
    ...tallyBy(by, marked, values).values(),
  ]);
  return tallies
    .filter(({ n }) => n < marked.length)
    .map(({ yes, n, ...cell }) => {
      const counts = {
        successes: yes,
        trials: n,
        otherSuccesses: all - yes,
        otherTrials: marked.length - n,
      };
      return { mode, ...cell, ...counts, pValue: fisherExact(counts) };
    });
}

/** The answers of a level, with how many of them have a mode. */
interface Tally {
  readonly by: ModeConcentration['by'];
  readonly level: string;
  yes: number;
  n: number;
}

function tallyBy(
  by: ModeConcentration['by'],
  answers: readonly PlacedAnswer[],
  values: ReadonlyMap<string, boolean>,
): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { answer, levels } of answers)
    for (const each of levels[by]) {
      const tally = tallies.get(each) ?? { by, level: each, yes: 0, n: 0 };
      tallies.set(each, tally);
      tally.n += 1;
      tally.yes += Number(values.get(answer) === true);
    }
  return tallies;
}
