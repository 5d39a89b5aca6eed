import { TouchstoneError } from '../../errors.ts';
import {
  type PairComparison,
  type RankedRun,
  type RunComparison,
  runComparisonVersion,
} from '../../schema/run-comparison.ts';
import { comparePair } from './compare-pair.ts';
import type { ComparedRun, KeptRun } from './compared-run.ts';
import { correctLooks } from './correct-looks.ts';
import { pickTargets, type TargetChoice } from './pick-targets.ts';
import { rankRuns, type RankedPair } from './rank-runs.ts';
import { requireWhole } from '../summary/require-whole.ts';

/** What is asked of a comparison. */
export interface CompareChoices {
  /** Which targets to hold against each other; the only ones, or those of equal names, when left out. */
  readonly targets?: readonly TargetChoice[] | undefined;
  /** Most flipped cases that are told in full; 10 when left out. */
  readonly flips?: number | undefined;
  /** Also check that no run is worse than the first by more than this, as a share. */
  readonly margin?: number | undefined;
}

const fewFlips = 10;

/**
 * Compares runs with the first of them, paired by the content of their cases. Nothing is called; only records are read.
 * Throws `usage-invalid` for fewer than two runs, the same run twice, or targets that do not belong together,
 * and what `requireWhole` does.
 */
export async function compareRuns(
  runs: readonly KeptRun[],
  { targets, flips = fewFlips, margin }: CompareChoices = {},
): Promise<RunComparison> {
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0) {
    throw new TouchstoneError('usage-invalid', 'A comparison takes two runs or more.', {
      remedy: 'Name them: `touchstone compare latest~1 latest`.',
    });
  }
  refuseRepeats(runs, targets);
  for (const { run, store } of runs) await requireWhole(run, store);
  const pairs = others.flatMap((other) => pickTargets(first, other, targets));
  const compared: PairComparison[] = [];
  for (const [a, b] of pairs) compared.push(await comparePair(a, b, { flips, margin }));
  const isRanked = others.length > 1 && pairs.length === others.length;
  const ranking = isRanked ? await rank(pairs, compared) : undefined;
  return {
    version: runComparisonVersion,
    ...correctLooks(compared),
    ...(ranking === undefined ? {} : { ranking }),
  };
}

/** A run against itself says nothing, unless its targets differ. */
function refuseRepeats(runs: readonly KeptRun[], targets: readonly TargetChoice[] = []): void {
  const ids = runs.map(({ run }) => run.id);
  const repeated = ids.find((id, place) => ids.indexOf(id) !== place);
  if (repeated === undefined || targets.some(({ a, b }) => a !== b)) return;
  throw new TouchstoneError('usage-invalid', `Run ${repeated} is named twice.`, {
    remedy:
      'Name two runs, such as `touchstone compare latest~1 latest`, or two targets: `--target one=other`.',
  });
}

/** Ranks runs that were compared with the first of them; what is missing are the comparisons of the others. */
async function rank(
  pairs: readonly (readonly [ComparedRun, ComparedRun])[],
  compared: readonly PairComparison[],
): Promise<RankedRun[]> {
  const runs = [...pairs.slice(0, 1).map(([first]) => first), ...pairs.map(([, other]) => other)];
  const known = compared.map(({ differences }, place) => ({ a: 0, b: place + 1, row: differences[0] }));
  for (const [place, a] of runs.entries()) {
    for (const [later, b] of runs.entries()) {
      if (place === 0 || later <= place) continue;
      const { differences } = await comparePair(a, b, { flips: 0, isHeadlineOnly: true });
      known.push({ a: place, b: later, row: differences[0] });
    }
  }
  return rankRuns(
    runs,
    known.flatMap(({ a, b, row }): RankedPair[] => (row === undefined ? [] : [{ a, b, row }])),
  );
}
