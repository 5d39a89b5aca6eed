import { requireWhole } from '../../decide/analysis/summary/check-totals.ts';
import type { Executor } from '../../evaluate/executors/executor.ts';
import type { JudgeContext } from '../../evaluate/judges/judge.ts';
import { recordJudge } from '../../evaluate/judges/stored-judge.ts';
import { canonicalJson } from '../../core/lib/content-hash.ts';
import { createJudgingTally } from '../../evaluate/run/limits/judging-tally.ts';
import type { StopSignals } from '../../evaluate/run/limits/run-control.ts';
import { blobReaderOf } from '../../stores/blobs/blob-store.ts';
import { createJudgementCache } from '../../evaluate/run/scoring/judgement-cache.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import type {
  AnswerPreference,
  PreferenceReport,
  PreferenceRuleRecord,
} from '../../core/schema/api/preference/report.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { askPreference, type PreferenceRule } from './ask-preference.ts';
import { buildPreferenceReport } from './build-report.ts';
import { type Contestant, newestOf, pickContestants } from './compared-targets.ts';
import { planComparison } from './read-pairs.ts';

/** The rule of a comparison, with its limits. */
export interface PreferenceRules extends PreferenceRule {
  /** True when judgements count that other runs paid for; judgements of the newest run always count. */
  readonly reusesJudgements: boolean;
  /** True when the judge gets no pictures and other files. */
  readonly hidesFiles?: boolean;
  /** The cost in US dollars after which nothing more is asked. */
  readonly maxCost?: number;
  /** The names of the targets to compare; all by default. */
  readonly targets?: readonly string[];
}

/** Callbacks on the progress of a comparison. Judgements are on disk before a callback is called. */
export interface PreferenceObserver {
  onNotice?(notice: { readonly message: string }): void;
  /** Nothing has been asked yet. */
  onPlanned?(pairs: number, targets: readonly Contestant[]): void;
  onJudged?(judgements: readonly Judgement[]): void;
  /** Pairs have a verdict, or the reason for having none. */
  onCompared?(pairs: number): void;
}

/** The surroundings of a comparison. */
export interface PreferenceNeeds {
  readonly store: Store;
  readonly executor: Executor;
  readonly observer: PreferenceObserver;
  readonly signals: StopSignals;
}

/**
 * Compares the answers of every two targets of stored runs by a judge, case by case and attempt by attempt. No target is
 * called. Every judgement is stored as soon as it is given, under the newest of the runs; a repeated command finds it and
 * asks only what is missing.
 *
 * Throws `usage-invalid` for fewer than two targets, `run-in-progress` while another process works on the newest run, and
 * the errors of `requireWhole`.
 */
export async function preferRuns(
  runs: readonly Run[],
  rules: PreferenceRules,
  needs: PreferenceNeeds,
): Promise<PreferenceReport> {
  const { store, observer } = needs;
  for (const run of runs) await requireWhole(run, store);
  const contestants = pickContestants(runs, rules.targets);
  const payer = newestOf(contestants);
  // Claimed, so that it is not deleted meanwhile, and other processes wait for the questions that are being asked.
  await using _claim = await store.claimRun(payer.id);
  const plan = await planComparison(contestants, store);
  observer.onPlanned?.(
    plan.planned.reduce((sum, { pairs }) => sum + pairs, 0),
    contestants,
  );
  await rules.judge.open?.();
  try {
    await keepRule(ruleRecordOf(rules, contestants), payer.id, store);
    const asked = await askAll(plan.read(), { rules, needs, payer });
    return buildPreferenceReport(ruleRecordOf(rules, contestants), { plan, contestants, ...asked });
  } finally {
    await rules.judge.close?.();
  }
}

/** Returns the record of a comparison, by which its judgements are found again. */
function ruleRecordOf(
  { judge, criterion, order, seed }: PreferenceRules,
  contestants: readonly Contestant[],
): PreferenceRuleRecord {
  const targets = contestants.map(({ name, run, target }) => ({ name, run, target }));
  return { criterion, order, seed, judge: recordJudge(judge), targets };
}

/** Adds a comparison to the record of a run, before anything is asked, unless it is there. */
async function keepRule(rule: PreferenceRuleRecord, runId: string, store: Store): Promise<void> {
  const run = await store.readRun(runId);
  if (run === undefined) return;
  const { preferences = [] } = run;
  const key = canonicalJson(rule);
  if (preferences.some((other) => canonicalJson(other) === key)) return;
  await store.updateRun({ ...run, preferences: [...preferences, rule] });
}

type Asked = Pick<PreferenceReport, 'judging' | 'isStopped' | 'preferences'>;

type Asking = { readonly rules: PreferenceRules; readonly needs: PreferenceNeeds; readonly payer: Run };

/** Asks all pairs, as many at a time as the judge accepts, until the command is stopped or its money is spent. */
async function askAll(
  pairs: ReturnType<Awaited<ReturnType<typeof planComparison>>['read']>,
  { rules, needs, payer }: Asking,
): Promise<Asked> {
  const { store, executor, observer, signals } = needs;
  const spending = createJudgingTally();
  const limit = new AbortController();
  const judgements = createJudgementCache(payer.id, {
    store,
    reuses: rules.reusesJudgements,
    onNotice: (notice) => observer.onNotice?.(notice),
    onKept: (kept) => {
      spending.add(kept);
      observer.onJudged?.(kept);
      if (spending.spent() >= (rules.maxCost ?? Infinity)) limit.abort();
    },
  });
  const stop = AbortSignal.any([signals.stop, limit.signal]);
  const preferences: AnswerPreference[] = [];
  const work = async (pair: Parameters<typeof askPreference>[0]): Promise<AnswerPreference | undefined> => {
    let isAsked = true;
    const context: JudgeContext = {
      signal: signals.abort,
      ...(rules.hidesFiles !== true && { readBlob: blobReaderOf(store) }),
      stop,
      judgements,
      onNotAsked: () => {
        isAsked = false;
      },
    };
    try {
      const preference = await askPreference(pair, rules, context);
      return isAsked ? preference : undefined;
    } catch (error) {
      if (signals.abort.aborted) return undefined;
      throw error;
    }
  };
  for await (const group of executor.execute(pairs, work, { concurrency: rules.judge.concurrency, stop })) {
    const done = group.filter((preference) => preference !== undefined);
    preferences.push(...done);
    observer.onCompared?.(done.length);
  }
  return { preferences, isStopped: stop.aborted, judging: spending.summarize() };
}
