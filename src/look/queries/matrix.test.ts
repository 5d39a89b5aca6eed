import { beforeAll, expect, test } from 'vitest';
import { type AskedCase, buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { matrix } from '../../library/api/compare.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { writeColumns } from '../../core/schema/api/comparison/matrix.ts';
import { countMatrix, findColumns, listMatrix } from './matrix.ts';

const store = createMemoryStore();
const totals = {
  v1: [1, 0.2, 1, 0, 1, null],
  v2: [1, 0.2, 0.4, 1, 1, 1],
  v3: [1, 0.2, 0.4, 1, 0.9, 0],
} as const;
const target = (name: string) => ({ name, use: { use: 'module' }, fingerprint: name.padEnd(32, '0') });

const asked = (values: readonly (number | null)[], version: string): AskedCase[] =>
  values.map((total, index) => ({
    asks: `q${index}`,
    attempts: [{ total, answer: `${version} says ${index}` }],
  }));

beforeAll(async () => {
  for (const [id, values] of Object.entries(totals))
    await buildKeptRun(
      [...asked(values, id), { asks: `only ${id}`, attempts: [{ total: 1 }] }],
      { id, name: `name-${id}` },
      store,
    );
  const often = [0, 1].map((index) => ({
    asks: `q${index}`,
    attempts: [
      { total: 1, answer: 'right' },
      { total: index, answer: 'second' },
      { total: 0, isAbsent: index === 1 },
    ],
  }));
  await buildKeptRun(often, { id: 'often' }, store);
  await buildKeptRun(
    asked(totals.v1, 'a'),
    { id: 'two', targets: [target('openai:gpt, small 5%'), target('b')] },
    store,
  );
});

const read = async (columns: string[], query: Parameters<typeof listMatrix>[2] = {}) =>
  await listMatrix(store, await findColumns(store, columns), query);

test('a row has the answer, the score and the result of each column', async () => {
  const { columns, rows, next } = await read(['v1', 'v2:bot', 'name-v3']);
  expect(columns.map(({ run, target: of, name }) => [run, of, name])).toEqual([
    ['v1', 'bot', 'name-v1'],
    ['v2', 'bot', 'name-v2'],
    ['v3', 'bot', 'name-v3'],
  ]);
  expect([next, rows.map(({ caseId }) => caseId)]).toEqual([null, ['q0', 'q1', 'q2', 'q3', 'q4', 'q5']]);
  expect(rows[3]).toMatchObject({
    question: 'q3',
    cells: [
      { result: 'failed', total: 0, ordinal: 3, answer: 'v1 says 3', answerLength: 9, attempts: ['failed'] },
      { result: 'passed', total: 1, reason: null },
      { result: 'passed', answer: 'v3 says 3' },
    ],
  });
  expect(rows[5]?.cells[0]).toMatchObject({ result: 'not-measured', total: null });
});

test('rows are filtered by their cells, and counted by how they turned out; what is not measured neither passes nor fails', async () => {
  const idsOf = async (where: string, sort?: string) =>
    (await read(['v1', 'v2', 'v3'], { where, sort })).rows.map(({ caseId }) => caseId);
  expect(await idsOf('cells=differ')).toEqual(['q2', 'q3', 'q5']);
  expect(await idsOf('cells=all-fail')).toEqual(['q1']);
  expect(await idsOf('cells!=all-pass')).toEqual(['q1', 'q2', 'q3', 'q5']);
  expect(await idsOf('cells=only-a-fails')).toEqual(['q3']);
  expect(await idsOf('cells=only-c-fails')).toEqual([]);
  expect(await idsOf('b.passed=true c.passed=false')).toEqual(['q5']);
  expect(await idsOf('c.answer~"says 3"')).toEqual(['q3']);
  expect(await idsOf('', '-spread')).toEqual(['q3', 'q5', 'q2', 'q4', 'q0', 'q1']);
  const targets = await findColumns(store, ['v1', 'v2', 'v3']);
  expect(await countMatrix(store, targets, 'cells=differ a.passed=true')).toEqual({
    matching: 1,
    all: 6,
    differ: 3,
    allFail: 1,
    notAllPass: 4,
    onlyFails: [1, 0, 0],
    unpaired: ['v1', 'v2', 'v3'].map((id) => ({ cases: 1, first: [`only ${id}`] })),
  });
  await expect(idsOf('d.passed=true')).rejects.toMatchObject({ code: 'usage-invalid' });
  await expect(idsOf('', 'cells')).rejects.toMatchObject({ code: 'usage-invalid' });
});

test('a question passes when all of its attempts do, and the attempt that decides it is shown', async () => {
  const { rows } = await read(['v1', 'often']);
  expect(rows.map(({ cells }) => cells[1])).toMatchObject([
    {
      result: 'failed',
      total: 1 / 3,
      ordinal: 1,
      answer: 'second',
      attempts: ['passed', 'failed', 'failed'],
    },
    { result: 'not-measured', total: 1, ordinal: 3, answer: 'right', attempts: ['passed', 'passed', null] },
  ]);
});

test('a run stands for its targets, commas in their names are escaped, and a column stands once', async () => {
  const named = async (names: string[]) =>
    (await findColumns(store, names)).columns.map(({ run, target: of }) => `${run.id} ${of}`);
  expect(await named(['two'])).toEqual(['two openai:gpt, small 5%', 'two b']);
  expect(await named(['two:openai:gpt%2C small 5%25', 'v1', 'v1:bot'])).toEqual([
    'two openai:gpt, small 5%',
    'v1 bot',
  ]);
  const written = writeColumns([{ run: 'two', target: 'openai:gpt, small 5%' }]);
  expect(await named([written])).toEqual(['two openai:gpt, small 5%']);
  const { columns, leftOut } = await findColumns(store, ['v1', 'v2', 'v3', 'often', 'two', 'latest~1', 'v3']);
  expect([columns.length, leftOut.length]).toEqual([6, 0]);
  await expect(named(['v1:nobody'])).rejects.toMatchObject({ code: 'usage-invalid' });
  await expect(named(['v9'])).rejects.toMatchObject({ code: 'run-not-found' });
  await expect(named([])).rejects.toMatchObject({ code: 'usage-invalid' });
});

test('columns beyond the eighth are named', async () => {
  const many = createMemoryStore();
  const targets = Array.from({ length: 10 }, (_, index) => target(`t${index}`));
  await buildKeptRun([{ asks: 'q', attempts: [{ total: 1 }] }], { id: 'many', targets }, many);
  const { columns, leftOut } = await findColumns(many, ['many']);
  expect([columns.length, leftOut.map((each) => each.target)]).toEqual([8, ['t8', 't9']]);
});

test('long answers are cut and end a part early, so that no part grows with them', async () => {
  const long = createMemoryStore();
  const cases = Array.from({ length: 150 }, (_, index) => ({
    asks: `q${index}`,
    attempts: [{ total: 1, answer: 'x'.repeat(30_000) }],
  }));
  await buildKeptRun(cases, { id: 'a' }, long);
  const targets = await findColumns(long, ['a']);
  const first = await listMatrix(long, targets);
  expect(first.rows.length).toBe(51);
  expect(first.rows[0]?.cells[0]).toMatchObject({ answerLength: 30_000 });
  expect(first.rows[0]?.cells[0]?.answer).toHaveLength(20_000);
  const rest = await listMatrix(long, targets, { after: first.next ?? '' });
  expect([rest.rows[0]?.caseId, rest.rows.length, rest.next]).toEqual(['q51', 51, expect.any(String)]);
});

test('the library reads as many rows as are wanted, the worst where there are more, with the counts of all', async () => {
  const { rows, counts, columns } = await matrix(['v1', 'v2'], { store, where: 'a.passed=true', limit: 2 });
  expect([rows.map(({ caseId }) => caseId), counts.matching, columns.length]).toEqual([['q2', 'q0'], 3, 2]);
});
