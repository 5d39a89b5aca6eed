import { TouchstoneError } from '../../core/errors.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import type { ResolvedScorecard } from '../../evaluate/run/evaluation.ts';
import type { RunScorecard } from '../../core/schema/run.ts';
import { tolerance } from '../../decide/scorecards/grades.ts';
import * as scorecardExports from '../../decide/scorecards/registry.ts';
import type { Scorecard, ScorecardDefinition } from '../../decide/scorecards/scorecard.ts';
import { createRegistry, findDefinition } from './resolve-use.ts';

const registry = createRegistry<'scorecard', Scorecard, Record<never, never>>('scorecard', scorecardExports);

/**
 * Returns the scorecard of a run with other weights for some of its criteria; the other criteria share the rest in the same
 * proportions as before. Nothing else changes, so it needs the same verdicts. Throws `scorecard-weights` for invalid
 * weights, and for a scorecard that does not support other weights.
 */
export function reweighScorecard(kept: RunScorecard, wanted: ReadonlyMap<string, number>): ResolvedScorecard {
  const definition = findDefinition(kept.use, ['scorecard'], registry) as unknown as ScorecardDefinition;
  const { use: _use, name: _name, ...written } = kept.use;
  const options = definition.options.parse(written);
  if (definition.reweigh === undefined) throw cannotReweigh(kept);
  const changed = definition.reweigh(options, newWeights(kept, wanted));
  const { criteria, ...rule } = definition.create(changed, {});
  const metricOf = new Map(kept.criteria.map(({ name, metric }) => [name, metric]));
  return {
    ...kept,
    use: {
      ...nameOf(kept),
      use: kept.use.use,
      ...(parseJson(JSON.stringify(changed)) as Omit<NamedUse, 'use'>),
    },
    criteria: criteria.map((criterion) => ({ ...criterion, metric: metricOf.get(criterion.name) ?? '' })),
    passMark: rule.passMark,
    grades: [...rule.grades],
    ...(rule.outcomes !== undefined && { outcomes: [...rule.outcomes] }),
    evaluate: (verdicts, ownPassMark) => rule.evaluate(verdicts, ownPassMark),
  };
}

/** Returns the weights of all criteria in order. The penalties of negative criteria are not among those that add up to 1. */
function newWeights({ criteria }: RunScorecard, wanted: ReadonlyMap<string, number>): number[] {
  const penalties = new Set(criteria.filter(({ negative }) => negative === true).map(({ name }) => name));
  const current = criteria.filter(({ name }) => !penalties.has(name));
  const spread = spreadWeights(
    new Map(current.map(({ name, weight }) => [name, weight])),
    new Map([...wanted].filter(([name]) => !penalties.has(name))),
  );
  return criteria.map(({ name, weight }) => spread.get(name) ?? wanted.get(name) ?? weight);
}

function cannotReweigh({ name }: RunScorecard): TouchstoneError {
  return new TouchstoneError(
    'scorecard-weights',
    `The weights of the scorecard ${name} cannot be changed this way.`,
    {
      remedy: 'Give its definition a `reweigh`, or change the config and run `touchstone rescore`.',
    },
  );
}

function nameOf({ use: { name } }: RunScorecard): { name?: string } {
  return name === undefined ? {} : { name };
}

/**
 * Returns new weights of a scorecard's criteria: the given ones, and the rest of 1 shared by the others in their
 * present proportions. Throws `scorecard-weights` for an unknown criterion and for weights that cannot add up to 1.
 */
export function spreadWeights(
  current: ReadonlyMap<string, number>,
  wanted: ReadonlyMap<string, number>,
): Map<string, number> {
  for (const name of wanted.keys()) if (!current.has(name)) throw unknownCriterion(name, current);
  const fixed = sumOf(wanted.values());
  const others = [...current].filter(([name]) => !wanted.has(name));
  const room = sumOf(others.map(([, weight]) => weight));
  const isShared = room > 0 && fixed <= 1 + tolerance;
  if (!isShared && Math.abs(fixed - 1) > tolerance) throw wrongSum(fixed, others.length);
  const scale = isShared ? Math.max(0, 1 - fixed) / room : 0;
  return new Map([...current].map(([name, weight]) => [name, wanted.get(name) ?? weight * scale]));
}

function sumOf(weights: Iterable<number>): number {
  return [...weights].reduce((sum, weight) => sum + weight, 0);
}

function unknownCriterion(name: string, current: ReadonlyMap<string, number>): TouchstoneError {
  const hint = didYouMean(name, current.keys());
  return new TouchstoneError('scorecard-weights', `The scorecard has no criterion "${name}".${hint}`, {
    remedy: `Its criteria are ${[...current.keys()].join(', ')}.`,
  });
}

function wrongSum(fixed: number, others: number): TouchstoneError {
  const sum = Number(fixed.toFixed(6));
  const message =
    others === 0 || fixed < 1
      ? `The given weights add up to ${sum}, not 1.`
      : `The given weights add up to ${sum}, more than 1.`;
  return new TouchstoneError('scorecard-weights', message, {
    remedy: 'Weights of a scorecard add up to 1; criteria without a given weight share the rest.',
  });
}
