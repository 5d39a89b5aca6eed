import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { exactNumber } from '../../core/lib/json/exact-number.ts';
import { openDataset } from './open-dataset.ts';
import { parquet } from './parquet.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

async function readRows(file: string): Promise<Readonly<Record<string, unknown>>[]> {
  const { drafts } = await openDataset({
    paths: [path.basename(file)],
    folder: path.dirname(file),
    readers: [parquet],
  });
  return (await Array.fromAsync(drafts())).map(({ value }) => value);
}

test('a row is a case, with lists, objects, large numbers and times as in JSON', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'parquet-'));
  const file = path.join(folder.path, 'golden.parquet');
  const columnData = [
    { name: 'id', data: ['a', 'b'], type: 'STRING' as const },
    { name: 'question', data: ['Cost?', 'Who?'], type: 'STRING' as const },
    { name: 'expected_keywords', data: [['49', 'dollars'], []], type: 'JSON' as const },
    { name: 'big', data: [2n ** 60n + 1n, 5n], type: 'INT64' as const },
    { name: 'at', data: [new Date(0), null], type: 'TIMESTAMP' as const, nullable: true },
  ];
  writeFileSync(file, Buffer.from(parquetWriteBuffer({ columnData })));
  expect(await readRows(file)).toMatchObject([
    {
      id: 'a',
      input: 'Cost?',
      expected: { keywords: ['49', 'dollars'] },
      metadata: { big: exactNumber('1152921504606846977'), at: '1970-01-01T00:00:00.000Z' },
    },
    { id: 'b', input: 'Who?', metadata: { big: 5 } },
  ]);
});

test('the index that pandas writes as a column is no column of the questions', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'parquet-'));
  const file = path.join(folder.path, 'golden.parquet');
  const question = { name: 'question', data: ['Cost?'], type: 'STRING' as const };
  const index = { name: '__index_level_0__', data: [7n], type: 'INT64' as const };
  writeFileSync(file, Buffer.from(parquetWriteBuffer({ columnData: [question, index] })));
  expect((await readRows(file))[0]).not.toHaveProperty('metadata');
});

test('a file that is cut short, or none of Parquet, ends in a message', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'parquet-'));
  const file = path.join(folder.path, 'golden.parquet');
  const columnData = [{ name: 'question', data: ['Cost?'], type: 'STRING' as const }];
  const whole = Buffer.from(parquetWriteBuffer({ columnData }));
  for (const bytes of [whole.subarray(0, -5), Buffer.from('id,question\n1,Cost?\n')]) {
    writeFileSync(file, bytes);
    await expect(readRows(file)).rejects.toMatchObject({ code: 'dataset-unreadable' });
  }
});

test.skipIf(!isReleaseTested)(
  'a page that is gigantic when it is unpacked ends in a message (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'parquet-'));
    const file = path.join(folder.path, 'golden.parquet');
    const columnData = [{ name: 'question', data: ['x'.repeat(257 * 2 ** 20)], type: 'STRING' as const }];
    const compressors = { GZIP: (input: Uint8Array) => gzipSync(input, { level: 1 }) };
    writeFileSync(file, Buffer.from(parquetWriteBuffer({ columnData, codec: 'GZIP', compressors })));
    await expect(readRows(file)).rejects.toMatchObject({ code: 'dataset-unreadable' });
  },
);

const data = path.resolve(import.meta.dirname, '../../../../shared/data/interop/parquet');

test.skipIf(!existsSync(data))(
  'a file of pyarrow has the rows that are in it (needs ../shared/data)',
  async () => {
    const name = 'train-00000-of-00001.parquet';
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const rows = await readRows(path.join(data, name));
    const expected = facts[name]['rows as JSON'] as { id: string; question: { content: string }[][] }[];
    expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    // A question is a list of turns, each a list of messages: here one turn of one message.
    expect(rows.map(({ input }) => input)).toMatchObject(expected.map(({ question }) => question[0]));
  },
);

test('a row group of more rows than fit in memory is refused by what the footer states', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'parquet-'));
  const file = path.join(folder.path, 'golden.parquet');
  const data = Array.from({ length: 2 ** 21 + 1 }, () => 'same?');
  const columnData = [{ name: 'question', data, type: 'STRING' as const }];
  writeFileSync(file, Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: data.length })));
  await expect(readRows(file)).rejects.toMatchObject({
    code: 'dataset-unreadable',
    message: expect.stringContaining('a row group has 2,097,153 rows'),
    remedy: expect.stringContaining('row_group_size'),
  });
});
