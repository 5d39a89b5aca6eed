import type { CaseVerdict, Estimate } from '../../../core/schema/estimate.ts';
import { type CaseRule, verdictOnCase } from '../../../core/schema/expected.ts';
import type { CaseRuleSummary, Reliability, ReliabilityGroup } from '../../../core/schema/estimate.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import { type BoundedMeans, createBoundedMeans } from '../../../core/stats/means/bounded-means.ts';
import { type AttemptCounts, passAtK, type PassEstimate, passHatK } from '../../../core/stats/pass-at-k.ts';
import { curtailedPassAtK, curtailedPassHatK } from '../../../core/stats/repeats/curtailed-rates.ts';
import { type AttemptRule, settleAttempts } from '../../../core/stats/repeats/settle-attempts.ts';
import { attemptResult, certainAttempts, curtailingRule } from '../attempts.ts';
import type { OfCase } from './case-means.ts';
import { type ClusterNumbers, createClusterNumbers, estimateMean, estimateShare } from './estimates.ts';
import { createShareTally } from './tally-trials.ts';

const mostIds = 50;

/** The attempts at one case. */
interface Attempts {
  readonly first: Outcome;
  readonly results: (boolean | null)[];
}

/** The plan of a run's attempts. */
export interface AttemptPlan {
  /** Attempts planned for each case, at least 2. */
  readonly attempts: number;
  /** Number of planned cases. */
  readonly cases: number;
  readonly caseRule?: CaseRule;
  /** Present when the attempts were stopped by the rules of another run. */
  readonly rescoredFrom?: string;
}

/**
 * Creates a tally of the cases that pass on every attempt, on some or on none. The outcomes of a case are added one
 * after the other.
 */
export function createReliabilityTally(plan: AttemptPlan, clusters: ClusterNumbers = createClusterNumbers()) {
  const { attempts, cases, caseRule } = plan;
  const countedIn = createCounting(plan);
  const levels = createLevelsTally(
    attempts,
    plan.rescoredFrom === undefined ? curtailingRule(plan) : undefined,
  );
  const rule = caseRule && createCaseRuleTally(caseRule, plan, clusters);
  const groups = new Map<string, ReliabilityGroup>();
  let current: Attempts | undefined;
  let unmeasured = 0;
  let seen = 0;

  const flush = () => {
    if (current === undefined) return;
    const { first, results } = current;
    seen += 1;
    current = undefined;
    const { n: measured, c: passed } = count(results);
    rule?.add(first, { measured, passed, notNeeded: first.notNeeded ?? 0 });
    if (measured === 0) {
      unmeasured += 1;
      return;
    }
    const ofCase = { cluster: clusters.of(first.case.cluster), weight: clusters.weightOf(first.case) };
    levels.add(count(countedIn(results)), ofCase);
    const verdict = rule && { verdict: rule.verdictOf({ measured, passed }) };
    const group = groups.get(`${passed}/${measured}`) ?? { passed, measured, cases: 0, ...verdict, ids: [] };
    const ids = group.ids.length < mostIds ? [...group.ids, first.trial.caseId] : group.ids;
    groups.set(`${passed}/${measured}`, { ...group, cases: group.cases + 1, ids });
  };

  return {
    add: (outcome: Outcome): void => {
      if (outcome.trial.caseId !== current?.first.trial.caseId) flush();
      current ??= { first: outcome, results: [] };
      current.results.push(attemptResult(outcome));
    },
    /** Returns the reliability; to be called once, after the last outcome. */
    summarize: (): Reliability => {
      flush();
      return {
        attempts,
        ...(rule !== undefined && { rule: rule.summarize() }),
        levels: levels.summarize(),
        groups: [...groups.values()].toSorted(flakyFirst),
        unmeasured: unmeasured + Math.max(0, cases - seen),
      };
    },
  };
}

/**
 * Creates a function that selects the attempts that count for a rate: those up to the one that settled the case, or
 * those that are made at every case.
 */
function createCounting(plan: AttemptPlan): (results: (boolean | null)[]) => (boolean | null)[] {
  const rule = curtailingRule(plan);
  if (rule === undefined) return (results) => results;
  if (plan.rescoredFrom !== undefined) return (results) => results.slice(0, certainAttempts(rule));
  return (results) => results.slice(0, settleAttempts({ ...rule, results }).used);
}

function count(results: readonly (boolean | null)[]): { readonly n: number; readonly c: number } {
  const measured = results.filter((result) => result !== null);
  return { n: measured.length, c: measured.filter(Boolean).length };
}

function flakyFirst(one: ReliabilityGroup, other: ReliabilityGroup): number {
  const share = ({ passed, measured }: ReliabilityGroup) => passed / measured;
  const rank = ({ passed, measured }: ReliabilityGroup) => (passed === 0 ? 1 : passed < measured ? 0 : 2);
  return rank(one) - rank(other) || share(other) - share(one) || other.measured - one.measured;
}

