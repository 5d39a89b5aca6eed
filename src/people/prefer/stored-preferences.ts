import { requireWhole } from '../../decide/analysis/summary/check-totals.ts';
import type { JudgementCache } from '../../evaluate/judges/judge.ts';
import { createStoredJudge } from '../../evaluate/judges/stored-judge.ts';
import type {
  AnswerPreference,
  PreferenceOutcome,
  PreferenceReport,
  PreferenceRuleRecord,
} from '../../core/schema/api/preference/report.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { askPreference, type PreferenceRule } from './ask-preference.ts';
import { buildPreferenceReport } from './build-report.ts';
import type { Contestant } from './compared-targets.ts';
import { type AnswerOf, type PairOfAnswers, planComparison } from './read-pairs.ts';

/**
 * Yields the reports of the comparisons of answers whose judgements are stored with a run, from the store alone: no judge
 * is configured or asked. Pairs without a stored judgement are not measured. A comparison with a run that was deleted is
 * ignored. Throws the errors of `requireWhole`.
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
    const runRecord = await store.readRun(target.run);
    if (runRecord === undefined) return undefined;
    contestants.push({ ...target, runRecord });
  }
  const runs = new Map(contestants.map(({ runRecord }) => [runRecord.id, runRecord]));
  for (const run of runs.values()) await requireWhole(run, store);
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
    const preference = await findPreference(pair, { ...rule, judge }, store);
    if (preference === undefined) isComplete = false;
    else preferences.push(preference);
  }
  const judging = { calls: 0, judgements: 0, cost: 0 };
  return buildPreferenceReport(rule, { plan, contestants, preferences, judging, isStopped: !isComplete });
}

/** Returns a preference from its stored judgements; undefined when one is missing. */
async function findPreference(
  pair: PairOfAnswers,
  rule: PreferenceRule,
  store: Store,
): Promise<AnswerPreference | undefined> {
  let isFound = true;
  const onNotAsked = () => {
    isFound = false;
  };
  const context = { signal: never, judgements: readOnly(store), onNotAsked };
  const preference = await askPreference(pair, rule, context);
  return isFound ? preference : undefined;
}

const never = new AbortController().signal;

/** Creates a cache that finds judgements and stores none. */
function readOnly(store: Store): JudgementCache {
  return {
    findOrAsk: async (key, ask) => (await store.findJudgement(key)) ?? (await ask()),
    keep: () => Promise.reject(new Error('a judge without calls has nothing to keep')),
  };
}

/** The answer of a target to a case, with its run. */
export interface StoredAnswer {
  readonly run: string;
  readonly result: Result;
}

/**
 * Reads what a judge said of two answers to the same case, from its stored judgements, with the first of them as A. Returns undefined
 * when the comparison was not about their targets, or a judgement is missing.
 */
export async function readStoredPreference(
  rule: PreferenceRuleRecord,
  store: Store,
  { a, b }: { readonly a: StoredAnswer; readonly b: StoredAnswer },
): Promise<PreferenceOutcome | undefined> {
  const placeOf = ({ run, result }: StoredAnswer) =>
    rule.targets.findIndex((each) => each.run === run && each.target === result.trial.target);
  const [placeA, placeB] = [placeOf(a), placeOf(b)];
  if (placeA < 0 || placeB < 0) return undefined;
  const answerOf = async ({ run, result }: StoredAnswer, place: number): Promise<AnswerOf | undefined> => {
    const runRecord = await store.readRun(run);
    const target = rule.targets[place];
    return runRecord && target && { contestant: { ...target, runRecord }, trial: result.trial };
  };
  const isSwapped = placeA > placeB;
  const [one, other] = [await answerOf(a, placeA), await answerOf(b, placeB)];
  if (one === undefined || other === undefined) return undefined;
  const { case: testCase, trial } = a.result;
  const pair = {
    case: testCase,
    caseHash: trial.caseHash,
    attempt: trial.attempt,
    // The questions were asked with the targets in the order of the rule.
    ...(isSwapped ? { a: other, b: one } : { a: one, b: other }),
  };
  const found = await findPreference(pair, { ...rule, judge: createStoredJudge(rule.judge) }, store);
  if (found === undefined) return undefined;
  return isSwapped ? swapOutcome(found.outcome) : found.outcome;
}

/** Returns an outcome with A and B exchanged. */
export function swapOutcome(outcome: PreferenceOutcome): PreferenceOutcome {
  if (outcome.status !== 'decided' || outcome.winner === 'tie') return outcome;
  return { ...outcome, winner: outcome.winner === 'a' ? 'b' : 'a' };
}
