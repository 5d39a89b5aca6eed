import { expect, test } from 'vitest';
import { storeReviewedRun } from '../../../test/support/reviewed-run.ts';
import { csv } from '../../evaluate/datasets/csv.ts';
import { importModes } from '../../people/modes/files/import-modes.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { createApp } from '../create-app.ts';

const port = 4321;
const secret = 'a-secret-of-a-test';
const origin = `http://127.0.0.1:${port}`;
const own = {
  host: `127.0.0.1:${port}`,
  cookie: `touchstone-${port}=${secret}`,
  origin,
  'sec-fetch-site': 'same-origin',
};

test('over the server, modes are named, answers marked, and the table read; a reviewer learns no target', async () => {
  const store = createMemoryStore();
  const run = await storeReviewedRun(store, { passed: 2, failed: 2 });
  const rows = (text: string) =>
    csv.read({
      name: 'notes.csv',
      read: async function* () {
        yield text;
      },
    });
  const notes = [0, 1, 2, 3].map((place) => `case ${place},${run.id},ann,yes,bad,1`).join('\n');
  const head = 'case,run,reviewer,anything_wrong,note,probability';
  await importModes(store, { notes: rows(`${head}\n${notes}`), definitions: rows(''), person: 'ann' });
  const app = createApp({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access: { port, secret, tokens: new Set() },
  });
  const ask = async (path: string, sent?: object) => {
    const body = sent && JSON.stringify(sent);
    const headers = {
      ...own,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(body.length),
      }),
    };
    const reply = await app.request(`${origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      body,
      headers,
    });
    return { status: reply.status, body: await reply.json() };
  };
  const edit = { type: 'add', id: 'late', definition: 'Later than promised.' };
  expect(await ask('/api/modes', { person: 'ann', edit })).toMatchObject({ status: 200 });
  expect(await ask('/api/modes', { person: 'ann', edit })).toMatchObject({
    status: 409,
    body: { code: 'mode-conflict' },
  });
  expect((await ask('/api/modes/open')).body).toMatchObject({ modes: [{ id: 'late' }] });
  const answer = { run: run.id, case: 'case 0' };
  const marked = await ask('/api/modes/marks', { person: 'bob', answer, modes: { late: true } });
  expect(marked).toMatchObject({
    status: 200,
    body: { stored: [{ mode: 'late', present: true, first: true }] },
  });
  expect(JSON.stringify(marked.body)).not.toContain('bot');
  expect((await ask('/api/modes')).body).toMatchObject({
    read: 4,
    rows: [{ id: 'late', yes: 1, unmarked: 3, ofAll: { least: 0.25, most: 1 } }],
  });
  expect(await ask('/api/modes/marks', { person: 'bob', answer, modes: { Late: true } })).toMatchObject({
    status: 400,
  });
  expect(await ask(`/api/modes/compare?a=${run.id}&b=${run.id}`)).toMatchObject({ status: 200 });
});
