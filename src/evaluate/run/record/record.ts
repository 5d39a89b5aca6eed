import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { sumRewritings } from '../../../core/schema/trial.ts';
import type { CasedTrial, ScoredTrial } from '../../../core/schema/result.ts';
import { sumKnown, sumUsage } from '../../../core/schema/usage.ts';
import type { Store, TrialWriting } from '../../../stores/store.ts';
import type { PartialReply } from '../../targets/target.ts';

/**
 * A function that stores a trial, and resolves with it once it is on disk; with undefined when another process had stored an
 * answer to it before.
 */
export type Recorder = (trial: CasedTrial) => Promise<CasedTrial | undefined>;

/** Trials that come at about the same time are stored together: within this share of the time of an answer, and so many milliseconds. */
const [gatheringShare, longestGatheringMs] = [0.04, 5];

/**
 * Creates the recorder of a run. Trials that come at about the same time are stored in one write, and those who made them go on
 * together. They wait until their trial is stored before they make the next, so that a crash loses only the trials that were being
 * made.
 */
export function createRecorder(
  runId: string,
  store: Pick<Store, 'addTrials'>,
  writing: TrialWriting = {},
): Recorder {
  let waiting: CasedTrial[] = [];
  let flushed: Promise<ReadonlySet<CasedTrial>> | undefined;

  const flush = async (latencyMs: number): Promise<ReadonlySet<CasedTrial>> => {
    const gatheringMs = Math.min(Math.floor(latencyMs * gatheringShare), longestGatheringMs);
    await (gatheringMs > 0 ? pause(gatheringMs) : nextTurn());
    const trials = waiting;
    waiting = [];
    flushed = undefined;
    return new Set(await store.addTrials(runId, trials, writing));
  };

  return async (trial) => {
    waiting.push(trial);
    flushed ??= flush(trial.trial.latency?.totalMs ?? 0);
    const late = await flushed;
    return late.has(trial) ? undefined : trial;
  };
}

/**
 * Adds the usage and cost of earlier, failed calls to the usage and cost of the last call, since all of them were paid for. A failed
 * call that reported no usage counts as unknown.
 */
export function addTaken<Last extends PartialReply>(
  { usage: lastUsage, cost: lastCost, ...last }: Last,
  earlier: readonly PartialReply[],
) {
  const usage = sumUsage([...earlier.flatMap((part) => part.usage ?? []), lastUsage]);
  const cost = sumKnown([...earlier.flatMap((part) => part.cost ?? []), lastCost]);
  const rewriting = sumRewritings([...earlier, last].map((part) => part.rewriting));
  return {
    ...last,
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost }),
    ...(rewriting !== undefined && { rewriting }),
  };
}

/** The number of scores that are stored at the latest. */
const mostWaiting = 200;
/** Scores that come more slowly than this are stored at once. */
const longestWaitMs = 1000;

/** Stores scores as they come, in batches when they come fast. */
export interface ScoreRecorder {
  add(scored: readonly ScoredTrial[]): Promise<void>;
  /** Stores the scores that are still waiting. */
  finish(): Promise<void>;
}

/**
 * Creates the score recorder of a run. Scores that a crash loses cost nothing, since their trials are stored and can be
 * scored again.
 */
export function createScoreRecorder(runId: string, store: Pick<Store, 'addScores'>): ScoreRecorder {
  let waiting: ScoredTrial[] = [];
  let keptAt = -Infinity;

  const keep = async (): Promise<void> => {
    const kept = waiting;
    waiting = [];
    await store.addScores(runId, kept);
    keptAt = performance.now();
  };

  return {
    add: async (scored) => {
      waiting.push(...scored);
      if (waiting.length >= mostWaiting || performance.now() - keptAt > longestWaitMs) await keep();
    },
    finish: async () => {
      if (waiting.length > 0) await keep();
    },
  };
}
