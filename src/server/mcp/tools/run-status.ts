import { z } from 'zod';
import { withStore } from '../../../library/api/open-store.ts';
import { createLiveRunReader, type LiveRunReader } from '../../../look/queries/live-run.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { runState } from '../../../look/report/rows/run-row.ts';
import { isEnded } from '../../../evaluate/run/prepare/is-ended.ts';
import { wait } from '../../../core/lib/waiting.ts';
import type { LiveRun } from '../../../core/schema/api/live-run.ts';
import { toRunHead } from '../../../core/schema/api/to-run-head.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Summary } from '../../../core/schema/summary.ts';
import type { Store } from '../../../stores/store.ts';
import type { Reply } from '../fit-reply.ts';
import { idOf, quote } from '../quote.ts';
import { defineTool, runInput, type ToolCall } from '../tool.ts';

/** The milliseconds between two looks at a run, and between two messages about its progress. */
const lookEveryMs = 2000;

/** `run_status`: how far a run is; waits a while for its end. */
export const runStatus = defineTool({
  name: 'run_status',
  description:
    'How far a run is: state, done of planned, errors, spend, time left. Waits up to waitSeconds for its end; call it again while state is running. show_run has the result.',
  input: z.strictObject({
    run: runInput.default('latest'),
    waitSeconds: z.number().min(0).max(45).default(20),
  }),
  output: ['run', 'state', 'done', 'planned', 'rate', 'errors', 'refused', 'spent', 'timeLeftMs', 'next'],
  limit: 1500,
  call: async ({ run, waitSeconds }, call) =>
    await withStore(await call.project.store(), async (store) => {
      const { id } = await findRun(store, run);
      return await follow(id, store, { call, untilMs: performance.now() + waitSeconds * 1000 });
    }),
});

interface Following {
  readonly call: ToolCall;
  readonly untilMs: number;
}

/** Looks at a run until it has ended, the time is over, or the client no longer waits. The run goes on whatever happens here. */
async function follow(id: string, store: Store, { call, untilMs }: Following): Promise<Reply> {
  const reader = createLiveRunReader(store);
  const { signal } = call.context.mcpReq;
  for (;;) {
    const { run, live } = await look(id, store, reader);
    const leftMs = untilMs - performance.now();
    if (!isUnderWay(live) || leftMs <= 0 || signal.aborted) return describe(run, live);
    await reportProgress(call, live);
    await wait(Math.min(lookEveryMs, leftMs), signal).catch(() => {});
  }
}

async function look(
  id: string,
  store: Store,
  reader: LiveRunReader,
): Promise<{ readonly run: Run; readonly live: LiveRun }> {
  const run = await findRun(store, id);
  const state = runState(run, await isEnded(run, store));
  const { summary } = run;
  const isOver = !isUnderWay({ state }) && summary !== undefined;
  return {
    run,
    live: await (isOver ? readEnded({ ...run, summary }, state, store) : reader.read(run, state)),
  };
}

function isUnderWay({ state }: Pick<LiveRun, 'state'>): boolean {
  return state === 'running' || state === 'planning';
}

/** Returns the state of a run that has ended: its summary knows the rest, and no answer is read again. */
async function readEnded(
  run: Run & { readonly summary: Summary },
  state: LiveRun['state'],
  store: Store,
): Promise<LiveRun> {
  const { done } = await store.countProgress(run.id);
  const counted = await store.countTrials(run.id, { by: ['error'] });
  const errors = counted.flatMap(({ values: [code], trials }) =>
    typeof code === 'string' && code !== '' ? [{ code, trials }] : [],
  );
  return {
    run: run.id,
    state,
    done,
    planned: run.dataset.cases * run.targets.length * run.attempts,
    rate: null,
    timeLeftMs: null,
    errors: errors.toSorted((a, b) => b.trials - a.trials),
    scores: run.summary.targets.map(({ target, score: { value, lower, upper } }) => ({
      target,
      estimate: value,
      lower,
      upper,
    })),
    spent: toRunHead(run).cost ?? 0,
    maxCost: run.settings.maxCost,
  };
}

/** Reports to a client that has asked for it how far the run is. */
async function reportProgress({ context: { mcpReq } }: ToolCall, { done, planned }: LiveRun): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, progress: done, total: planned, message: `${done} of ${planned} answered` };
  await mcpReq.notify({ method: 'notifications/progress', params });
}

function describe({ id, stops = [] }: Run, live: LiveRun): Reply {
  const { state, done, planned, rate, timeLeftMs, errors, scores, spent, maxCost, waiting } = live;
  return {
    run: id,
    state,
    done,
    planned,
    ...(isUnderWay(live) && {
      rate: rate === null ? null : Number(rate.toFixed(3)),
      timeLeftMs: timeLeftMs && Math.round(timeLeftMs),
    }),
    errors: errors.slice(0, 5).map(({ code, trials }) => ({ code: idOf(code), trials })),
    scores: scores.slice(0, 5).map(({ target, estimate }) => ({ target: idOf(target), score: estimate })),
    refused: (waiting?.refused ?? []).slice(0, 3).map(({ account, reason, inRow, nextTryMs }) => ({
      account: idOf(account),
      reason,
      inRow,
      nextTryMs: Math.round(nextTryMs),
    })),
    spent,
    maxCost,
    ...(stops.length > 0 && {
      stopped: stops
        .slice(0, 2)
        .map(({ reason, message }) => ({ reason, says: quote('file', message, 150) })),
    }),
    next: nextStep(id, state),
  };
}

function nextStep(id: string, state: LiveRun['state']): string {
  if (isUnderWay({ state })) return 'Call run_status again.';
  if (state === 'interrupted') return `start_run with resume ${id} continues it: nothing is asked twice.`;
  return `show_run ${id}, then failed_cases.`;
}
