import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FieldOverrides } from '../../datasets/field-mapping.ts';
import { openDataset } from '../../datasets/open-dataset.ts';
import * as registry from '../../datasets/registry.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { hashCase } from './check-draft.ts';
import { type LoadedCase, loadCases } from './load.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'load-'));
});
afterAll(() => rm(folder, { recursive: true }));

const named = (name: string) => displayPath(path.join(folder, name));

async function load(name: string, text: string, fields: FieldOverrides = {}) {
  await writeFile(path.join(folder, name), text);
  const notices: string[] = [];
  const dataset = await openDataset({ paths: [name], folder, fields, readers: Object.values(registry) });
  const loaded: LoadedCase[] = [];
  let error: TouchstoneError | undefined;
  try {
    for await (const each of loadCases(dataset, { onNotice: ({ message }) => notices.push(message) }))
      loaded.push(each);
  } catch (thrown) {
    if (!(thrown instanceof TouchstoneError)) throw thrown;
    error = thrown;
  }
  const message = error?.message.replaceAll(displayPath(folder) + path.sep, '') ?? '';
  return { loaded, notices, error, lines: message === '' ? [] : message.split(/\n */) };
}

test('cases come with their place and the hash of their content', async () => {
  const { loaded } = await load(
    'a.jsonl',
    '{"id":"one","question":"q","expected_keywords":["k"]}\n\n{"question":"r"}\n',
  );
  expect(loaded).toEqual([
    {
      case: { id: 'one', input: 'q', tags: [], expected: { keywords: ['k'] }, metadata: {} },
      hash: hashCase({ input: 'q', expected: { keywords: ['k'] }, metadata: {} }),
      place: { file: named('a.jsonl'), line: 1, column: 1 },
    },
    {
      case: {
        id: expect.stringMatching(/^case-[0-9a-f]{12}$/),
        input: 'r',
        tags: [],
        expected: {},
        metadata: {},
      },
      hash: hashCase({ input: 'r', expected: {}, metadata: {} }),
      place: { file: named('a.jsonl'), line: 3, column: 1 },
    },
  ]);
  expect(loaded[1]?.case.id).toBe(`case-${loaded[1]?.hash.slice(0, 12)}`);
});

test('the identity of a case is its content; its id and its groups can change', () => {
  const content = { input: 'q', expected: { answer: 'a' }, context: 'c', metadata: { m: 1, n: 2 } };
  const named = { ...content, id: 'x', category: 'c', tags: ['t'], cluster: 'd' };
  expect(hashCase(named)).toBe(hashCase(content));
  expect(hashCase({ ...content, metadata: { n: 2, m: 1 } })).toBe(hashCase(content));
  const others = [{ input: 'r' }, { expected: {} }, { context: undefined }, { metadata: {} }];
  expect(new Set([content, ...others.map((other) => ({ ...content, ...other }))].map(hashCase)).size).toBe(5);
});

test("every bad field is reported under the user's name with its place, what was expected and what was found", async () => {
  const row = {
    id: '',
    prompt: 5,
    expectedKeywords: 'Montrose, Basis',
    tags: ['a', {}],
    must_not_include: [''],
    expected: { tools: ['a', 7, { args: 1 }], refusal: 'perhaps' },
    metadata: 'm',
  };
  const { error, lines, loaded } = await load('b.jsonl', `{"question":"ok"}\n${JSON.stringify(row)}\n`);
  expect(error?.code).toBe('dataset-invalid');
  expect(loaded).toHaveLength(1);
  expect(lines).toEqual([
    'The dataset has 8 problems:',
    'b.jsonl:2:7: id: expected a text that is not empty, found the text ""',
    'b.jsonl:2:19: prompt: expected a text or a list of messages, found the number 5',
    'b.jsonl:2:70: tags[1]: expected a text, found an empty object',
    'b.jsonl:2:40: expectedKeywords: expected a list of texts, found the text "Montrose, Basis"',
    'b.jsonl:2:94: must_not_include[0]: expected a text that is not empty, found the text ""',
    'b.jsonl:2:123: expected.tools[1]: expected the name of a tool, or an object with its name and no other keys than arguments, match, ignore, tolerance, text, status, times, found the number 7',
    'b.jsonl:2:125: expected.tools[2].name: expected a text, found nothing',
    'b.jsonl:2:147: expected.refusal: expected true or false, found the text "perhaps"',
  ]);
});

