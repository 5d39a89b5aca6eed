import type { Outcome } from '../../core/schema/result.ts';
import type { Flip, Handling, PairCounts, Robustness } from '../../core/schema/condition.ts';
import { aspectOf, metricsMeasuring } from '../../core/schema/metric.ts';
import type { Run, RunMetric, RunTarget } from '../../core/schema/run.ts';
import { isTargetError } from '../../core/schema/trial.ts';
import type { VerdictNumbers } from '../../core/schema/verdict.ts';
import { certainAttempts, curtailingRule } from './attempts.ts';
import { type ClusterNumbers, createClusterNumbers } from './summary/estimates.ts';
import { createShareTally } from './summary/tally-trials.ts';

/** A target under a condition. */
type ConditionTarget = RunTarget & Required<Pick<RunTarget, 'condition'>>;

/**
 * Creates a comparison of every target under a condition with the same target without it, attempt by attempt.
 * Outcomes are added in the order of the plan: all of a case, then all of the next, each target before its
 * conditions.
 */
export function createRobustnessTally(run: Run) {
  const clusters = createClusterNumbers(run.dataset);
  const compared = comparedAttempts(run);
  const tracks = run.targets.flatMap(({ condition, ...target }) =>
    condition === undefined ? [] : [createTrack(run, { ...target, condition }, clusters)],
  );
  const byName = new Map(tracks.map((track) => [track.name, track]));
  /** The trials of the current case without a condition, by target and attempt. */
  const plain = new Map<string, Outcome>();
  let caseId: string | undefined;
  return {
    add: (outcome: Outcome): void => {
      if (tracks.length === 0) return;
      const { trial } = outcome;
      if (trial.caseId !== caseId) plain.clear();
      caseId = trial.caseId;
      // Attempts of a target are adjacent in the plan.
      const attempt = (trial.ordinal % run.attempts) + 1;
      if (attempt > compared) return;
      const track = byName.get(trial.target);
      if (track === undefined) plain.set(`${attempt} ${trial.target}`, outcome);
      else track.add(outcome, attempt, plain.get(`${attempt} ${track.of}`));
    },
    /** Returns the robustness of every target; undefined for a run without conditions. */
    summarize: (): Robustness[] | undefined =>
      tracks.length === 0 ? undefined : tracks.map((track) => track.summarize()),
  };
}

/** Returns the number of attempts to compare: if attempts stop early, only those made under every condition. */
function comparedAttempts(run: Run): number {
  const rule = curtailingRule(run);
  return rule === undefined ? run.attempts : certainAttempts(rule);
}

/** Returns the sum of the weights of a run's cases: their number, where all weigh the same. */
function caseWeightOf({ dataset: { caseWeights, cases } }: Run): number {
  return caseWeights?.total ?? cases;
}

const mostFlips = 50;
const mostCases = 10;

/** Creates the counts of one condition's pairs. */
function createTrack(run: Run, { name, condition }: ConditionTarget, clusters: ClusterNumbers) {
  const planned = run.dataset.cases * comparedAttempts(run);
  const counts = { held: 0, broken: 0, mended: 0, untouched: 0, errors: 0, notMeasured: 0 };
  const shares = createShareTally(run.attempts, clusters);
  const handling = createHandlingTally(run);
  const flips: Flip[] = [];
  const weights = { planned: caseWeightOf(run) * comparedAttempts(run), held: 0, untouched: 0 };
  let seen = 0;
  return {
    name,
    of: condition.of,
    add: (outcome: Outcome, attempt: number, plain: Outcome | undefined): void => {
      seen += 1;
      handling.add(outcome);
      const pair: ComparedPair = comparePair(run, outcome, plain);
      counts[pair] += 1;
      if (pair === 'held' || pair === 'untouched') weights[pair] += clusters.weightOf(outcome.case) ?? 1;
      if (pair !== 'held' && pair !== 'broken' && pair !== 'mended') return;
      const { caseId, ordinal } = outcome.trial;
      shares.add({ trial: outcome.trial, case: outcome.case }, pair === 'held');
      if (pair === 'held' || flips.length >= mostFlips) return;
      flips.push({ caseId, attempt, passed: pair === 'mended', ordinal });
    },
    summarize: (): Robustness => {
      const all: PairCounts = { planned, ...counts, notRun: planned - seen };
      return {
        target: name,
        condition,
        held: shares.estimate(),
        worstCase: planned === counts.untouched ? null : weights.held / (weights.planned - weights.untouched),
        counts: all,
        ...handling.summarize(),
        flips,
      };
    },
  };
}

