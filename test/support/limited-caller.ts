import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import type { AccountLimits } from '../../src/evaluate/models/account/quota.ts';
import { callWithRetries, type Tried } from '../../src/evaluate/models/account/call-with-retries.ts';
import { createSharedRateLimiter } from '../../src/evaluate/models/account/shared/shared-rate-limiter.ts';
import { ModelFailure } from '../../src/evaluate/models/model-failure.ts';
import { openPostgresStore } from '../../src/stores/postgres/postgres.ts';
import { isPostgresUrl } from '../../src/stores/postgres/url.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';

/** The task of a process that calls a provider under limits that it shares with others. */
export interface CallerTask {
  /** The file or the address of the store. */
  readonly store: string;
  readonly url: string;
  readonly limits: AccountLimits;
  /** The milliseconds for which it begins calls. */
  readonly forMs: number;
  /** The number of calls that are made or wait at the same time, of each worker. */
  readonly concurrency: number;
  /** The workers in the process, each with a connection and a record of its own; 1 by default. */
  readonly workers?: number;
}

/** The figures of a caller, which it prints as JSON when it is done. */
export interface CallerFigures {
  readonly answered: number;
  readonly lost: number;
  readonly cpuMs: number;
  /** The longest time for which the process stood still, so that a call may have left so much later than it was granted. */
  readonly stillMs: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

async function ask(url: string): Promise<Tried<unknown>> {
  const sent = request(url, { agent, method: 'POST' }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  if (status === 200) return { value: await json(response), status };
  response.resume();
  const seconds = headers['retry-after'];
  const retryAfterMs = seconds === undefined ? undefined : Number(seconds) * 1000;
  return { failure: new ModelFailure('rate-limited', 'slower', { retryable: true, retryAfterMs }), status };
}

/** Opens the limits of one worker. */
async function openLimits(task: CallerTask) {
  const store = isPostgresUrl(task.store) ? openPostgresStore(task.store) : openSqliteStore(task.store);
  const limiter = createSharedRateLimiter(store.shared);
  const account = limiter.findAccount('provider KEY', task.limits);
  await store.exists();
  const close = async () => {
    await limiter[Symbol.asyncDispose]();
    await store.close();
  };
  return { account, close };
}

async function callUnderLimits(task: CallerTask): Promise<CallerFigures> {
  const workers = await Promise.all(
    Array.from({ length: task.workers ?? 1 }, async () => await openLimits(task)),
  );
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 4, maxWaitMs: 300_000 };
  let [answered, lost] = [0, 0];
  writeSync(1, 'ready\n');
  await once(process.stdin, 'data');
  const end = performance.now() + task.forMs;
  const before = process.cpuUsage();
  const delays = monitorEventLoopDelay();
  delays.enable();
  const caller = async ({ account }: (typeof workers)[number]) => {
    while (performance.now() < end) {
      await callWithRetries(account, async () => await ask(task.url), rules).then(
        () => (answered += 1),
        () => (lost += 1),
      );
    }
  };
  await Promise.all(
    workers.flatMap((worker) => Array.from({ length: task.concurrency }, async () => await caller(worker))),
  );
  await Promise.all(workers.map(async ({ close }) => await close()));
  agent.destroy();
  process.stdin.destroy();
  const { user, system } = process.cpuUsage(before);
  return { answered, lost, cpuMs: (user + system) / 1000, stillMs: delays.max / 1e6 };
}

/** A caller in a process of its own. */
export interface Caller {
  readonly child: ChildProcess;
  /** Resolves when it is ready to begin. */
  readonly ready: Promise<unknown>;
  begin(): void;
  /** Resolves with its figures; undefined when it was killed. */
  readonly figures: Promise<CallerFigures | undefined>;
}

/** Starts a caller in a process of its own. */
export function startCaller(task: CallerTask): Caller {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout });
  const ready = once(lines, 'line');
  const figures = ready.then(async () => {
    const [said] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
    return said === undefined ? undefined : (JSON.parse(said) as CallerFigures);
  });
  return { child, ready, begin: () => void child.stdin.write('begin\n'), figures };
}

if (import.meta.main) {
  const figures = await callUnderLimits(JSON.parse(process.argv[2] ?? '{}'));
  writeSync(1, `${JSON.stringify(figures)}\n`);
}
