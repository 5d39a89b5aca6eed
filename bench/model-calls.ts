// `node bench/model-calls.ts`: compares 1,000 calls of a 50 ms model with the ideal time, with and without faults.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openaiChat } from '../src/evaluate/models/openai-chat.ts';
import type { ChatReply } from '../src/evaluate/models/model.ts';
import { ModelFailure } from '../src/evaluate/models/model-failure.ts';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import type { ScriptedReply } from '../src/library/testing/model-server/script.ts';
import { formatTable } from './format-table.ts';

interface Workload {
  readonly name: string;
  readonly calls: number;
  readonly latencyMs: number;
  readonly concurrency: number;
  /** Shares of all requests that are answered with 429 and with 500. */
  readonly refused: number;
  readonly broken: number;
  /** True when a fault takes as long as an answer, false when it is immediate. */
  readonly slowFaults: boolean;
  readonly retryAfter?: string;
  /** The number of requests that the server accepts at the same time; it refuses more. */
  readonly capacity?: number;
  /** True for bare requests in place of our client: what the machine and the server allow. */
  readonly isBare?: boolean;
}

const base: Workload = {
  name: 'no faults',
  calls: 1000,
  latencyMs: 50,
  concurrency: 50,
  refused: 0,
  broken: 0,
  slowFaults: true,
};
const faulty = { ...base, refused: 0.2, broken: 0.05 };
const workloads: readonly Workload[] = [
  { ...base, name: 'bare undici, no faults', isBare: true },
  base,
  { ...faulty, name: '20 % 429, 5 % 500, after 50 ms' },
  { ...faulty, name: '20 % 429, 5 % 500, at once', slowFaults: false },
  { ...faulty, name: '… with Retry-After: 0', slowFaults: false, retryAfter: '0' },
  { ...faulty, name: '… with Retry-After: 1', slowFaults: false, retryAfter: '1' },
  { ...base, name: 'server takes 20 at a time', capacity: 20 },
];

let isWarm = false;

if (process.argv[2] === 'serve') await serve(JSON.parse(process.argv[3] ?? '{}') as Workload);
else await measureAll(Number(process.argv[2] ?? 3));

/** Starts the server in a separate process, so that its work is not counted as the client's. */
async function serve(workload: Workload): Promise<void> {
  let open = 0;
  const server = await startModelServer(async (): Promise<ScriptedReply> => {
    const {
      latencyMs,
      refused,
      broken,
      slowFaults,
      retryAfter,
      capacity = Number.POSITIVE_INFINITY,
    } = workload;
    const chance = Math.random();
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    const delayMs = slowFaults ? latencyMs : 0;
    if (open >= capacity || chance < refused)
      return { fault: 'error', status: 429, headers, delayMs: open >= capacity ? 0 : delayMs };
    if (chance < refused + broken) return { fault: 'error', status: 500, delayMs };
    open += 1;
    setTimeout(() => (open -= 1), latencyMs);
    return { text: 'yes', delayMs: latencyMs };
  });
  process.send?.(server.url);
  process.on('message', () =>
    process.send?.({ requests: server.requests.length, peak: server.peakConcurrency }),
  );
}

interface Figures {
  readonly wallMs: number;
  readonly lost: number;
  readonly requests: number;
  readonly peak: number;
  readonly latencyMs: number;
  readonly cpuMs: number;
}

