import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import { pictures } from '../../../test/support/pictures.ts';
import type { Store } from '../../stores/store.ts';
import type { Message } from '../../core/schema/message.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite.ts';
import { openDataset } from '../datasets/open-dataset.ts';
import * as readers from '../datasets/registry.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { exportRun, importRun } from './record/archive.ts';
import { checkStore, salvageRun } from './record/salvage.ts';
import { materialOf } from '../metrics/judged/material.ts';
import type { MetricInput } from '../metrics/metric.ts';
import { TargetFailure } from '../targets/target.ts';
import { run } from './run.ts';
import { neverStopped } from './run-needs.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-attachments-'));
  await writeFile(path.join(folder, 'dent.png'), pictures.png);
  await writeFile(path.join(folder, 'bill.pdf'), pictures.pdf);
});
afterAll(async () => await rm(folder, { recursive: true }));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function evaluate(
  rows: readonly object[],
  targets: readonly ReturnType<typeof resolvedTarget>[],
  store: Store,
) {
  await writeFile(path.join(folder, 'cases.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const dataset = await openDataset({ paths: ['cases.jsonl'], folder, readers: Object.values(readers) });
  const notices: string[] = [];
  const observer = { onNotice: ({ message }: { message: string }) => void notices.push(message) };
  const needs = { store, executor: createLocalExecutor(), observer, signals: neverStopped };
  const finished = await run(buildEvaluation([], targets, { dataset }), needs);
  return { finished, notices, results: await Array.fromAsync(store.readResults(finished.id)) };
}

const rows = [
  { id: 'dent', input: 'What is broken?', attachments: ['dent.png'], expected_keywords: ['door'] },
  { id: 'bill', input: 'What is the total?', attachments: ['bill.pdf'], expected_keywords: ['door'] },
  { id: 'plain', input: 'Which side?', expected_keywords: ['door'] },
];

test('a picture of the assistant in a history is said before the run, where an API has no place for it', async () => {
  const bot = buildTarget(() => 'the door', { takes: ['image'], takesFrom: ['user'] });
  const picture = { type: 'image', image: 'dent.png' };
  const history = [
    { role: 'user', content: 'Draw a door.' },
    { role: 'assistant', content: [{ type: 'text', text: 'Here.' }, picture] },
    { role: 'user', content: 'Make it blue.' },
  ];
  const own = { id: 'own', input: [{ role: 'user', content: [{ type: 'text', text: 'What?' }, picture] }] };
  const targets = [resolvedTarget('bot', bot)];
  const { notices, results } = await evaluate(
    [{ id: 'history', input: history }, own],
    targets,
    createMemoryStore(),
  );
  expect(bot.calls).toEqual(['own']);
  expect(notices).toEqual([
    "1 of 2 questions has pictures outside the user's messages that `bot` does not take: not asked, and not measured. Its API has no place for them there.",
  ]);
  expect(results[0]?.trial.error).toMatchObject({
    code: 'attachments-unsupported',
    message:
      "the question has pictures outside the user's messages, which `bot` does not take there; it was not asked",
  });
});

test('what a target does not take is said before the run, is not put to it and is not measured', async () => {
  const sees = buildTarget(() => 'the door', { takes: ['image'] });
  const reads = buildTarget(() => 'the door');
  const store = createMemoryStore();
  const targets = [resolvedTarget('sees', sees), resolvedTarget('reads', reads)];
  const { finished, notices, results } = await evaluate(rows, targets, store);
  expect(sees.calls.toSorted()).toEqual(['dent', 'plain']);
  expect(reads.calls).toEqual(['plain']);
  expect(notices).toEqual([
    '1 of 3 questions has PDFs that `sees` does not take: not asked, and not measured. If it does, write `takes` in the target or its model.',
    '2 of 3 questions have pictures and PDFs that `reads` does not take: not asked, and not measured. If it does, write `takes` in the target or its model.',
  ]);
  expect(results.map(({ trial }) => [trial.caseId, trial.target, trial.error?.code])).toEqual([
    ['dent', 'sees', undefined],
    ['dent', 'reads', 'attachments-unsupported'],
    ['bill', 'sees', 'attachments-unsupported'],
    ['bill', 'reads', 'attachments-unsupported'],
    ['plain', 'sees', undefined],
    ['plain', 'reads', undefined],
  ]);
  expect(results[1]?.trial.error?.message).toBe(
    'the question has pictures, which `reads` does not take; it was not asked',
  );
  const counts = finished.summary?.targets.map((target) => target.counts);
  expect(counts).toMatchObject([
    { planned: 3, measured: 2, errors: 0, notMeasured: 1, untaken: 1 },
    { planned: 3, measured: 1, errors: 0, notMeasured: 2, untaken: 2 },
  ]);
  await store.close();
});

test('a target whose requests have no place for files is told where to write one', async () => {
  const hint = 'Write `{{attachments}}` in `body`.';
  const blind = buildTarget(() => 'the door', { takesHint: hint });
  const store = createMemoryStore();
  const { notices } = await evaluate(rows, [resolvedTarget('blind', blind)], store);
  expect(notices).toEqual([
    `2 of 3 questions have pictures and PDFs that \`blind\` does not take: not asked, and not measured. ${hint}`,
  ]);
  await store.close();
});

test('getting the files of a question ready is no part of the time of its answer', async () => {
  let isReady = false;
  const bot = buildTarget(
    () => {
      expect(isReady).toBe(true);
      return 'the door';
    },
    {
      takes: ['image'],
      prepare: async () => {
        const end = performance.now() + 200;
        while (performance.now() < end);
        isReady = true;
      },
    },
  );
  const store = createMemoryStore();
  const { results } = await evaluate(rows.slice(0, 1), [resolvedTarget('bot', bot)], store);
  expect(isReady).toBe(true);
  expect(results[0]?.trial.latency?.totalMs).toBeLessThan(200);
  await store.close();
});

test('a target reads the bytes, the transcript names them, and the text is as it was', async () => {
  const read: Buffer[] = [];
  const bot = buildTarget(
    async ({ messages }, { readBlob }) => {
      for (const { hash } of messages[0]?.attachments ?? [])
        read.push(Buffer.from((await readBlob?.(hash)) ?? []));
      return 'the door';
    },
    { takes: ['image', 'pdf', 'audio'] },
  );
  const store = createMemoryStore();
  const { results } = await evaluate(rows.slice(0, 1), [resolvedTarget('bot', bot)], store);
  expect(read).toEqual([pictures.png]);
  expect(results[0]?.trial.transcript).toEqual([
    {
      role: 'user',
      content: 'What is broken?',
      attachments: [
        {
          hash: sha256(pictures.png),
          mediaType: 'image/png',
          bytes: pictures.png.length,
          name: 'dent.png',
          at: 15,
        },
      ],
    },
    { role: 'assistant', content: 'the door' },
  ]);
  await store.close();
});

test('the opening of a conversation has its picture, and later turns see it in the messages', async () => {
  const seen: (number | undefined)[][] = [];
  const bot = buildTarget(
    ({ messages }) => {
      seen.push(messages.map(({ attachments }) => attachments?.length));
      return 'the door';
    },
    { takes: ['image'] },
  );
  const store = createMemoryStore();
  const conversation = { id: 'talk', turns: ['What is broken?', 'Sure?'], attachments: ['dent.png'] };
  const { results } = await evaluate([conversation], [resolvedTarget('bot', bot)], store);
  expect(seen).toEqual([[1], [1, undefined, undefined]]);
  expect(results[0]?.trial.transcript.map(({ attachments }) => attachments?.length)).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ]);
  await store.close();
});