test('problems in messages are reported with their place', async () => {
  const { lines } = await load(
    'c.jsonl',
    '{"messages":[{"role":"user","content":"q"},{"role":"bot","content":5}]}\n{"input":[]}',
  );
  expect(lines).toEqual([
    'The dataset has 3 problems:',
    'c.jsonl:1:52: messages[1].role: expected system, user, assistant or tool, found the text "bot"',
    'c.jsonl:1:68: messages[1].content: expected a text, found the number 5',
    'c.jsonl:2:10: input: expected at least one message, found an empty list',
  ]);
});

test('documents with relevance are read like others, and a wrong relevance is reported under its id', async () => {
  const { loaded } = await load('r.jsonl', '{"question":"q","relevant_ids":{"d1":2,"d2":-1}}\n');
  expect(loaded[0]?.case.expected.documents).toEqual([
    { id: 'd1', relevance: 2 },
    { id: 'd2', relevance: -1 },
  ]);
  const { lines } = await load(
    's.jsonl',
    '{"question":"q","relevant_ids":{"d1":2,"d2":"high"}}\n{"question":"r","relevant_ids":["a",{"relevance":1}]}\n',
  );
  expect(lines).toEqual([
    'The dataset has 2 problems:',
    's.jsonl:1:45: relevant_ids.d2: expected a number, found the text "high"',
    's.jsonl:2:37: relevant_ids[1].id: expected a text, found nothing',
  ]);
});

test('a mistyped name of the question is reported with the right one', async () => {
  const { lines, error } = await load('t.jsonl', '{"quesiton":"a"}\n');
  expect(lines).toEqual(['t.jsonl:1:1: there is no question; the row has quesiton']);
  expect(error?.remedy).toBe('Rename "quesiton" to "question".');
});

test('ten problems are reported in full, the others counted, and no case follows the first problem', async () => {
  const text = `{"question":"a"}\n${'{"question":5}\n'.repeat(13)}{"question":"b"}\n{"question":\n`;
  const { lines, loaded } = await load('d.jsonl', text);
  expect(lines).toHaveLength(12);
  expect(lines[0]).toBe('The dataset has 14 problems:');
  expect(lines[10]).toContain('d.jsonl:11:13: question: ');
  expect(lines[11]).toBe('… and 4 more');
  expect(loaded).toHaveLength(1);
});

test('syntax errors are reported together with wrong values', async () => {
  const text = '{"question":"What is "c"?"}\n{"question":5}\n{"question":"x",}\n';
  const { lines, error } = await load('e.jsonl', text);
  expect(lines).toEqual([
    'The dataset has 3 problems:',
    `e.jsonl:1:23: expected ',' or '}' but found 'c'`,
    'e.jsonl:2:13: question: expected a text or a list of messages, found the number 5',
    `e.jsonl:3:17: expected '"' but found '}'`,
  ]);
  expect(error?.remedy).toContain('Remove the comma before it.');
  const list = await load('e.json', '[{"question":5},\n{"question":"a"},]');
  expect(list.lines).toHaveLength(3);
});

test.each([
  '{}',
  '{"question":null}',
  '{"question":""}',
  '{"question":" \\n\\t"}',
  '{"question":"\\u200b"}',
  '{"messages":[{"role":"user","content":" "}]}',
])('the question of %j is refused as missing or blank', async (text) => {
  const { error, lines } = await load('f.jsonl', text);
  expect(error?.code).toBe('dataset-invalid');
  expect(lines).toEqual([
    expect.stringMatching(
      /^f\.jsonl:1:\d+: (there is no question$|(question|messages): expected a (question|text))/,
    ),
  ]);
});

