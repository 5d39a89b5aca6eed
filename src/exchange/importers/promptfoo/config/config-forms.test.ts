import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../../test/support/import-files.ts';
import { translateProject } from '../../../../library/api/import-project.ts';
import { exportDataset } from '../../../../library/api/export-dataset.ts';
import { evaluate } from '../../../../library/api/runs/evaluate.ts';

interface ImportedCase {
  readonly id: string;
  readonly input: unknown;
  readonly expected?: { readonly refusal?: boolean; readonly checks?: readonly object[] };
  readonly metadata: Readonly<Record<string, unknown>>;
}

const projectOf = async (config: object, files: Readonly<Record<string, string>> = {}) =>
  await importFiles({ 'promptfooconfig.yaml': stringify(config), ...files });
const casesOf = async (config: object, files?: Readonly<Record<string, string>>) =>
  linesOf<ImportedCase>(await projectOf(config, files), 'golden.jsonl');
const answersOf = async (config: object, files?: Readonly<Record<string, string>>) =>
  linesOf(await projectOf(config, files), 'answers.jsonl').map(({ answer }) => answer);

const base = { prompts: ['{{question}}'], providers: ['echo'] };

test.each([
  [
    'a list of messages',
    {
      history: [
        { role: 'user', text: 'hi' },
        { role: 'bot', text: 'hello' },
      ],
    },
    1,
  ],
  ['a list of numbers', { n: [1, 2, 3] }, 1],
  [
    'a list of lists',
    {
      pairs: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    1,
  ],
  ['an empty list', { n: [] }, 1],
  ['a list of truth values', { n: [true, false] }, 1],
  ['a list of texts', { tone: ['kind', 'curt'] }, 2],
  ['a list that begins with a text', { tone: ['kind', 2] }, 2],
  ['two lists of texts', { tone: ['kind', 'curt'], place: ['a', 'b', 'c'] }, 6],
])('%s among the variables of a test makes %s %i cases, as in promptfoo', async (_what, vars, count) => {
  const cases = await casesOf({ ...base, tests: [{ vars: { question: 'who?', ...vars } }] });
  expect(cases).toHaveLength(count);
  if (count === 1) expect(cases[0]?.metadata).toMatchObject(vars);
});

test('the list in one file is one value, and each file that a pattern matches a test', async () => {
  const tests = (reference: string) => ({
    ...base,
    tests: [{ vars: { question: 'who?', names: reference } }],
  });
  const files = { 'lists/a.yaml': '[x, y]', 'lists/b.yaml': '[z]' };
  expect(await casesOf(tests('file://lists/a.yaml'), files)).toMatchObject([
    { metadata: { names: ['x', 'y'] } },
  ]);
  expect(await casesOf(tests('file://lists/*.yaml'), files)).toHaveLength(2);
});

test.each([
  [{ ...base, prompts: ['Hello'], defaultTest: { assert: [{ type: 'contains', value: 'Hello' }] } }, 'Hello'],
  [{ ...base, prompts: ['Hello'], tests: [] }, 'Hello'],
  [{ ...base, prompts: ['Hello'] }, 'Hello'],
  [{ ...base, defaultTest: { vars: { question: 'Who?' } } }, 'Who?'],
])('a configuration without tests asks each prompt once: %j', async (config, input) => {
  expect(await casesOf(config)).toMatchObject([{ input }]);
  expect(await answersOf(config)).toEqual([input]);
});

test('`not-is-refusal` expects no refusal, and `is-refusal` one, also after a round trip', async () => {
  const of = (type: string) => ({ ...base, tests: [{ vars: { question: 'Who?' }, assert: [{ type }] }] });
  const [refuses] = await casesOf(of('is-refusal'));
  const [answers] = await casesOf(of('not-is-refusal'));
  expect(refuses?.expected).toMatchObject({ refusal: true, checks: [{ use: 'refusal' }] });
  expect(answers?.expected).toMatchObject({ refusal: false, checks: [{ use: 'refusal' }] });
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'round-'));
  const rows = [
    { id: 'a', question: 'Who?', expected_refusal: false },
    { id: 'b', question: 'How?', expected_refusal: true },
  ];
  writeFileSync(path.join(folder.path, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const output = path.join(folder.path, 'p');
  await exportDataset('promptfoo', 'golden.jsonl', { folder: folder.path, output });
  const back = linesOf<ImportedCase>(await translateProject(output), 'golden.jsonl');
  expect(back.map(({ expected }) => expected?.refusal)).toEqual([false, true]);
});

test('a test that expects a refusal and none keeps the first and names the other', async () => {
  const both = {
    ...base,
    tests: [{ vars: { question: 'Who?' }, assert: [{ type: 'is-refusal' }, { type: 'not-is-refusal' }] }],
  };
  const { record } = await projectOf(both);
  expect(record.ledger).toContainEqual(
    expect.objectContaining({
      fate: 'left-out',
      part: 'assertion not-is-refusal',
      note: 'The question expects a refusal.',
    }),
  );
});

test.each([
  ['{{question | upper}}', undefined],
  ['{% for name in names %}{{name}}{% endfor %}', undefined],
  ['{{ question.length > 3 }}', undefined],
  ['{{question}} {{nothing}}.', 'who? .'],
  ['{{question}} {{unknown}}.', 'who? .'],
  ['{{question}} {{count}}', 'who? 3'],
])('a provider that repeats the prompt %j answered %j', async (prompt, answer) => {
  const config = {
    prompts: [prompt],
    providers: ['echo'],
    tests: [{ vars: { question: 'who?', names: ['a'], count: 3, nothing: null } }],
  };
  const project = await projectOf(config);
  const answers = linesOf(project, 'answers.jsonl').map((row) => row.answer);
  expect(answers).toEqual(answer === undefined ? [] : [answer]);
  const part = 'answer of a provider that repeats the prompt';
  expect(project.record.ledger.some((entry) => entry.part === part && entry.fate === 'left-out')).toBe(
    answer === undefined,
  );
});

test.each([
  ['system.md', 'One\n\n---\n\nTwo', 1],
  ['prompts.txt', 'One\n---\nTwo\n --- \nThree', 3],
  ['prompt.j2', 'One\n---\nTwo', 1],
  ['prompts.jsonl', '[{"role":"user","content":"a"}]\n[{"role":"user","content":"b"}]\n', 2],
])('the file %s has %i prompts, as in promptfoo', async (name, text, count) => {
  const config = {
    prompts: [`file://${name}`],
    providers: ['openai:gpt-5-mini'],
    tests: [{ vars: { question: 'x' } }],
  };
  const project = await projectOf(config, { [name]: text });
  expect(project.record.found).toContain(`${count} prompt${count === 1 ? '' : 's'} ×`);
});

test('functions of a trusted configuration are code: never a prompt, a provider or a test', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'trusted-'));
  const file = path.join(folder.path, 'promptfooconfig.mjs');
  writeFileSync(
    file,
    `export default {
      prompts: [function ask({ vars }) { return 'secret code ' + vars.question; }, { label: 'two', function: () => 'secret code' }, 'Plain {{question}}'],
      providers: ['openai:gpt-5-mini', async (prompt) => ({ output: 'secret code' })],
      tests: [{ vars: { question: 'x' }, assert: [{ type: 'javascript', value: (output) => output.includes('secret code') }] }],
    };`,
  );
  const project = await translateProject(file, { isTrusted: true });
  const { 'todo.md': todo = '', 'import.json': _record, ...files } = project.files;
  expect(Object.values(files).join('')).not.toMatch(/secret code|function in the configuration/);
  expect(project.record.ledger).toContainEqual(
    expect.objectContaining({ part: 'prompt made by code', count: 2, fate: 'left-out' }),
  );
  expect(todo).toContain("output.includes('secret code')");
  expect(project.record.found).toContain('1 prompt ×');
});

