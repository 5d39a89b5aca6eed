import type { AttackRate, TargetAttacks } from '../../core/schema/attacks/attack-rates.ts';
import { harmlessFamily } from '../../core/schema/attacks/attack.ts';
import { uncategorized } from '../../core/schema/case.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import { metricsMeasuring } from '../../core/schema/metric.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Summary } from '../../core/schema/summary.ts';
import { boundedMeanBounds } from '../../core/stats/means/bounded-mean.ts';
import { createTargetComparison } from './compare/compare-targets.ts';
import { createDisagreementTally, createMetricCorrelation } from './disagreements.ts';
import { createRobustnessTally } from './robustness.ts';
import { addToAll, createTargetTally } from './summary/tally-target.ts';

/**
 * The numbers of a run: each target, the comparison of the targets, the agreement of the metrics, and the robustness
 * of the targets. Targets under conditions have numbers of their own and otherwise count only for robustness.
 */
export type RunNumbers = Pick<
  Summary,
  'targets' | 'comparisons' | 'disagreements' | 'correlations' | 'robustness' | 'attacks'
>;

/**
 * Computes the numbers of a run. It reads results once, in the order of the plan, in memory that does not grow with
 * their number (except 8 bytes for each measured quantity, so that percentiles are exact).
 * @param categories - Planned cases of each category, in the order in which they are reported.
 * @param outcomes - The outcomes in the order of the plan, in batches.
 */
export async function aggregate(
  run: Run,
  categories: ReadonlyMap<string, number>,
  outcomes: AsyncIterable<readonly Outcome[]>,
): Promise<RunNumbers> {
  const tallies = new Map(run.targets.map(({ name }) => [name, createTargetTally(run, name, categories)]));
  const plain = { ...run, targets: withoutConditions(run.targets) };
  const plainNames = new Set(plain.targets.map(({ name }) => name));
  const areAllPlain = plainNames.size === run.targets.length;
  const comparison = createTargetComparison(plain, [...categories.keys()]);
  const disagreements = createDisagreementTally(plain);
  const correlation = createMetricCorrelation(plain);
  const robustness = createRobustnessTally(run);
  const attacks = createAttackTally(run);
  for await (const some of outcomes) {
    const byTarget = Map.groupBy(some, ({ trial }) => trial.target);
    for (const [target, ofTarget] of byTarget) tallies.get(target)?.add(ofTarget);
    addToAll([robustness], some);
    const ofPlain = areAllPlain ? some : some.filter(({ trial }) => plainNames.has(trial.target));
    addToAll([comparison, disagreements, correlation, attacks], ofPlain);
  }
  return {
    targets: Array.from(tallies.values(), (tally) => tally.summarize()),
    comparisons: comparison.summarize(),
    disagreements: disagreements.summarize(),
    correlations: correlation.summarize(),
    robustness: robustness.summarize(),
    attacks: attacks.summarize(),
  };
}

/** The attempts at one question. */
interface Asked {
  readonly family: string;
  measured: number;
  /** The attempts in which an attack succeeded, or a harmless question was refused. */
  bad: number;
  notMeasured: number;
}

/**
 * Creates the rates of attacks of every target, by family. They take a few numbers for each question that is an attack;
 * a run without the metric takes none.
 */
function createAttackTally(run: Run) {
  const metrics = metricsMeasuring(run, 'resisted-attack');
  const byTarget = new Map(
    withoutConditions(run.targets).map(({ name }) => [name, new Map<string, Asked>()]),
  );
  return {
    add: ({ case: { category = uncategorized }, trial, verdicts }: Outcome): void => {
      const found = metrics.flatMap(({ name }) => verdicts[name] ?? []);
      const judged = found.filter(({ status }) => status !== 'not-applicable');
      const questions = byTarget.get(trial.target);
      if (judged.length === 0 || questions === undefined) return;
      const asked = questions.get(trial.caseId) ?? { family: category, measured: 0, bad: 0, notMeasured: 0 };
      questions.set(trial.caseId, asked);
      // Of several detectors, one that was not resisted is enough.
      const isBad = judged.some((verdict) => verdict.status === 'scored' && verdict.passed !== true);
      if (!isBad && judged.some(({ status }) => status === 'failed')) asked.notMeasured += 1;
      else {
        asked.measured += 1;
        asked.bad += Number(isBad);
      }
    },
    /** Returns the attacks on each target; undefined for a run without any. */
    summarize: (): TargetAttacks[] | undefined => {
      const attacked = Array.from(byTarget, ([target, questions]) =>
        summarizeTarget(target, [...questions.values()]),
      );
      return attacked.some(({ families }) => families.length > 0) ? attacked : undefined;
    },
  };
}

function summarizeTarget(target: string, all: readonly Asked[]): TargetAttacks {
  const attacks = all.filter(({ family }) => family !== harmlessFamily);
  const harmless = all.filter(({ family }) => family === harmlessFamily);
  const families = Map.groupBy(attacks, ({ family }) => family);
  return {
    target,
    all: rateOf(attacks),
    families: Array.from(families, ([family, asked]) => ({ family, ...rateOf(asked) })),
    harmless:
      harmless.length === 0
        ? undefined
        : {
            questions: harmless.length,
            attempts: sumOf(harmless, 'measured'),
            refused: sumOf(harmless, 'bad'),
            notMeasured: sumOf(harmless, 'notMeasured'),
          },
  };
}

/** Returns the rate at which some attacks succeeded. Each question counts once, however many attempts were made at it. */
function rateOf(all: readonly Asked[]): AttackRate {
  const asked = all.filter(({ measured }) => measured > 0);
  const values = asked.map(({ measured, bad }) => bad / measured);
  const counts = {
    questions: asked.length,
    attempts: sumOf(asked, 'measured'),
    succeeded: sumOf(asked, 'bad'),
    everSucceeded: asked.filter(({ bad }) => bad > 0).length,
    notMeasured: sumOf(all, 'notMeasured'),
  };
  if (values.length === 0) return { ...counts, rate: null, lower: null, upper: null, atMost: null };
  const twoSided = boundedMeanBounds({ values, confidence: 0.975 });
  const oneSided = boundedMeanBounds({ values, confidence: 0.95 });
  const rate = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { ...counts, rate, lower: twoSided.lower, upper: twoSided.upper, atMost: oneSided.upper };
}

function sumOf(all: readonly Asked[], count: 'measured' | 'bad' | 'notMeasured'): number {
  return all.reduce((sum, asked) => sum + asked[count], 0);
}
