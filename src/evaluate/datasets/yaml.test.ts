import { expect, test } from 'vitest';
import { piecesOf } from './json.ts';
import { yaml } from './yaml.ts';

const read = (text: string) =>
  Array.fromAsync(yaml.read({ name: 'golden.yaml', read: () => piecesOf(text, 3) }));

test('a list is read with the places of its values', async () => {
  const rows = await read(
    '# ours\n- question: a\n  expected:\n    keywords:\n      - x\n      - y\n- question: b\n',
  );
  expect(rows.map(({ value, place }) => [value, place.line, place.column])).toEqual([
    [{ question: 'a', expected: { keywords: ['x', 'y'] } }, 2, 3],
    [{ question: 'b' }, 7, 3],
  ]);
  expect(rows[0]?.locate(['expected', 'keywords', 1])).toEqual({ file: 'golden.yaml', line: 6, column: 9 });
  expect(rows[0]?.locate(['expected', 'missing'])).toEqual({ file: 'golden.yaml', line: 4, column: 5 });
});

test('the list may be under a name such as cases', async () => {
  const rows = await read('version: 1\ncases:\n  - question: a\n  - question: b\n');
  expect(rows.map(({ value, place }) => [value, place.line])).toEqual([
    [{ question: 'a' }, 3],
    [{ question: 'b' }, 4],
  ]);
});

test('each of several documents is a case', async () => {
  const rows = await read('question: a\n---\nquestion: b\n...\n');
  expect(rows.map(({ value, place }) => [value, place.line])).toEqual([
    [{ question: 'a' }, 1],
    [{ question: 'b' }, 3],
  ]);
});

test('anchors, aliases and merge keys are followed', async () => {
  const rows = await read('- &base {category: c, question: a}\n- <<: *base\n  question: b\n');
  expect(rows[1]?.value).toEqual({ category: 'c', question: 'b' });
});

test('numbers and names keep all their digits, in block and flow notation and behind aliases', async () => {
  const rows = await read(
    '- &base {question: a, user_id: 1290461237612345677}\n- <<: *base\n  metadata:\n    1290461237612345671: -12345678901234567.89\n    small: 0.30000000000000004\n    hex: 0x1fffffffffffff\n    huge: 1e400\n    text: "1290461237612345677"\n',
  );
  expect(rows.map(({ value }) => JSON.stringify(value))).toEqual([
    '{"question":"a","user_id":1290461237612345677}',
    '{"question":"a","user_id":1290461237612345677,"metadata":{"1290461237612345671":-12345678901234567.89,"small":0.30000000000000004,"hex":9007199254740991,"huge":1e+400,"text":"1290461237612345677"}}',
  ]);
});

/** Ten lists, each with nine times the one before it. */
const billionLaughs = Array.from({ length: 10 }, (_, at) => {
  const before = at === 0 ? 'x' : `*list${at - 1}`;
  return `- &list${at} [${Array.from({ length: 9 }, () => before).join(',')}]\n`;
}).join('');

test.each([
  ['- question: [\n', /^golden\.yaml:2:1: /],
  ['@nothing\n', /^golden\.yaml:1:1: /],
  ['- a: 1\n  a: 2\n', /^golden\.yaml:2:3: two fields with the same name/],
  ['version: 1\nstories: []\n', /but found an object with version, stories$/],
  ['just text\n', /but found the value "just text"$/],
  [billionLaughs, /more than 5 million values$/],
])('%j is refused', async (text, message) => {
  await expect(read(text)).rejects.toMatchObject({
    code: 'dataset-invalid',
    message: expect.stringMatching(message),
  });
});

test('empty files and comments have no rows', async () => {
  for (const text of ['', '# nothing\n', '---\n', '[]', 'cases: []\n']) expect(await read(text)).toEqual([]);
});
