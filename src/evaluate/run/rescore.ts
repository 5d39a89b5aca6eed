import { requireWhole } from '../../decide/analysis/summary/check-totals.ts';
import { checkWeights } from '../../decide/analysis/summary/categories.ts';
import { portableGate } from '../../decide/gate/baselines.ts';
import { noticeExpectations } from '../../decide/gate/unread-expectations.ts';
import { takeUntilAborted } from '../../core/lib/waiting.ts';
import type { Run } from '../../core/schema/run.ts';
import type { CasedTrial, ScoredTrial } from '../../core/schema/result.ts';
import { readUnscored } from './batches/read-unscored.ts';
import { createRunBatches } from './batches/run-batches.ts';
import { beginWaitingReport } from './fleet/waiting-report.ts';
import { openParticipants } from './participants.ts';
import { beginRun, createClaimedRun, type ScoringRules } from './prepare/begin-run.ts';
import type { RunNeeds } from './run-needs.ts';
import { blobReaderOf } from '../../stores/blobs/blob-store.ts';
import { createJudgementCache } from './scoring/judgement-cache.ts';
import { score } from './scoring/score.ts';
import { finishRun, summarizeRun } from './summarize.ts';

/**
 * Scores the stored trials of a run by other rules, as a run of its own that shares them. No target is called, and a
 * judge is asked only questions that it was not asked before. Returns the new run as it is stored, with its summary.
 * Throws the errors of `requireWhole`.
 */
export async function rescore(source: Run, rules: ScoringRules, needs: RunNeeds): Promise<Run> {
  const { store, observer, signals } = needs;
  await requireWhole(source, store);
  checkWeights(rules.weights, source.dataset.categories ?? []);
  await using _participants = await openParticipants({ targets: [], ...rules });
  const run: Run = {
    ...beginRun(
      { ...source, ...ruleOf(source, rules), rescoredFrom: source.id, label: { tags: source.tags } },
      { ...rules, gate: portableGate(rules.gate, store) },
    ),
    status: 'running',
  };
  // Claimed, so that it is not deleted while scores are added to it.
  await using _claim = await createClaimedRun(run, store, { trialsOf: source.id });
  for (const message of noticeExpectations(run, rules.caseChecks)) observer.onNotice?.({ message });
  observer.onPlanned?.(run);
  await using waiting = beginWaitingReport(run.id, { store, readRefused: rules.readRefused });
  const batches = createRunBatches(run.id, rules, {
    ...needs,
    pace: needs.batchPace,
    onNotice: (message) => observer.onNotice?.({ message }),
    onBatches: (live) => {
      waiting.setBatches(live);
      observer.onWaiting?.(live.length === 0 ? undefined : { judging: 0, refused: [], batches: [...live] });
    },
  });
  const judgements = createJudgementCache(run.id, {
    store,
    reuses: rules.reusesJudgements,
    onNotice: (notice) => observer.onNotice?.(notice),
    onKept: (kept) => observer.onJudged?.(kept),
    batched: batches?.desk,
  });
  const readAccounts = rules.watchAccounts?.() ?? (() => []);
  const onJudging = (change: number) => {
    waiting.countJudging(change);
    observer.onJudging?.(change);
  };
  const readBlob = blobReaderOf(store);
  const scoring = { ...needs, judgements, onJudging, onPending: batches?.onPending, readBlob };
  const scoreAll = (stored: AsyncIterable<readonly CasedTrial[]> = store.readTrials(source.id)) => {
    const trials = takeUntilAborted(stored, signals.stop);
    return storeAll(score(trials, rules, scoring), run.id, needs);
  };
  // Scores without judges come in the order of the plan, and need not be read again.
  if (rules.metrics.every(({ metric }) => metric.concurrency === undefined)) {
    const summary = await summarizeRun(run, store, scoreAll());
    // A stopped run may have more in the store than was yielded, so its numbers are read from the store.
    return await finishRun(run, store, signals.stop.aborted ? undefined : summary);
  }
  for await (const _scored of scoreAll());
  const pending = await batches?.finish(async () => {
    for await (const _scored of scoreAll(readUnscored(run, store)));
  });
  const accounts = [...readAccounts()];
  const ended = { ...(accounts.length > 0 && { accounts }), ...(pending && { stops: [pending] }) };
  return await finishRun({ ...run, ...ended }, store);
}

/** Stores scores as they come, and yields them. */
async function* storeAll(
  scores: AsyncIterable<ScoredTrial[]>,
  runId: string,
  { store, observer }: Pick<RunNeeds, 'store' | 'observer'>,
): AsyncGenerator<ScoredTrial[]> {
  for await (const scored of scores) {
    await store.addScores(runId, scored);
    observer.onScored?.(scored);
    yield scored;
  }
}

/**
 * Returns the case rule of the new run. A rule that has stopped attempts stays; otherwise the given rule applies if the
 * run has enough attempts for it.
 */
function ruleOf({ caseRule, attempts }: Run, rules: ScoringRules): Pick<Run, 'caseRule'> {
  if (caseRule?.isCurtailed === true || rules.caseRule === undefined) return { caseRule };
  const isSuited = rules.caseRule.passes <= attempts;
  return { caseRule: isSuited ? { ...rules.caseRule, isCurtailed: false } : undefined };
}