test('one anchor may be used hundreds of times', async () => {
  const uses = Array.from(
    { length: 300 },
    (_, index) => `  - { vars: { question: "q${index}" }, assert: *checks }`,
  );
  const text = `prompts: ['{{question}}']\nproviders: [echo]\ntests:\n  - { vars: { question: first }, assert: &checks [{ type: contains, value: q }] }\n${uses.join('\n')}\n`;
  const project = await importFiles({ 'promptfooconfig.yaml': text });
  expect(linesOf(project, 'golden.jsonl')).toHaveLength(301);
});

test('anchors that multiply end in a message', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) =>
      `l${level + 1}: &l${level + 1} [${Array.from({ length: 10 }, () => `*l${level}`).join(', ')}]`,
  );
  const text = `prompts: ['x']\nproviders: [echo]\nl0: &l0 [x]\n${levels.join('\n')}\n`;
  await expect(importFiles({ 'promptfooconfig.yaml': text })).rejects.toThrow('more than 5 million values');
});

test('a check of the cost is not applicable to an answer whose cost was not recorded', async () => {
  const [{ expected } = {}] = await casesOf({
    ...base,
    tests: [
      {
        vars: { question: 'q' },
        assert: [
          { type: 'cost', threshold: 0.01 },
          { type: 'contains', value: 'q' },
        ],
      },
    ],
  });
  const checks = expected?.checks ?? [];
  const config = { metrics: ['case-checks'], scorecard: { use: 'recorded', metric: 'case-checks' } };
  const scored = async (cost?: number) =>
    await evaluate(
      { answer: 'q', ...(cost !== undefined && { cost }) },
      { question: 'q', expected: { checks } },
      config,
    );
  expect((await scored()).verdicts['case-checks']).toMatchObject({
    status: 'scored',
    value: 1,
    passed: true,
  });
  expect((await scored(0.5)).verdicts['case-checks']).toMatchObject({ passed: false });
  expect((await scored(0.001)).verdicts['case-checks']).toMatchObject({ passed: true });
});