async function measureAll(repeats: number): Promise<void> {
  const rows: string[][] = [];
  for (const workload of workloads) {
    const runs: Figures[] = [];
    for (let run = 0; run < repeats; run += 1) runs.push(await measure(workload));
    const at = (pick: (figures: Figures) => number) => median(runs.map(pick));
    const { calls, latencyMs, concurrency, refused, broken, slowFaults, capacity = concurrency } = workload;
    const places = Math.min(concurrency, capacity);
    const ideal = (calls * latencyMs * (slowFaults ? 1 / (1 - refused - broken) : 1)) / places;
    const wall = at(({ wallMs }) => wallMs);
    rows.push([
      workload.name,
      ideal.toFixed(0),
      wall.toFixed(0),
      `${((wall / ideal - 1) * 100).toFixed(1)} %`,
      `${((Math.min(...runs.map(({ wallMs }) => wallMs)) / ideal - 1) * 100).toFixed(1)} %`,
      `${((Math.max(...runs.map(({ wallMs }) => wallMs)) / ideal - 1) * 100).toFixed(1)} %`,
      at(({ requests }) => requests).toFixed(0),
      String(Math.max(...runs.map(({ lost }) => lost))),
      at(({ peak }) => peak).toFixed(0),
      at((figures) => figures.latencyMs).toFixed(1),
      at(({ cpuMs }) => cpuMs).toFixed(2),
    ]);
  }
  const head = [
    '1,000 calls, 50 ms, 50 in flight',
    'ideal ms',
    'ms',
    'over',
    'best',
    'worst',
    'requests',
    'lost',
    'peak',
    'p50 latency',
    'CPU ms/call',
  ];
  console.log(formatTable(head, rows));
}

async function measure(workload: Workload): Promise<Figures> {
  if (workload.isBare) return await measureBare(workload);
  const child = fork(import.meta.filename, ['serve', JSON.stringify(workload)]);
  const [baseUrl] = (await once(child, 'message')) as [string];
  const { definition } = openaiChat;
  const options = definition.options.parse({ model: 'bench', baseUrl, maxConcurrency: workload.concurrency });
  const model = definition.create(options, { folder: '.', environment: {} });
  await model.open?.();
  await warmUp();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const messages = [{ role: 'user' as const, content: 'Is it so?' }];
  const settled = await Promise.all(
    Array.from({ length: workload.calls }, async () =>
      model
        .generate({ messages }, { signal: new AbortController().signal })
        .catch((error: unknown) => error as ModelFailure),
    ),
  );
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  child.send('figures');
  const [{ requests, peak }] = (await once(child, 'message')) as [{ requests: number; peak: number }];
  child.kill();
  const replies = settled.filter((reply): reply is ChatReply => !(reply instanceof ModelFailure));
  const latencyMs = median(replies.map((reply) => reply.latencyMs));
  const cpuMs = (user + system) / 1000 / workload.calls;
  return { wallMs, lost: workload.calls - replies.length, requests, peak, latencyMs, cpuMs };
}

/** Loads and compiles the code with an account of its own, so that the measured account has learnt nothing. */
async function warmUp(): Promise<void> {
  if (isWarm) return;
  isWarm = true;
  const server = await startModelServer('yes');
  const { definition } = openaiChat;
  const options = definition.options.parse({ model: 'warm', baseUrl: server.url });
  const model = definition.create(options, { folder: '.', environment: {} });
  const messages = [{ role: 'user' as const, content: 'Is it so?' }];
  const call = async () => await model.generate({ messages }, { signal: new AbortController().signal });
  await Promise.all(Array.from({ length: 200 }, call));
  await server.close();
}

/** Measures fifty loops that only send and read. */
async function measureBare(workload: Workload): Promise<Figures> {
  const child = fork(import.meta.filename, ['serve', JSON.stringify(workload)]);
  const [baseUrl] = (await once(child, 'message')) as [string];
  await warmUp();
  const { Agent } = await import('undici');
  const agent = new Agent();
  const { origin, pathname } = new URL(`${baseUrl}/chat/completions`);
  const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'Is it so?' }] });
  const latencies: number[] = [];
  let left = workload.calls;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const loop = async () => {
    while (left-- > 0) {
      const sent = performance.now();
      const reply = await agent.request({ origin, path: pathname, method: 'POST', body });
      await reply.body.json();
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: workload.concurrency }, loop));
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  child.kill();
  await agent.close();
  const cpuMs = (user + system) / 1000 / workload.calls;
  return {
    wallMs,
    lost: 0,
    requests: workload.calls,
    peak: workload.concurrency,
    latencyMs: median(latencies),
    cpuMs,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
