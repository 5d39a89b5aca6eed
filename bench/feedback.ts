// `node bench/feedback.ts`: how many records of feedback a second reach the disk, from a file and over HTTP. Half of them are
// about an answer in the store. See bench/NOTES.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { importFeedback } from '../src/library/api/feedback.ts';
import { createIngestToken } from '../src/server/ingest-access.ts';
import { readAssets } from '../src/server/assets.ts';
import { serveDashboard } from '../src/server/serve.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { storeFeedback } from '../test/support/feedback-store.ts';
import { formatTable } from './format-table.ts';
import { median } from './measure.ts';

const { values } = parseArgs({
  options: { records: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '3' } },
});
const records = Number(values.records);
const rounds = Number(values.rounds);

/** The most records of one request. */
const atOnce = 1000;

function buildRecords(name: string): object[] {
  return Array.from({ length: records }, (_, index) => ({
    id: `${name}-${index}`,
    at: '2026-01-03T10:00:00.000Z',
    source: 'bench',
    signal: 'thumb',
    value: index % 5 === 0 ? 'down' : 'up',
    subject: { trialKey: index % 2 === 0 ? `k${index % 256}` : `unknown-${index}` },
    user: `user-${index % 1000}`,
    text: 'The price is not the one on the page, please ask ann@example.com.',
  }));
}

type Way = (name: string, folder: string) => Promise<void>;

const ways: Readonly<Record<string, Way>> = {
  'a file (`feedback import`)': async (name, folder) => {
    const file = path.join(folder, `${name}.jsonl`);
    writeFileSync(
      file,
      buildRecords(name)
        .map((record) => JSON.stringify(record))
        .join('\n'),
    );
    await timed(async () => void (await importFeedback(file, { store })));
  },
  [`HTTP, ${atOnce} records a request`]: async (name) => {
    const all = buildRecords(name);
    await timed(async () => {
      for (let start = 0; start < all.length; start += atOnce) await post(all.slice(start, start + atOnce));
    });
  },
};

let lastMs = 0;
async function timed(work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await work();
  lastMs = performance.now() - start;
}

async function post(body: readonly object[]): Promise<void> {
  const response = await fetch(new URL('/api/feedback', server.addressOf('/')), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const receipt = (await response.json()) as { added?: number };
  if (receipt.added !== body.length) throw new Error(JSON.stringify(receipt));
}

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-feedback-'));
const store = openSqliteStore(path.join(folder, 'touchstone.db'));
const token = createIngestToken();
const server = await serveDashboard({
  openStore: () => Promise.resolve(store),
  assets: readAssets(),
  ingestToken: token,
  port: 0,
});
try {
  await storeFeedback({ store, categories: ['a', 'b'], targets: ['bot', 'other'] });
  const found = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [way, run]] of Object.entries(ways).entries()) {
      await run(`r${round}-${index}`, folder);
      found.set(way, [...(found.get(way) ?? []), (1000 * records) / lastMs]);
    }
  }
  console.log(`${records} records, median of ${rounds}\n`);
  const rows = [...found].map(([way, rates]) => [way, median(rates).toFixed(0)]);
  console.log(formatTable(['', 'records/s'], rows));
} finally {
  await server.close();
  await store.close();
  rmSync(folder, { recursive: true });
}
