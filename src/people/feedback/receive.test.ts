import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { receiveFeedback, receiveRows } from './receive.ts';
import { eraseUserKey, feedbackKind } from '../../stores/kinds/feedback.ts';

const thumb = {
  id: 'f1',
  at: '2026-01-02T10:00:00.000Z',
  source: 'web',
  signal: 'thumb',
  value: 'down',
  subject: { traceId: 't1' },
};

function begin() {
  const store = createMemoryStore();
  const secrets = { text: (text: string) => text.replaceAll('hunter2-hunter2', '[PASSWORD]') };
  const receive = async (...values: unknown[]) =>
    await receiveFeedback(
      values.map((value) => ({ value })),
      { store, secrets, now: '2026-01-02T10:00:01.000Z' },
    );
  const read = async () =>
    (await Array.fromAsync(store.documents.list(feedbackKind))).map((kept) => kept.feedback);
  return { store, secrets, receive, read };
}

test('neither the user nor a secret nor an address reaches the store', async () => {
  const { receive, read } = begin();
  const text = 'I am ann@example.com, my password is hunter2-hunter2';
  await receive({ ...thumb, user: 'ann@example.com', text }, { ...thumb, id: 'f2', user: 'bob' });
  const [first, second] = await read();
  expect(first?.text).toBe('I am ‹email-1›, my password is [PASSWORD]');
  expect(first?.user?.hash).toMatch(/^[0-9a-f]{32}$/);
  expect(second?.user?.hash).not.toBe(first?.user?.hash);
  expect(JSON.stringify([first, second])).not.toMatch(/ann@|hunter2|bob/);
});

test('times have one spelling, so that they sort as texts', async () => {
  const { receive, read } = begin();
  await receive(
    { ...thumb, at: '2026-01-02T10:00:00.5Z' },
    { ...thumb, id: 'f2', at: '2026-01-02T10:00:00Z' },
  );
  expect((await read()).map(({ id, at }) => [id, at])).toEqual([
    ['f2', '2026-01-02T10:00:00.000Z'],
    ['f1', '2026-01-02T10:00:00.500Z'],
  ]);
});

test('one user has one hash while the key lives, and the same feedback stays the same after it was erased', async () => {
  const { store, receive, read } = begin();
  await receive({ ...thumb, user: 'ann' }, { ...thumb, id: 'f2', user: 'ann' });
  const [first, second] = await read();
  expect(second?.user).toEqual(first?.user);
  await eraseUserKey(store.documents);
  expect(await receive({ ...thumb, user: 'ann' })).toMatchObject({ known: 1, refused: [] });
  await receive({ ...thumb, id: 'f3', user: 'ann' });
  expect((await read())[2]?.user?.hash).not.toBe(first?.user?.hash);
});

test('feedback that cannot be used is refused with a reason, and the rest is stored', async () => {
  const { receive } = begin();
  const receipt = await receive(
    thumb,
    { ...thumb, value: 'up' },
    { ...thumb, id: 'f2', value: 5 },
    { ...thumb, id: 'f3', signal: 'stars', value: 6 },
    { ...thumb, id: 'f4', signal: 'outcome', value: true },
    { ...thumb, id: 'f5', signal: 'text', value: undefined },
    { ...thumb, id: 'f6', subject: {} },
    { ...thumb, id: 'f7', label: 'x' },
    'text',
    { ...thumb, id: 'f8', signal: 'retry', value: undefined },
    { ...thumb, id: 'f9', subject: { run: 'latest', caseId: 'one' } },
  );
  expect(receipt).toMatchObject({ added: 2, known: 0, matched: 0 });
  expect(receipt.refused.map(({ id, reason }) => [id, reason])).toEqual([
    ['f2', expect.stringContaining('a thumb has the value "up" or "down"')],
    ['f3', expect.stringContaining('stars have a value from 1 to 5')],
    ['f4', expect.stringContaining('an outcome has a name')],
    ['f5', expect.stringContaining('the signal text has a text')],
    ['f6', expect.stringContaining('subject')],
    ['f7', expect.stringContaining('label')],
    [null, expect.stringContaining('expected an object')],
    ['f9', expect.stringContaining('expected the id of a run')],
    ['f1', 'this id is stored with another content'],
  ]);
});

test('the rows of a file are stored in batches, and a refused one is named by its line', async () => {
  const { store, secrets } = begin();
  const rows = async function* () {
    for (let line = 1; line <= 2500; line += 1)
      yield {
        value: { ...thumb, id: line === 1700 ? 'not an id' : `f${line}` },
        place: { file: 'a.jsonl', line },
      };
  };
  const reception = { store, secrets, now: '2026-01-02T10:00:01.000Z' };
  const receipt = await receiveRows(rows(), reception);
  expect(receipt).toMatchObject({ added: 2499, refused: [{ id: 'not an id', place: 'a.jsonl:1700' }] });
  expect(await receiveRows(rows(), reception)).toMatchObject({ added: 0, known: 2499 });
});

test('a file of exported feedback is read without loss, and changes nothing where it came from', async () => {
  const { store, secrets, receive, read } = begin();
  await receive(
    { ...thumb, user: 'ann', text: 'I am ann@example.com' },
    { ...thumb, id: 'f2', signal: 'stars', value: 4, dwellMs: 1200 },
  );
  const exported = await read();
  const rows = async function* () {
    for (const value of structuredClone(exported)) yield { value };
  };
  const later = { secrets, now: '2026-02-01T00:00:00.000Z', takesExported: true };
  expect(await receiveRows(rows(), { store, ...later })).toMatchObject({
    added: 0,
    known: 2,
    refused: [],
  });
  const other = createMemoryStore();
  expect(await receiveRows(rows(), { store: other, ...later })).toMatchObject({ added: 2 });
  const kept = (await Array.fromAsync(other.documents.list(feedbackKind))).map((each) => each.feedback);
  expect(kept).toEqual(exported);
  expect(kept[0]).toMatchObject({
    receivedAt: '2026-01-02T10:00:01.000Z',
    user: { key: expect.any(String) },
  });
});

test('a program that sends feedback does not decide when it was received, nor the hash of its user', async () => {
  const { receive } = begin();
  const { refused } = await receive(
    { ...thumb, receivedAt: '2020-01-01T00:00:00.000Z' },
    { ...thumb, id: 'f2', user: { key: 'k', hash: 'h' } },
  );
  expect(refused.map(({ id }) => id)).toEqual(['f1', 'f2']);
});
