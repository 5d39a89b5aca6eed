// `node bench/calls.ts`: compares a run with the ideal time for calls that wait. See README.md in this folder.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import type { NamedUse } from '../src/core/lib/define.ts';
import { run } from '../src/library/api/runs/run.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { module } from '../src/evaluate/targets/module.ts';
import { formatTable } from './format-table.ts';
import { median } from './measure.ts';

interface Figures {
  /** The time from the first call to the last recorded answer. */
  readonly callingMs: number;
  readonly wallMs: number;
  readonly latencyMs: number;
  readonly lost: number;
}

const latencyMs = 50;
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, serve: { type: 'boolean', default: false } },
});
const repeats = Number(values.runs);

if (values.serve) await serve();
else {
  console.log(await measureFunction());
  console.log(await measureHttp());
  process.exit();
}

async function measureFunction(): Promise<string> {
  const cases = 2000;
  const target = module({
    function: async () => {
      await new Promise((resolve) => setTimeout(resolve, latencyMs));
      return 'amber, birch and cedar';
    },
  });
  const rows: string[][] = [];
  for (const concurrency of [10, 100, 500]) {
    const idealMs = (cases * latencyMs) / concurrency;
    const all = await repeatedly(() => measureRun(target, { cases, concurrency }));
    const callingMs = median(all.map((figures) => figures.callingMs));
    rows.push([
      String(concurrency),
      idealMs.toFixed(0),
      callingMs.toFixed(0),
      `${((idealMs / callingMs) * 100).toFixed(1)} %`,
      median(all.map(({ wallMs }) => wallMs)).toFixed(0),
      median(all.map((figures) => figures.latencyMs)).toFixed(1),
    ]);
  }
  const head = [
    '2,000 × 50 ms, in flight',
    'ideal ms',
    'calling ms',
    'of the ideal',
    'whole run ms',
    'p50 latency',
  ];
  return formatTable(head, rows);
}

async function measureHttp(): Promise<string> {
  const [cases, concurrency] = [1000, 50];
  const child = fork(import.meta.filename, ['--serve']);
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}/`;
  const rounds: (Figures & { readonly bareMs: number })[] = [];
  for (let round = 0; round <= repeats; round += 1) {
    const bareMs = await callBare(url, { cases, concurrency });
    const figures = await measureRun({ use: 'http', url, retries: 10 }, { cases, concurrency });
    if (round > 0) rounds.push({ ...figures, bareMs });
  }
  child.kill();
  const rows = rounds.map(({ bareMs, callingMs, latencyMs: p50, lost }) => [
    bareMs.toFixed(0),
    callingMs.toFixed(0),
    (callingMs / bareMs).toFixed(2),
    p50.toFixed(1),
    String(lost),
  ]);
  const ratio = median(rounds.map(({ bareMs, callingMs }) => callingMs / bareMs)).toFixed(2);
  rows.push(['', '', `median ${ratio}`, '', '']);
  const head = [
    '1,000 × 50 ms over HTTP, 20 % 429, 5 % 500: bare ms',
    'ours, ms',
    'ratio',
    'p50 latency',
    'lost',
  ];
  return `\n${formatTable(head, rows)}`;
}

async function repeatedly<Result>(work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round <= repeats; round += 1) results.push(await work());
  return results.slice(1);
}

/** Measures a run with durable records, four keywords and the scorecard. */
async function measureRun(
  target: NamedUse & { retries?: number },
  { cases, concurrency }: { readonly cases: number; readonly concurrency: number },
): Promise<Figures> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  const lines = Array.from({ length: cases }, (_, index) =>
    JSON.stringify({
      id: `case-${index}`,
      input: `What of lot ${index}?`,
      expected: { keywords: ['amber', 'birch', 'cedar', 'absent'] },
    }),
  );
  writeFileSync(path.join(folder, 'golden.jsonl'), lines.join('\n'));
  const store = openSqliteStore(path.join(folder, 'touchstone.db'));
  const latencies: number[] = [];
  let [beganAt, endedAt, lost] = [0, 0, 0];
  const { retries: maxRetries, ...plain } = target;
  const start = performance.now();
  await run(
    { dataset: 'golden.jsonl', targets: [plain], concurrency, maxRetries, scorecard: 'three-component' },
    {
      folder,
      store,
      observer: {
        onCalling: (change) => {
          if (change === 1 && beganAt === 0) beganAt = performance.now();
        },
        onRecorded: ({ status, latency }) => {
          endedAt = performance.now();
          if (status !== 'completed') lost += 1;
          latencies.push(latency?.totalMs ?? Number.NaN);
        },
      },
    },
  );
  const wallMs = performance.now() - start;
  await store.close();
  rmSync(folder, { recursive: true });
  return { callingMs: endedAt - beganAt, wallMs, latencyMs: median(latencies), lost };
}

/** Measures what machine and server allow: the same number of parallel loops, each of which calls again at once. */
async function callBare(
  url: string,
  { cases, concurrency }: { readonly cases: number; readonly concurrency: number },
): Promise<number> {
  const dispatcher = new Agent({ connections: null });
  let next = 0;
  const lane = async () => {
    while (next < cases) {
      next += 1;
      for (let status = 0; status !== 200; ) {
        const reply = await request(url, { method: 'POST', body: '{"input":"x"}', dispatcher });
        await reply.body.text();
        status = reply.statusCode;
      }
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, lane));
  const ms = performance.now() - start;
  await dispatcher.close();
  return ms;
}

/** Starts the server in a separate process, so that its work is not counted as the client's. */
async function serve(): Promise<void> {
  const server = createServer((incoming, reply) => {
    incoming.resume().on('end', () => {
      const chance = Math.random();
      const status = chance < 0.2 ? 429 : chance < 0.25 ? 500 : 200;
      setTimeout(
        () => {
          reply.writeHead(status, { 'content-type': 'application/json' });
          reply.end(status === 200 ? '{"answer":"amber, birch and cedar"}' : '{"error":"not now"}');
        },
        status === 200 ? latencyMs : 0,
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as { port: number }).port);
}