/** Number of attempts at a case that were measured, passed, and were not needed. */
interface CaseCounts {
  readonly measured: number;
  readonly passed: number;
  readonly notNeeded: number;
}

/**
 * Creates a tally of the verdicts on cases under a case rule. The verdict on a case is one observation, so their
 * share is a proportion.
 * @param plan - Number of attempts planned for each case, and of cases.
 */
function createCaseRuleTally(
  rule: CaseRule,
  { attempts, cases }: { readonly attempts: number; readonly cases: number },
  clusters: ClusterNumbers,
) {
  const counts = { passed: 0, failed: 0, undecided: 0 };
  const share = createShareTally(1, clusters);
  let [notNeeded, seen] = [0, 0];
  const verdictOf = ({ measured, passed }: Pick<CaseCounts, 'measured' | 'passed'>): CaseVerdict =>
    verdictOnCase(rule, { planned: attempts, measured, passed });
  return {
    verdictOf,
    add: (of: OfCase, attemptCounts: CaseCounts): void => {
      const verdict = verdictOf(attemptCounts);
      seen += 1;
      counts[verdict] += 1;
      notNeeded += attemptCounts.notNeeded;
      if (verdict !== 'undecided') share.add(of, verdict === 'passed');
    },
    /** Returns the counts; to be called once, after the last case. */
    summarize: (): CaseRuleSummary => ({
      ...rule,
      ...counts,
      undecided: counts.undecided + Math.max(0, cases - seen),
      share: share.estimate(),
      notNeeded,
    }),
  };
}

/** A case as means count it: the number of its cluster, and its weight. */
interface CaseInMean {
  readonly cluster: number | undefined;
  readonly weight: number | undefined;
}

const mostLevels = 10;

/**
 * Creates the tallies of pass@k and pass^k for every k: means over cases, excluding cases with too few attempts.
 * @param rule - The rule by which attempts stopped; undefined when they did not.
 */
function createLevelsTally(attempts: number, rule: AttemptRule | undefined) {
  const levels = levelsUpTo(attempts).map((k) => createLevel(k, rule));
  return {
    add: (counts: AttemptCounts, ofCase: CaseInMean): void => {
      for (const level of levels) level.add(counts, ofCase);
    },
    summarize: (): Reliability['levels'] => levels.map((level) => level.summarize()),
  };
}

/** Returns every k if there are few; otherwise powers of two and the largest. */
function levelsUpTo(attempts: number): number[] {
  if (attempts <= mostLevels) return Array.from({ length: attempts }, (_, index) => index + 1);
  const powers = Array.from({ length: Math.ceil(Math.log2(attempts)) }, (_, power) => 2 ** power);
  return [...powers, attempts];
}

function createLevel(k: number, rule: AttemptRule | undefined) {
  const any = createMeanOfCases((counts) =>
    rule === undefined
      ? passAtK({ counts: [counts], k })
      : curtailedPassAtK({ ...rule, counts: [counts], k }),
  );
  const all = createMeanOfCases((counts) =>
    rule === undefined
      ? passHatK({ counts: [counts], k })
      : curtailedPassHatK({ ...rule, counts: [counts], k }),
  );
  return {
    add: (counts: AttemptCounts, ofCase: CaseInMean): void => {
      any.add(counts, ofCase);
      all.add(counts, ofCase);
    },
    summarize: (): Reliability['levels'][number] => ({ k, any: any.estimate(), all: all.estimate() }),
  };
}

function createMeanOfCases(ofCase: (counts: AttemptCounts) => PassEstimate) {
  const means = createBoundedMeans();
  const known = new Map<string, PassEstimate>();
  return {
    add: (counts: AttemptCounts, { cluster, weight }: CaseInMean): void => {
      const key = `${counts.c}/${counts.n}`;
      const found = known.get(key) ?? ofCase(counts);
      known.set(key, found);
      if (found.estimate !== null) means.add(found.estimate, cluster, weight);
    },
    estimate: () => {
      const estimate = estimateLevel(means);
      const [reason] = Array.from(known.values(), (one) =>
        one.status === 'undefined' ? one.reason : undefined,
      );
      return estimate.value === null && reason !== undefined ? { ...estimate, reason } : estimate;
    },
  };
}

/** Estimates a mean of pass@k over cases: as a share, or by Gaffke's bounds where cases have different weights. */
function estimateLevel({ current, interval }: BoundedMeans): Estimate {
  const moments = current();
  if (moments.effectiveCases === undefined) return estimateShare(moments);
  return estimateMean({ moments: () => moments, interval, truths: () => undefined });
}
