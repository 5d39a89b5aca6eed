import type { CaseRule } from '../../schema/case-rule.ts';
import type { Reliability, ReliabilityGroup } from '../../schema/reliability.ts';
import type { Outcome } from '../../schema/result.ts';
import { settleAttempts } from '../../stats/repeats/settle-attempts.ts';
import { type ClusterNumbers, createClusterNumbers } from './cluster-numbers.ts';
import { attemptResult } from '../attempts/attempt-result.ts';
import { certainAttempts, curtailingRule } from '../attempts/attempt-rule.ts';
import { createCaseRuleTally } from './tally-case-rule.ts';
import { createLevelsTally } from './tally-levels.ts';

const mostIds = 50;

/** The attempts of one case. */
interface Attempts {
  readonly first: Outcome;
  readonly results: (boolean | null)[];
}

/** What the attempts of a run have in common. */
export interface AttemptPlan {
  /** Planned for each case, at least 2. */
  readonly attempts: number;
  /** Planned. */
  readonly cases: number;
  readonly caseRule?: CaseRule | undefined;
  /** Present where other rules than those of the run stopped the attempts. */
  readonly rescoredFrom?: string | undefined;
}

/** Counts which cases pass on every attempt, on some or on none. The outcomes of a case come one after the other. */
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
    levels.add(count(countedIn(results)), clusters.of(first.case.cluster));
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
    /** To be asked for once, after the last outcome. */
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

/** Which attempts at a case count for a rate: up to the one that settled it; or those that are made at every case. */
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
