// A thread that scores a part of a plan. Started by score-in-thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { fromPortable } from '../config/portable-rules.ts';
import { TouchstoneError } from '../errors.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { createJudgementKeeper } from '../run/judgement-keeper.ts';
import { neverStopped } from '../run/run-needs.ts';
import { score } from '../run/score.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite.ts';
import type { ThreadMessage, ThreadWork } from './thread-messages.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
const tell = (message: ThreadMessage) => parentPort?.postMessage(message);

try {
  await scorePart(workerData as ThreadWork);
  tell({ type: 'done' });
} catch (error) {
  // Between threads an error loses all but its message.
  if (!(error instanceof TouchstoneError)) throw error;
  const { code, message, remedy } = error;
  tell({ type: 'refused', code, message, remedy });
}

async function scorePart({ source, runId, from, rules, file, options }: ThreadWork): Promise<void> {
  const store = openSqliteStore(file, options);
  try {
    const judgements = createJudgementKeeper(runId, { store, reuses: true });
    const needs = { executor: createLocalExecutor(), signals: neverStopped, judgements };
    for await (const scored of score(store.readTrials(source, { from }), fromPortable(rules), needs)) {
      await store.addScores(runId, scored);
      const last = scored.at(-1);
      if (last !== undefined) tell({ type: 'kept', to: last.trial.ordinal + 1 });
    }
  } finally {
    await store.close();
  }
}