test('a picture of 1,000 questions is stored once, beside the file of the store', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    id: `q${index}`,
    input: `What is in corner ${index}?`,
    attachments: ['dent.png'],
  }));
  const store = openSqliteStore(path.join(folder, 'store', 'touchstone.db'));
  const bot = buildTarget(() => 'red', { takes: ['image'] });
  const { finished } = await evaluate(many, [resolvedTarget('bot', bot)], store);
  const hash = sha256(pictures.png);
  const blobs = path.join(folder, 'store', 'blobs');
  expect(await readdir(blobs, { recursive: true })).toEqual([
    hash.slice(0, 2),
    `${hash.slice(0, 2)}/${hash.slice(2)}`,
  ]);
  await store.deleteRun(finished.id);
  expect((await readdir(blobs, { recursive: true })).filter((name) => name.includes('/'))).toEqual([]);
  await store.close();
});

test('an exported run carries its files, and is imported with them by another store', async () => {
  const bot = buildTarget(() => 'the door', { takes: ['image', 'pdf'] });
  const store = createMemoryStore();
  const { finished } = await evaluate(rows, [resolvedTarget('bot', bot)], store);
  const lines = await Array.fromAsync(exportRun(finished, store));
  expect(lines.filter((line) => line.startsWith('{"type":"blob"'))).toHaveLength(2);

  const other = createMemoryStore();
  await importRun(rowsOf(lines), other);
  expect(Buffer.from((await other.blobs.read(sha256(pictures.png))) ?? [])).toEqual(pictures.png);
  expect(await Array.fromAsync(exportRun((await other.readRun(finished.id)) ?? finished, other))).toEqual(
    lines,
  );

  const forged = lines.map((line) =>
    line.replace(pictures.png.toString('base64'), pictures.gif.toString('base64')),
  );
  await expect(importRun(rowsOf(forged), createMemoryStore())).rejects.toMatchObject({
    code: 'import-invalid',
  });
  await other.close();
  await store.close();
});

