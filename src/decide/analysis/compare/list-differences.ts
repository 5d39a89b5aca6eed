import { TouchstoneError } from '../../../core/errors.ts';
import { measureKey, type RunDifference } from '../../../core/schema/run-comparison.ts';
import { isOlder } from './compare-pair.ts';
import { compareValues } from './compare-values.ts';
import type { ComparedRun } from './compared-run.ts';
import { listSharedMeasures } from './comparison-measures.ts';
import { pairCases } from './pair-cases.ts';

/** The differences of all pairs that both runs measured. */
export interface SortedDifferences extends Pick<RunDifference, 'measure' | 'name' | 'unit' | 'better'> {
  /** B minus A of each pair, the lowest first. */
  readonly differences: readonly number[];
}

/**
 * Reads the paired differences of two runs on one measure, the same that `comparePair` averages.
 * @param wanted - The key of the measure; see `measureKey`.
 * @throws TouchstoneError `usage-invalid` for a measure that the two do not have in common.
 */
export async function listDifferences(
  a: ComparedRun,
  b: ComparedRun,
  wanted: string,
): Promise<SortedDifferences> {
  const isForward = isOlder(a, b);
  const [older, newer] = isForward ? [a, b] : [b, a];
  const measures = listSharedMeasures(older.run, newer.run);
  const chosen = measures.find((measure) => measureKey(measure) === wanted);
  if (chosen === undefined) {
    throw new TouchstoneError('usage-invalid', `The runs have no measure "${wanted}" in common.`, {
      remedy: `Name one of ${measures.map(measureKey).join(', ')}.`,
    });
  }
  const isPassed = () => undefined;
  const { headline } = await compareValues({
    older,
    newer,
    cases: await pairCases(older, newer),
    // Each pair is listed once, whatever it weighs.
    weights: undefined,
    measures: [chosen],
    isPassedInOlder: isPassed,
    isPassedInNewer: isPassed,
    mostFlips: 0,
    isListed: true,
  });
  const { measure, name } = chosen;
  const unit = chosen.newer.unit();
  return {
    measure,
    name,
    unit,
    better: chosen.newer.better(),
    differences: headline.pairs
      .map(({ difference }) => (isForward ? difference : 0 - difference))
      .sort((one, other) => one - other),
  };
}
