import { binaryWeighted } from '../scorecards/binary-weighted.ts';
import type { Scorecard } from '../scorecards/scorecard.ts';
import { threeComponent } from '../scorecards/three-component.ts';
import { weighted } from '../scorecards/weighted.ts';
import type { RunScorecard } from '../schema/run.ts';
import type { ScorecardResult, Verdict } from '../schema/verdict.ts';

/** A function that computes the result of a scorecard from verdicts by the names of the metrics. */
export type Evaluate = (verdicts: Readonly<Record<string, Verdict>>, passMark?: number) => ScorecardResult;

/** The scorecards whose rule follows from the record of a run alone. */
const definitions = [weighted, threeComponent, binaryWeighted].map(
  ({ definition }) =>
    definition as unknown as {
      readonly name: string;
      readonly version: number;
      readonly options: { parse(options: unknown): unknown };
      readonly create: (options: unknown, needs: Record<never, never>) => Scorecard;
    },
);

/**
 * Returns the rule of a run's scorecard, by which other verdicts can be evaluated; undefined for a scorecard of the user's own
 * and for one whose rule has changed since.
 */
export function evaluateAgain({ use: kept, version, criteria }: RunScorecard): Evaluate | undefined {
  const definition = definitions.find(({ name }) => name === kept.use);
  if (definition === undefined || definition.version !== version) return undefined;
  const { use: _use, name: _name, ...options } = kept;
  const scorecard = definition.create(definition.options.parse(options), {});
  return (verdicts, passMark) => {
    const byCriterion = new Map<string, Verdict>();
    for (const { name, metric } of criteria) {
      const verdict = verdicts[metric];
      if (verdict !== undefined) byCriterion.set(name, verdict);
    }
    return scorecard.evaluate(byCriterion, passMark);
  };
}