async function* rowsOf(lines: readonly string[]) {
  for (const [index, line] of lines.entries())
    yield { value: JSON.parse(line) as unknown, place: { file: 'run.jsonl', line: index + 1 } };
}

const drawn = {
  hash: sha256(pictures.gif),
  mediaType: 'image/gif',
  bytes: pictures.gif.length,
  at: 'the door'.length,
} as const;
const withBytes = { ...drawn, base64: pictures.gif.toString('base64') };
const asked = [{ id: 'draw', input: 'Draw it.', expected_keywords: ['door'] }];

test('a picture of an answer is kept with its message, goes with an export, and is deleted with its run', async () => {
  const bot = buildTarget(() => ({ answer: 'the door', toolCalls: [], attachments: [withBytes] }));
  const store = openSqliteStore(path.join(folder, 'answers', 'touchstone.db'));
  const { finished, results } = await evaluate(asked, [resolvedTarget('bot', bot)], store);
  const [result] = results;
  expect(result?.trial.answer).toBe('the door');
  expect(result?.trial.transcript).toEqual([
    { role: 'user', content: 'Draw it.' },
    { role: 'assistant', content: 'the door', attachments: [drawn] },
  ]);
  expect(JSON.stringify(result)).not.toContain(withBytes.base64);
  expect(Buffer.from((await store.blobs.read(drawn.hash)) ?? [])).toEqual(pictures.gif);

  const lines = await Array.fromAsync(exportRun(finished, store));
  const other = createMemoryStore();
  await importRun(rowsOf(lines), other);
  expect(Buffer.from((await other.blobs.read(drawn.hash)) ?? [])).toEqual(pictures.gif);
  await other.close();

  await store.deleteRun(finished.id);
  expect(await store.blobs.read(drawn.hash)).toBeUndefined();
  await store.close();
});

test('a picture of an answer that cannot be kept costs nobody the answer, and the attempt says why', async () => {
  const bytes = Buffer.concat([pictures.png, Buffer.alloc(18 * 1024 * 1024)]);
  const base64 = bytes.toString('base64');
  const large = ['a', 'b', 'c'].map((name) => {
    const own = Buffer.concat([bytes, Buffer.from(name)]);
    return {
      ...drawn,
      mediaType: 'image/png' as const,
      hash: sha256(own),
      bytes: own.length,
      base64: own.toString('base64'),
    };
  });
  const forged = { ...withBytes, hash: sha256(Buffer.from('another')), base64: base64.slice(0, 400) };
  const named = { ...drawn, hash: sha256(Buffer.from('nowhere')) };
  const bot = buildTarget(() => ({
    answer: 'the door',
    toolCalls: [],
    attachments: [...large, forged, named],
    unkept: ['is at an address, which is not fetched'],
    logs: 'said',
  }));
  const store = createMemoryStore();
  const { results } = await evaluate(asked, [resolvedTarget('bot', bot)], store);
  const trial = results[0]?.trial;
  expect(trial).toMatchObject({ status: 'completed', answer: 'the door' });
  expect(trial?.transcript[1]?.attachments?.map(({ hash }) => hash)).toEqual(
    large.slice(0, 2).map(({ hash }) => hash),
  );
  expect(trial?.logs?.split('\n')).toEqual([
    'said',
    'A file of the reply is not stored: it is at an address, which is not fetched.',
    'A file of the reply is not stored: it is more than a reply may have, 50 MiB.',
    'A file of the reply is not stored: it could not be stored.',
    'A file of the reply is not stored: it is named without its bytes.',
  ]);
  await store.close();
});

