import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createSharedLimits } from '../../src/evaluate/run/limits/shared/shared-limits.ts';
import { openPostgresStore } from '../../src/stores/postgres/postgres.ts';
import { isPostgresUrl } from '../../src/stores/postgres/url.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';
import { buildTrial } from '../../src/library/testing/build-records.ts';

/** The task of a process that makes trials of a run under a budget that it shares with others. */
export interface SpenderTask {
  /** The file or the address of the store. */
  readonly store: string;
  /** The address of the provider, whose answers contain their price. */
  readonly url: string;
  readonly maxCost: number;
  readonly concurrency: number;
}

/** The result of a spender, which it prints as JSON when the money is gone. */
export interface SpenderResult {
  readonly trials: number;
  /** The amount that all processes have spent, as this one knows it in the end, in US dollars. */
  readonly spent: number;
}

async function spendBudget({
  store: address,
  url,
  maxCost,
  concurrency,
}: SpenderTask): Promise<SpenderResult> {
  const store = isPostgresUrl(address) ? openPostgresStore(address) : openSqliteStore(address);
  const stop = new AbortController();
  const limits = createSharedLimits({ records: store.shared })({
    runId: 'run',
    settings: { maxCost },
    areJudged: false,
    stop: stop.signal,
    onSpent: () => {
      if (!stop.signal.aborted) limits.announce({ reason: 'cost', message: 'the money is gone' });
      stop.abort();
    },
    onStop: () => stop.abort(),
    onFault: () => stop.abort(),
  });
  let trials = 0;
  const caller = async () => {
    while (await limits.budget.admit('bot')) {
      const { cost } = (await (await fetch(url, { method: 'POST' })).json()) as { cost: number };
      trials += 1;
      limits.budget.settle(buildTrial('yes', { target: 'bot', cost }));
      limits.budget.addScored(1);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  await limits[Symbol.asyncDispose]();
  const spent = limits.budget.spent().targets;
  await store.close();
  return { trials, spent };
}

/** Starts a spender in a process of its own. `result` resolves to undefined when it was killed. */
export function startSpender(task: SpenderTask) {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    said += part.toString();
  });
  const result = once(child, 'close').then(() =>
    said === '' ? undefined : (JSON.parse(said) as SpenderResult),
  );
  return { child, result };
}

if (import.meta.main) {
  const result = await spendBudget(JSON.parse(process.argv[2] ?? '{}'));
  writeSync(1, `${JSON.stringify(result)}\n`);
}