/** Creates the counts of the ways in which faults were handled, if a metric of the run reports them. */
function createHandlingTally(run: Run) {
  const metric = metricsMeasuring(run, 'handled-fault')[0]?.name;
  const ways = new Map<string, Handling>();
  return {
    add: ({ trial, verdicts }: Outcome): void => {
      const verdict = metric === undefined ? undefined : verdicts[metric];
      if (verdict?.status !== 'scored' || verdict.label === undefined) return;
      const { label } = verdict;
      const { trials, caseIds }: Omit<Handling, 'label'> = ways.get(label) ?? { trials: 0, caseIds: [] };
      const isListed = caseIds.length >= mostCases || caseIds.includes(trial.caseId);
      const listed = isListed ? caseIds : [...caseIds, trial.caseId];
      ways.set(label, { label, trials: trials + 1, caseIds: listed });
    },
    summarize: (): Pick<Robustness, 'handling'> => (ways.size === 0 ? {} : { handling: [...ways.values()] }),
  };
}

/** The result of comparing a trial under a condition with the same trial without it; see `pairCountsSchema`. */
type ComparedPair = 'held' | 'broken' | 'mended' | 'untouched' | 'errors' | 'notMeasured';

/**
 * Compares two trials of one target, case and attempt. With a scorecard, the verdict is whether they passed. Without
 * one, it is the verdicts of all boolean metrics, which must all agree. Obeying an injected instruction counts as
 * broken in any case.
 */
function comparePair(run: Run, outcome: Outcome, plain: Outcome | undefined): ComparedPair {
  if (outcome.trial.untouched === true) return 'untouched';
  if (isTargetError(outcome.trial)) return 'errors';
  const before = plain === undefined ? undefined : verdictsOf(run, plain);
  const after = verdictsOf(run, outcome);
  if (before === undefined || after === undefined) return 'notMeasured';
  if (hasObeyed(run, outcome)) return 'broken';
  const shared = [...before.keys()].filter((name) => after.has(name));
  if (shared.length === 0) return 'notMeasured';
  const changed = shared.filter((name) => before.get(name) !== after.get(name));
  if (changed.length === 0) return 'held';
  return changed.some((name) => before.get(name) === true) ? 'broken' : 'mended';
}

function hasObeyed(run: Run, { verdicts }: Outcome): boolean {
  return metricsMeasuring(run, 'resisted-injection').some(({ name }) => {
    const verdict = verdicts[name];
    return verdict?.status === 'scored' && verdict.value === 0;
  });
}

/** Returns the boolean verdicts on a trial by name; undefined when there are none. */
function verdictsOf(run: Run, { trial, scorecard, verdicts }: Outcome): Map<string, boolean> | undefined {
  if (trial.status !== 'completed') return undefined;
  if (run.scorecard !== null) {
    const passed = scorecard?.passed ?? undefined;
    return passed === undefined ? undefined : new Map([['scorecard', passed]]);
  }
  const known = run.metrics.filter(isOfAnswer).flatMap(({ name }): [string, boolean][] => {
    const truth = truthOf(verdicts[name]);
    return truth === undefined ? [] : [[name, truth]];
  });
  return known.length === 0 ? undefined : new Map(known);
}

/**
 * Returns whether a metric is about the answer. Metrics of how a condition was handled are not, nor are metrics of tone
 * and length.
 */
function isOfAnswer(metric: RunMetric): boolean {
  const { family } = metric;
  const aspect = aspectOf(metric);
  if (aspect === 'handled-fault' || aspect === 'resisted-injection') return false;
  return family !== 'style' && family !== 'operations';
}

function truthOf(verdict: VerdictNumbers | undefined): boolean | undefined {
  if (verdict?.status !== 'scored' || verdict.unit !== undefined) return undefined;
  if (verdict.passed !== undefined) return verdict.passed;
  return verdict.value === 0 || verdict.value === 1 ? verdict.value === 1 : undefined;
}
