import { expect, test } from 'vitest';
import { buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { createApp } from '../../create-app.ts';
import { createAccess } from '../../local-access.ts';

const access = createAccess(4321);
const store = createMemoryStore();
const app = createApp({
  openStore: () => Promise.resolve(store),
  assets: { document: '', files: new Map() },
  access,
});

const asked = [
  { asks: 'When?', id: 'when', attempts: [{ total: 1, answer: '=1+1' }] },
  { asks: 'Where?', id: 'where', attempts: [{ total: 0.2, answer: 'Here, "there"' }] },
];
await buildKeptRun(asked, { id: 'one', name: 'first, with a comma', tags: { prompt: '7' } }, store);
await buildKeptRun(asked.slice(0, 1), { id: 'two', createdAt: '2027-01-01T00:00:00.000Z' }, store);

async function get(path: string): Promise<Response> {
  const headers = {
    host: '127.0.0.1:4321',
    cookie: `touchstone-4321=${access.secret}`,
    'sec-fetch-site': 'same-origin',
  };
  return await app.request(`http://127.0.0.1:4321${path}`, { headers });
}

test('the answers of a run are a table, narrowed by the filter of the page, and no cell is a formula', async () => {
  const whole = await get('/api/runs/one/report?format=csv');
  expect(whole.headers.get('content-disposition')).toBe('attachment; filename="one.csv"');
  const [head, first, second, ...rest] = (await whole.text()).split('\r\n');
  expect(head).toMatch(/^(?:\uFEFF)?case,target,/);
  expect(first).toContain("'=1+1");
  expect(second).toContain('"Here, ""there"""');
  expect(rest).toEqual(['']);
  const failed = await get('/api/runs/one/report?format=jsonl&where=passed%3Dfalse');
  const lines = (await failed.text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ case: 'where', answer: 'Here, "there"', run: 'one' }),
  ]);
});

test('a filter that is none is refused, and a file of another kind, too', async () => {
  expect((await get('/api/runs/one/report?format=csv&where=nosuch%3D1')).status).toBe(400);
  expect((await get('/api/runs/one/report?format=exe')).status).toBe(400);
  expect((await get('/api/runs/none/report?format=csv')).status).toBe(404);
});

test('the list of runs is a table with a row for each target', async () => {
  const text = await (await get('/api/run-table?format=jsonl')).text();
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(rows).toEqual([
    expect.objectContaining({ run: 'two', target: 'bot' }),
    expect.objectContaining({ run: 'one', name: 'first, with a comma', tags: 'prompt=7', target: 'bot' }),
  ]);
  expect(await (await get('/api/run-table?format=csv&target=none')).text()).toBe('');
});

test('a matrix is a table with the columns of each side', async () => {
  const text = await (await get('/api/matrix/table?columns=one,two&format=jsonl')).text();
  expect(JSON.parse(text)).toMatchObject({
    id: 'when',
    A_column: 'bot of one',
    A_result: 'passed',
    A_score: 1,
    B_column: 'bot of two',
    B_answer: '=1+1',
  });
});

test('a matrix is one page to send, with its worst questions', async () => {
  const answer = await get('/api/matrix/table?columns=one,two&format=html');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="matrix.html"');
  const text = await answer.text();
  expect(text).toMatch(/^<!doctype html>/i);
  expect(text).toContain('=1+1');
});