test('a red-team config without tests says that its attacks are to be generated first', async () => {
  const config = { targets: ['echo'], prompts: ['{{prompt}}'], redteam: { purpose: 'a shop' } };
  await expect(importFiles({ 'promptfooconfig.json': JSON.stringify(config) })).rejects.toMatchObject({
    code: 'import-invalid',
    remedy: expect.stringContaining('promptfoo redteam generate'),
  });
});

test('a provider that starts a program is named and to be finished by hand, without the key in its command', async () => {
  const config = {
    ...base,
    providers: ['exec:node bot.js --fast', 'exec:node bot.js --api-key hunter22secret', 'echo'],
    tests: [{ vars: { question: 'x' } }],
  };
  const { files, record } = await projectOf(config);
  expect(files['touchstone.config.yaml']).not.toContain('use: command');
  expect(files['targets/target-1.mjs']).toContain('exec:node bot.js --fast');
  expect(Object.values(files).join('')).not.toContain('hunter22secret');
  expect(record.ledger).toContainEqual(
    expect.objectContaining({ fate: 'left-out', part: 'provider exec', count: 2 }),
  );
});

test('settings that promptfoo does not have, and assertions among the variables, are named with their test', async () => {
  const assertion = { type: 'similar', value: 'y', treshold: 0.9 };
  const [first, second] = await Promise.all([
    projectOf({
      ...base,
      tests: [
        { vars: { question: 'x', assert: [{ type: 'contains', value: 'y' }], threshold: 3 }, treshold: 0.5 },
        { vars: { question: 'z' }, assert: [{ type: 'assert-set', assert: [assertion] }] },
      ],
    }),
    projectOf(
      { ...base, tests: 'file://tests.csv' },
      { 'tests.csv': 'question,__expected,__metrik\nx,y,z\n' },
    ),
  ]);
  const named = [first, second].map(({ record }) =>
    record.ledger.flatMap(({ fate, part, note = '', places }) =>
      fate === 'left-out' && note.startsWith('promptfoo')
        ? [[part, /"(\w+)"/.exec(note)?.[1], ...places]]
        : [],
    ),
  );
  expect(named).toEqual([
    [
      ['assertions in the variable assert', undefined, 'test-1'],
      ['treshold of a test', 'threshold', 'test-1'],
      ['treshold of an assertion', 'threshold', 'test-2'],
    ],
    [['__metrik of a test', undefined, 'test-1']],
  ]);
});