test('what a failed call had sent is kept without its bytes, too', async () => {
  const transcript: Message[] = [
    { role: 'user', content: 'Draw it.' },
    { role: 'assistant', content: 'the door', attachments: [withBytes] },
  ];
  const bot = buildTarget(() => {
    throw new TargetFailure('stream-broken', 'the stream broke', { partial: { transcript } });
  });
  const store = createMemoryStore();
  const { results } = await evaluate(asked, [resolvedTarget('bot', bot)], store);
  expect(results[0]?.trial.transcript[1]?.attachments).toEqual([drawn]);
  await store.close();
});

test('a later turn of a conversation has the text of what the bot said, and not its own picture', async () => {
  const seen: (number | undefined)[][] = [];
  const bot = buildTarget(({ messages }) => {
    seen.push(messages.map(({ attachments }) => attachments?.length));
    return { answer: 'the door', toolCalls: [], attachments: [withBytes] };
  });
  const store = createMemoryStore();
  const talk = [{ id: 'talk', turns: ['Draw it.', 'Again.'] }];
  const { results } = await evaluate(talk, [resolvedTarget('bot', bot)], store);
  expect(seen).toEqual([[undefined], [undefined, undefined, undefined]]);
  expect(results[0]?.trial.transcript.map(({ attachments }) => attachments?.length)).toEqual([
    undefined,
    1,
    undefined,
    1,
  ]);
  await store.close();
});

test('judges see the pictures of an answer, and those of the question of a recorded conversation', async () => {
  const bot = buildTarget(({ messages }) => ({
    answer: 'the door',
    toolCalls: [],
    transcript: [
      { ...(messages[0] as Message), attachments: [{ ...withBytes, at: 0 }] },
      { role: 'assistant', content: 'Drawing …', attachments: [withBytes] },
      { role: 'assistant', content: 'the door' },
    ],
  }));
  const store = createMemoryStore();
  const { results } = await evaluate(asked, [resolvedTarget('bot', bot)], store);
  const [result] = results;
  const material = materialOf(result as MetricInput, ['question', 'answer']);
  expect(material).toEqual([
    { title: 'question', text: 'Draw it.', attachments: [{ ...drawn, at: 0 }] },
    { title: 'answer', text: 'the door', attachments: [drawn] },
  ]);
  await store.close();
});

test('a file that is missing or has changed is damage of the store, and the rest of its run can be saved', async () => {
  const store = openSqliteStore(path.join(folder, 'damaged', 'touchstone.db'));
  const bot = buildTarget(() => ({ answer: 'the door', toolCalls: [], attachments: [withBytes] }), {
    takes: ['image'],
  });
  const { finished } = await evaluate(rows.slice(0, 1), [resolvedTarget('bot', bot)], store);
  expect(await Array.fromAsync(checkStore(store))).toEqual([]);

  const blobs = path.join(folder, 'damaged', 'blobs');
  const fileOf = (hash: string) => path.join(blobs, hash.slice(0, 2), hash.slice(2));
  const question = sha256(pictures.png);
  await rm(fileOf(drawn.hash));
  await rm(fileOf(question));
  await writeFile(fileOf(question), 'something else');
  const damages = [
    [question, 'has changed since it was stored'],
    [drawn.hash, 'is missing'],
  ]
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
    .map(([hash = '', what]) => `the file ${hash.slice(0, 12)}… of a question or an answer ${what}`);
  expect(await Array.fromAsync(checkStore(store))).toEqual(
    damages.map((what) => ({ runId: finished.id, what })),
  );

  const { lost, lines } = await salvageRun(finished, store);
  expect(lost).toEqual(damages);
  const other = createMemoryStore();
  const saved = await importRun(rowsOf(await Array.fromAsync(lines)), other);
  expect((await Array.fromAsync(other.readResults(saved.id)))[0]?.trial.answer).toBe('the door');
  await other.close();
  await store.close();
});
