import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importFiles } from '../../../../test/support/import-files.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';

test.skipIf(!isReleaseTested)(
  'a gzip file that unpacks to more than the limit is refused (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const part = Buffer.alloc(32 * 2 ** 20, ' ');
    const bomb = gzipSync(part, { level: 1 });
    const large = Buffer.concat(Array.from({ length: 17 }, () => bomb));
    expect(large.length).toBeLessThan(10 * 2 ** 20);
    await expect(importFiles({ 'a.jsonl.gz': large })).rejects.toThrow(
      'larger than 512 MB when it is unpacked',
    );
    await expect(importFiles({ 'scores/a.jsonl.gz': large, 'b.json': '[]' })).rejects.toThrow(
      'larger than 512 MB',
    );
  },
);

test.each([
  ['empty.json', ''],
  ['list.json', '[]'],
  ['cut.jsonl', '{"id": 1, "traceId": "a"}\n{"id": 2, "tra'],
  ['cut.csv', 'id,traceId,name,dataType,source\n1,"a'],
  ['numbers.json', '[1, 2, null]'],
])('%s ends in a message', async (name, content) => {
  await expect(importFiles({ [name]: content })).rejects.toMatchObject({ code: 'import-invalid' });
});

test('an answer that is nested very deeply ends in a message or is kept', async () => {
  const deep = `${'{"answer":'.repeat(5000)}"x"${'}'.repeat(5000)}`;
  const row = `[{"example_id":"e","repetition_number":1,"input":"q","output":${deep}}]`;
  const project = await importFiles({ 'deep.json': row }).catch((error: unknown) => error);
  if (project instanceof Error) expect(project).toMatchObject({ code: 'import-invalid' });
  else expect(project).toMatchObject({ record: { counts: { answers: 1 } } });
});