test('a file without a known question names its fields and proposes one', async () => {
  const { lines, error } = await load('g.csv', 'persona,text\ndoctor,What is the aorta for?\n');
  expect(lines).toEqual(['g.csv:2:1: there is no question; the row has persona, text']);
  expect(error?.remedy).toBe(
    "Name the field \"question\", or say in the config which one it is: `dataset: { path: …, fields: { 'text': 'question' } }`.",
  );
  expect((await load('g.csv', 'persona,text\ndoctor,What?\n', { text: 'question' })).loaded).toHaveLength(1);
});

test('a row that is not an object is reported', async () => {
  const { lines } = await load('h.jsonl', '"just text"\n[1]\nnull\n');
  expect(lines).toEqual([
    'The dataset has 3 problems:',
    'h.jsonl:1:1: expected an object with the fields of a question, found the text "just text"',
    'h.jsonl:2:1: expected an object with the fields of a question, found a list of 1',
    'h.jsonl:3:1: expected an object with the fields of a question, found null',
  ]);
});

test('numbers that JSON cannot represent are reported', async () => {
  const { lines } = await load('i.yaml', '- question: a\n  weights: [1, .nan]\n');
  expect(lines).toEqual(['i.yaml:2:16: weights[1]: expected a value that JSON can represent, found NaN']);
});

test('an extremely deeply nested value is refused, not a crash', async () => {
  const { lines } = await load(
    'q.jsonl',
    `{"question":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  );
  expect(lines).toEqual([
    'q.jsonl:1:1: expected a value that JSON can represent, found an object with the keys input, metadata',
  ]);
});

test('no control character of a file reaches a message', async () => {
  const evil = '\u001b[2J\u202e\u0007';
  const { lines } = await load(
    'j.jsonl',
    JSON.stringify({ question: 'q', category: [evil], id: 5.5, [evil]: 1, expected_tools: evil }),
  );
  const missing = await load('k.jsonl', JSON.stringify({ [evil]: evil }));
  const kept = await load('l.jsonl', JSON.stringify({ question: evil.concat('q'), [evil]: evil }));
  const shown = [...lines, ...missing.lines, missing.error?.remedy ?? '', ...kept.notices];
  expect(shown.length).toBeGreaterThan(4);
  for (const line of shown) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('long values are shortened', async () => {
  const { lines } = await load('m.jsonl', JSON.stringify({ question: 'q', tags: 'x, '.repeat(10_000) }));
  expect(lines[0]?.length).toBeLessThan(140);
});

test('a dataset without cases is refused with the names of its files', async () => {
  for (const [name, text] of Object.entries({
    'n.jsonl': '',
    'n.json': '[]',
    'n.csv': 'question\n',
    'n.yaml': '',
  })) {
    const { error } = await load(name, text);
    expect(error).toMatchObject({
      code: 'dataset-empty',
      message: `There are no questions in ${named(name)}.`,
    });
  }
});

test('unknown fields are reported once each, in one sentence, when all rows have been read', async () => {
  const text = '{"question":"a","type":1}\n{"question":"b","type":2,"level":3}\n{"question":"c"}\n';
  expect((await load('o.jsonl', text)).notices).toEqual(['Kept as metadata: type, level (2 rows)']);
  expect((await load('o.jsonl', '{"question":"a"}\n')).notices).toEqual([]);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index + 1]));
  const { notices } = await load('o.jsonl', JSON.stringify({ question: 'a', ...many }));
  expect(notices).toEqual([expect.stringMatching(/^Kept as metadata: f0, .*, f19 and others \(1 row\)$/)]);
});
