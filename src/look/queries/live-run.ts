import { readWorkers } from '../../evaluate/run/fleet/heartbeat.ts';
import { readWaiting } from '../../evaluate/run/fleet/waiting-report.ts';
import { createSpendingTally } from '../../evaluate/run/limits/budget.ts';
import { isPreference } from '../../core/schema/judgement.ts';
import type { LiveRun } from '../../core/schema/api/live-run.ts';
import type { RunState } from '../../core/schema/api/run-row.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { createProgressTally } from './progress-tally.ts';

/** The part of a live run that only its trials and judgements show. */
type Findings = Pick<LiveRun, 'errors' | 'scores' | 'spent'>;

/** Reads a run under way, time after time. */
export interface LiveRunReader {
  /** Returns the run, which is in this state, as it is now. */
  read(run: Run, state: RunState): Promise<LiveRun>;
}

/** The share of the time that may be spent on counting the trials of a run, and on reading them again. */
const readingShare = 0.1;
/** The time over which the rate of a run is measured, in milliseconds. */
const rateWindowMs = 30_000;

/**
 * Creates a reader of one run that another process works on. The counts come from the store. Errors,
 * scores and costs are computed from all trials, as in the terminal. The longer either takes, the less often it is done.
 */
export function createLiveRunReader(store: Store): LiveRunReader {
  const samples: { readonly atMs: number; readonly done: number }[] = [];
  let findings: Findings | undefined;
  let dueMs = 0;
  let counted: { readonly done: number; readonly dueMs: number } | undefined;
  const count = async (run: Run): Promise<number> => {
    const atMs = performance.now();
    if (counted !== undefined && atMs < counted.dueMs) return counted.done;
    const { done } = await store.countProgress(run.id);
    const endMs = performance.now();
    counted = { done, dueMs: endMs + (endMs - atMs) / readingShare };
    samples.push({ atMs: endMs, done });
    return done;
  };
  return {
    read: async (run, state) => {
      const done = await count(run);
      const startMs = performance.now();
      if (findings === undefined || startMs >= dueMs) {
        findings = await readFindings(run, store);
        const endMs = performance.now();
        dueMs = endMs + (endMs - startMs) / readingShare;
      }
      while (samples.length > 2 && startMs - (samples[0]?.atMs ?? 0) > rateWindowMs) samples.shift();
      const planned = run.dataset.cases * run.targets.length * run.attempts;
      const { maxCost } = run.settings;
      const workers = await readWorkers(run.id, store);
      const waiting = await readWaiting(run.id, store);
      return {
        run: run.id,
        state,
        continues: run.continues,
        done,
        planned,
        ...paceOf(samples, planned),
        ...findings,
        ...(maxCost !== undefined && { maxCost }),
        ...(workers.length > 0 && { workers }),
        ...(waiting && { waiting }),
      };
    },
  };
}

/** Returns the rate between the first and the last sample, and the time that the rest takes at this rate. */
function paceOf(
  samples: readonly { readonly atMs: number; readonly done: number }[],
  planned: number,
): Pick<LiveRun, 'rate' | 'timeLeftMs'> {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.atMs <= first.atMs) {
    return { rate: null, timeLeftMs: null };
  }
  const rate = Math.max(0, last.done - first.done) / ((last.atMs - first.atMs) / 1000);
  return { rate, timeLeftMs: rate === 0 ? null : (Math.max(0, planned - last.done) / rate) * 1000 };
}

async function readFindings(run: Run, store: Store): Promise<Findings> {
  const tally = createProgressTally();
  const spending = createSpendingTally();
  tally.begin(run);
  for await (const outcomes of store.readOutcomes(run.id)) {
    tally.add(outcomes);
    for (const { trial } of outcomes) spending.addTrial(trial);
  }
  for await (const judgement of store.readJudgements(run.id)) {
    if (judgement.askedIn === run.id && !isPreference(judgement)) spending.addJudgements([judgement]);
  }
  const { errors, scores } = tally.read();
  const { targets, judges, users } = spending.read();
  return {
    errors: Array.from(errors, ([code, trials]) => ({ code, trials })).toSorted(
      (a, b) => b.trials - a.trials,
    ),
    scores: scores.map(({ target, interval: { estimate, lower, upper } }) => ({
      target,
      estimate,
      lower: lower === null ? null : Math.max(0, lower),
      upper: upper === null ? null : Math.min(1, upper),
    })),
    spent: targets + judges + users,
  };
}
