import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { feedbackKind } from '../../stores/kinds/feedback.ts';
import { type FeedbackColumns, readTable } from './read-table.ts';
import { receiveRows } from './receive.ts';

async function* rowsOf(rows: readonly unknown[]) {
  for (const [index, value] of rows.entries())
    yield { value, place: { file: 'export.csv', line: index + 2, column: 1 } };
  await Promise.resolve();
}

async function receive(rows: readonly unknown[], columns: FeedbackColumns, store = createMemoryStore()) {
  const now = '2026-01-03T00:00:00.000Z';
  const secrets = { text: (text: string) => text };
  const receipt = await receiveRows(readTable(rowsOf(rows), columns), { store, secrets, now });
  const read = (await Array.fromAsync(store.documents.list(feedbackKind))).map(({ feedback }) => feedback);
  return { receipt, read, store };
}

const columns = { map: { traceId: 'trace', value: 'rating', at: 'created', text: 'comment', user: 'who' } };
const row = (rating: string, comment = '', created = '2026-01-02 10:00:00') => ({
  trace: 't1',
  rating,
  comment,
  created,
  who: 'ann@example.com',
  other: 'x',
});

test('thumbs and comments of another program are feedback, and the same table again adds nothing', async () => {
  const rows = [
    row('👎', 'The price is wrong.'),
    row('Thumbs up', '', '2026-01-02T12:00:00+02:00'),
    row('', 'Thanks', '2026-01-02 10:00'),
  ];
  const { receipt, read, store } = await receive(rows, columns);
  expect(receipt).toMatchObject({ added: 3, refused: [] });
  expect(
    read.map(({ signal, value, text, at, source, subject }) => ({
      signal,
      value,
      text,
      at,
      source,
      subject,
    })),
  ).toEqual(
    expect.arrayContaining([
      {
        signal: 'thumb',
        value: 'down',
        text: 'The price is wrong.',
        at: '2026-01-02T10:00:00.000Z',
        source: 'import',
        subject: { traceId: 't1' },
      },
      expect.objectContaining({ signal: 'thumb', value: 'up', at: '2026-01-02T10:00:00.000Z' }),
      expect.objectContaining({ signal: 'text', text: 'Thanks' }),
    ]),
  );
  expect(JSON.stringify(read)).not.toContain('ann@');
  expect((await receive(rows, columns, store)).receipt).toMatchObject({ added: 0, known: 3, refused: [] });
});

test('numbers are stars or thumbs once it is said which, and outcomes are numbers or truths', async () => {
  const stars = { ...columns, set: { signal: 'stars', source: 'shop' } };
  expect((await receive([row('4')], stars)).read).toMatchObject([
    { signal: 'stars', value: 4, source: 'shop' },
  ]);
  const thumb = { ...columns, set: { signal: 'thumb' } };
  const { read } = await receive([row('1'), row('-1')], thumb);
  expect(new Set(read.map(({ value }) => value))).toEqual(new Set(['up', 'down']));
  const solved = { ...columns, set: { signal: 'outcome', name: 'solved' } };
  expect((await receive([row('false')], solved)).read).toMatchObject([{ value: false, name: 'solved' }]);
});

test('a row that cannot be used is refused with its line, and the others are added', async () => {
  const { receipt } = await receive([row('1'), row('up'), row('down', '', 'yesterday')], columns);
  expect(receipt.added).toBe(1);
  expect(receipt.refused.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
    expect.stringMatching(/^export\.csv:2: signal: expected /),
    expect.stringMatching(/^export\.csv:4: at: must be a time such as /),
  ]);
});

test.each<[FeedbackColumns, RegExp]>([
  [{ map: { vaule: 'rating' } }, /no field "vaule"\. Did you mean "value"\?/],
  [{ map: { ...columns.map, value: 'ratting' } }, /no column "ratting"\. Did you mean "rating"\?/],
  [{ map: { traceId: 'trace', value: 'rating' } }, /no column `at`.* Its columns are trace, rating/],
  [{ map: { at: 'created', value: 'rating' } }, /no column `traceId`/],
])('a mapping that cannot be followed is refused before anything is stored: %j', async (wrong, message) => {
  await expect(receive([row('up')], wrong)).rejects.toThrow(message);
});
