import { requireWhole } from '../analysis/summary/check-totals.ts';
import type { JudgementCache } from '../judges/judge.ts';
import { createStoredJudge } from '../judges/stored-judge.ts';
import type {
  AnswerPreference,
  PreferenceReport,
  PreferenceRuleRecord,
} from '../schema/api/preference-report.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { askPreference } from './ask-preference.ts';
import { buildPreferenceReport } from './build-report.ts';
import type { Contestant } from './compared-targets.ts';
import { planComparison } from './read-pairs.ts';

/**
 * Yields the reports of the comparisons of answers whose judgements are stored with a run, from the store alone: no judge
 * is configured or asked. Pairs without a stored judgement are not measured. A comparison with a run that was deleted is
 * left out. Throws the errors of `requireWhole`.
 */
export async function* readStoredPreferences(
  { preferences = [] }: Pick<Run, 'preferences'>,
  store: Store,
): AsyncGenerator<PreferenceReport> {
  for (const rule of preferences) {
    const contestants = await findContestants(rule, store);
    if (contestants !== undefined) yield await readReport(rule, contestants, store);
  }
}

/** Returns the targets of a comparison with their runs, or undefined when one of the runs is not stored. */
async function findContestants(
  { targets }: PreferenceRuleRecord,
  store: Store,
): Promise<Contestant[] | undefined> {
  const contestants: Contestant[] = [];
  for (const target of targets) {
    const of = await store.readRun(target.run);
    if (of === undefined) return undefined;
    contestants.push({ ...target, of });
  }
  for (const of of new Set(contestants.map((contestant) => contestant.of))) await requireWhole(of, store);
  return contestants;
}

async function readReport(
  rule: PreferenceRuleRecord,
  contestants: readonly Contestant[],
  store: Store,
): Promise<PreferenceReport> {
  const plan = await planComparison(contestants, store);
  const judge = createStoredJudge(rule.judge);
  const preferences: AnswerPreference[] = [];
  let isComplete = true;
  for await (const pair of plan.read()) {
    let isFound = true;
    const onNotAsked = () => {
      isFound = false;
    };
    const context = { signal: never, judgements: readOnly(store), onNotAsked };
    const preference = await askPreference(pair, { ...rule, judge }, context);
    if (isFound) preferences.push(preference);
    else isComplete = false;
  }
  const judging = { calls: 0, judgements: 0, cost: 0 };
  return buildPreferenceReport(rule, { plan, contestants, preferences, judging, isStopped: !isComplete });
}

const never = new AbortController().signal;

/** Creates a cache that finds judgements and stores none. */
function readOnly(store: Store): JudgementCache {
  return {
    findOrAsk: async (key, ask) => (await store.findJudgement(key)) ?? (await ask()),
    keep: () => Promise.reject(new Error('a judge without calls has nothing to keep')),
  };
}
