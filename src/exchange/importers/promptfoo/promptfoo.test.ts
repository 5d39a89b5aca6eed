import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readAgreement, translateProject, writeProject } from '../../../library/api/import-project.ts';
import { run } from '../../../library/api/runs/run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { ImportedProject } from '../importer.ts';

const linesOf = ({ files }: ImportedProject, name: string) =>
  (files[name] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function translate(value: unknown, name = 'results.json'): Promise<ImportedProject> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'promptfoo-'));
  const file = path.join(folder.path, name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return await translateProject(file);
}

const component = (type: string, pass: boolean, parts: object = {}) => ({
  pass,
  score: Number(pass),
  reason: pass ? 'Assertion passed' : `${type} failed`,
  assertion: { type, value: 'x' },
  ...parts,
});

const result = (parts: Record<string, unknown> = {}) => ({
  testIdx: 0,
  promptIdx: 0,
  provider: { id: 'openai:x', label: 'bot' },
  prompt: { raw: 'Say: hi', label: 'say' },
  vars: { question: 'hi' },
  testCase: { vars: { question: 'hi' }, assert: [] },
  response: { output: 'Hi!', tokenUsage: { prompt: 5, completion: 2 } },
  success: true,
  score: 1,
  failureReason: 0,
  gradingResult: {
    pass: true,
    score: 1,
    reason: 'All passed',
    componentResults: [component('contains', true)],
  },
  latencyMs: 12,
  cost: 0.01,
  ...parts,
});

const fileOf = (...results: object[]) => ({
  evalId: 'eval-1',
  results: { version: 3, prompts: [{ raw: 'Say: {{question}}', label: 'say', provider: 'bot' }], results },
  metadata: { promptfooVersion: '0.123.1' },
});

const firstRow = async (parts: Record<string, unknown>) =>
  linesOf(await translate(fileOf(result(parts))), 'answers.jsonl')[0];

test('metrics inside a set and those of a template are verdicts, a judge inside a set that could not be read is none', async () => {
  const inside = [
    component('contains', true, { assertion: { type: 'contains', metric: 'inner' } }),
    component('llm-rubric', false, { metadata: { graderError: true }, reason: 'no JSON' }),
  ];
  const set = {
    ...component('assert-set', true, { score: 0.5, componentResults: inside }),
    metadata: { assertionSet: { type: 'assert-set', threshold: 0.5 } },
  };
  const shared = component('equals', true, { assertion: { type: 'equals', metric: 'both' } });
  inside.push(component('contains', false, { assertion: { type: 'contains', metric: 'both' } }));
  const templated = component('equals', true, { assertion: { type: 'equals', metric: '{{question}}!' } });
  const { verdicts } = await firstRow({
    namedScores: { inner: 1, both: 0.7, 'hi!': 1, computed: 0.25 },
    gradingResult: { pass: true, score: 1, componentResults: [set, ...inside, shared, templated] },
  });
  expect(verdicts).toMatchObject({
    promptfoo: { status: 'failed', reason: 'no JSON' },
    'assert-set': { status: 'failed', code: 'judge-unreadable' },
    inner: { value: 1, passed: true },
    'hi!': { value: 1, passed: true },
    computed: { value: 0.25 },
    both: { value: 0.7, passed: false },
  });
  expect(Object.keys(verdicts)).toHaveLength(6);
});

test('the tokens of judges, derived metrics and comments of people are named', async () => {
  const judged = result({
    tokenUsage: { assertions: { total: 30 } },
    gradingResult: { pass: true, score: 1, comment: 'seen', componentResults: [component('equals', true)] },
  });
  const threw = result({
    testIdx: 1,
    failureReason: 2,
    error: 'Error: no log\n    at runAssertion (x.js)',
    response: undefined,
  });
  const config = { derivedMetrics: [{ name: 'ratio', value: 'a / b' }] };
  const project = await translate({ ...fileOf(judged, threw), config });
  const parts = project.record.ledger.map(({ part, fate }) => `${part}: ${fate}`);
  expect(parts).toEqual(
    expect.arrayContaining([
      'usage of judges: left-out',
      'derived metric: left-out',
      'comment of a person: taken',
      'assertion that threw an error: approximated',
    ]),
  );
  expect(linesOf(project, 'answers.jsonl')[0].verdicts.promptfoo.evidence).toEqual({ comment: 'seen' });
});

test('only failureReason 2 is an error of the target: a failed assertion sets `error` as well', async () => {
  const failed = await firstRow({ success: false, score: 0, failureReason: 1, error: 'contains failed' });
  expect(failed).toMatchObject({ answer: 'Hi!', verdicts: { promptfoo: { passed: false } } });
  const down = await firstRow({
    success: false,
    failureReason: 2,
    error: 'Error: \u001b[31mhang up\n    at Bot (/home/x)',
    response: undefined,
    gradingResult: null,
  });
  expect(down).toMatchObject({ error: 'Error: hang up' });
  expect(down).not.toHaveProperty('verdicts');
});

test('an answer that was checked has a verdict where the results of the assertions were left out of the file', async () => {
  const asked = { testCase: { assert: [{ type: 'contains', value: 'x' }] } };
  for (const [parts, verdict] of [
    [
      { gradingResult: null, ...asked },
      { value: 1, passed: true },
    ],
    [
      { gradingResult: null, success: false, score: 0, failureReason: 1 },
      { value: 0, passed: false },
    ],
    [
      {
        gradingResult: { pass: true, score: 0.8, reason: 'Graded elsewhere', componentResults: [] },
        score: 0.8,
      },
      { value: 0.8, passed: true, explanation: 'Graded elsewhere' },
    ],
  ] as const) {
    const { record, ...project } = await translate(fileOf(result(parts)));
    expect(linesOf({ ...project, record }, 'answers.jsonl')[0].verdicts.promptfoo).toEqual({
      status: 'scored',
      ...verdict,
    });
    expect(record.ledger.map(({ part }) => part)).toContain('result without its assertions');
  }
});

test('a result without assertions, a judge that could not be read and an assertion that threw are no scores', async () => {
  const grading = (componentResults: object[]) => ({
    gradingResult: { pass: true, score: 1, componentResults },
  });
  const unchecked = await firstRow(grading([]));
  expect(unchecked.verdicts.promptfoo).toMatchObject({ status: 'not-applicable' });
  const said = await firstRow({ gradingResult: { pass: true, score: 1, reason: 'No assertions' } });
  expect(said.verdicts.promptfoo).toMatchObject({ status: 'not-applicable' });
  const unread = await firstRow({
    success: false,
    ...grading([component('llm-rubric', false, { metadata: { graderError: true } })]),
  });
  expect(unread.verdicts).toMatchObject({
    promptfoo: { status: 'failed', code: 'judge-unreadable' },
    'llm-rubric': { status: 'failed', code: 'judge-unreadable' },
  });
  const threw = await firstRow({ failureReason: 2, success: false, error: 'no trace', gradingResult: null });
  expect(threw).toMatchObject({
    answer: 'Hi!',
    verdicts: { promptfoo: { status: 'failed', code: 'assertion-error' } },
  });
});

test('the parts of a set are listed twice and counted once; assertions of one metric are one verdict', async () => {
  const parts = [component('contains', true), component('contains', false)];
  const set = {
    ...component('assert-set', true, { score: 0.5, componentResults: parts }),
    metadata: { assertionSet: { type: 'assert-set', metric: 'Either', threshold: 0.5 } },
  };
  const named = [true, false].map((pass) =>
    component('icontains', pass, { assertion: { type: 'icontains', value: 'x', metric: 'Tone' } }),
  );
  const { verdicts } = await firstRow({
    namedScores: { Tone: 0.5 },
    gradingResult: { pass: true, score: 1, componentResults: [set, ...parts, ...named] },
  });
  expect(Object.keys(verdicts).toSorted()).toEqual(['Either', 'Tone', 'promptfoo']);
  expect(verdicts.Either).toMatchObject({ value: 0.5, passed: true });
  expect(verdicts.Tone).toMatchObject({ value: 0.5, passed: false });
});

test('repeats have indexes of their own and are attempts; the time of a cached answer is not taken', async () => {
  const project = await translate(
    fileOf(result(), result({ testIdx: 1, response: { output: 'Hi.', cached: true } })),
  );
  expect(linesOf(project, 'golden.jsonl')).toHaveLength(1);
  const rows = linesOf(project, 'answers.jsonl');
  expect(rows.map(({ attempt, latencyMs }) => [attempt, latencyMs])).toEqual([
    [1, 12],
    [2, undefined],
  ]);
});

test('calls of tools in an output are tool calls', async () => {
  const output = [{ id: 'c', type: 'function', function: { name: 'book', arguments: '{"at": 10}' } }];
  const { transcript } = await firstRow({ response: { output } });
  expect(transcript.at(-1).toolCalls).toMatchObject([{ name: 'book', arguments: { at: 10 } }]);
});

const sample = path.resolve(import.meta.dirname, 'sample');

test('the checks that a project of promptfoo becomes give the verdicts that promptfoo 0.123.1 gave', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'promptfoo-'));
  const project = await translateProject(path.join(sample, 'results.json'));
  expect(writeProject(project, { to: folder.path })).toContain('touchstone.config.yaml');
  expect(writeProject(project, { to: folder.path })).toEqual([]);
  const store = createMemoryStore();
  const report = await run(folder.path, { store });
  const agreement = await readAgreement(report.run, store);
  expect(agreement).toMatchObject({ answers: 8, agreeing: 8, differences: [] });
  expect(agreement.checks).toBeGreaterThan(30);
});

test('an answer without text keeps the scores that promptfoo gave it', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'promptfoo-'));
  const silent = result({ response: { output: '' }, success: false, score: 0.25 });
  writeProject(await translate(fileOf(silent)), { to: folder.path });
  const store = createMemoryStore();
  const report = await run(folder.path, { store });
  const [stored] = await Array.fromAsync(store.readResults(report.run.id));
  expect(stored?.trial).toMatchObject({ status: 'completed', answer: '' });
  expect(stored?.scorecard).toMatchObject({ total: 0.25, passed: false });
});

test('a configuration becomes the same cases and checks as its results', async () => {
  const [configured, recorded] = await Promise.all(
    ['promptfooconfig.yaml', 'results.json'].map(
      async (name) => await translateProject(path.join(sample, name)),
    ),
  );
  const checksOf = (project: ImportedProject | undefined) =>
    linesOf(project as ImportedProject, 'golden.jsonl')
      // The results have verdicts on what is not ported; without them it is not measured.
      .map(
        ({ expected }) =>
          expected?.checks?.filter((check: object) => !Object.hasOwn(check, 'unported')) ?? [],
      )
      .map((checks) => JSON.stringify(checks))
      .toSorted();
  expect(checksOf(configured)).toEqual(checksOf(recorded));
  expect(checksOf(configured)).toHaveLength(8);
});

test('code of a configuration is named and never run, and paths out of its folder are not followed', async () => {
  const config = `
prompts: ['{{question}}']
providers: [echo]
tests:
  - vars: { question: hi, secret: file:///etc/hostname, outer: file://../../etc/hostname }
    assert:
      - { type: javascript, value: 'process.exit(9)' }
      - { type: python, value: file://../evil.py }
      - { type: contains, value: hi, transform: 'process.exit(9)' }
`;
  const project = await translate(config, 'promptfooconfig.yaml').catch((error: unknown) => error);
  if (project instanceof Error) {
    expect(project).toMatchObject({ code: 'import-invalid' });
    expect(project.message).toContain('leads out of the folder');
    return;
  }
  const { record, files } = project as ImportedProject;
  expect(record.ledger.filter(({ fate }) => fate === 'left-out').map(({ part }) => part)).toContain(
    'assertion javascript',
  );
  expect(files['todo.md']).toContain('    process.exit(9)');
});

const lookUp = {
  type: 'function',
  function: { name: 'find_order', parameters: { type: 'object', required: ['id'] } },
};
const withTools = (...described: readonly (readonly object[])[]) => ({
  prompts: ['{{question}}'],
  providers: described.map((tools) => ({ id: 'openai:gpt-5-mini', config: { tools } })),
  tests: [{ vars: { question: 'Where is it?' }, assert: [{ type: 'is-valid-openai-tools-call' }] }],
});

test('calls of tools are checked by the tools that the providers describe, and a model gets them', async () => {
  const project = await translate(withTools([lookUp]), 'promptfooconfig.json');
  const [testCase] = linesOf(project, 'golden.jsonl');
  expect(testCase.metadata.references.tools).toEqual([lookUp]);
  expect(testCase.expected.checks).toMatchObject([
    {
      all: [
        { use: 'tool-schema', from: 'metadata.references.tools' },
        { use: 'check', calls: '*' },
      ],
    },
  ]);
  expect(project.files['touchstone.config.yaml']).toContain('tools: targets/tools-1.mjs');
  expect(project.files['targets/tools-1.mjs']).toContain('"name": "find_order"');
});

test('of providers with different tools, and of tools with words taken out, no call is checked', async () => {
  for (const [config, reason] of [
    [withTools([lookUp], [lookUp, lookUp]), 'different tools'],
    [{ ...withTools(), providers: ['openai:gpt-5-mini'] }, 'No provider describes tools'],
    [withTools([{ name: 'x', parameters: '[REDACTED]' }]), 'took words out of the tools'],
  ] as const) {
    const { record } = await translate(config, 'promptfooconfig.json');
    expect(record.ledger).toContainEqual(
      expect.objectContaining({
        part: 'assertion is-valid-openai-tools-call',
        fate: 'left-out',
        note: expect.stringContaining(reason),
      }),
    );
  }
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/promptfoo');

test.skipIf(!existsSync(data))(
  'files that promptfoo wrote have the results, scores and errors that it counts (needs ../shared/data)',
  async () => {
    const all = Object.entries<Facts>(JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8')));
    const counted = all.filter(([name]) => existsSync(path.join(data, name, 'results.json')));
    expect(counted.length).toBeGreaterThan(3);
    for (const [name, facts] of counted) {
      const project = await translateProject(path.join(data, name, 'results.json'));
      const rows = linesOf(project, 'answers.jsonl');
      const totals = rows.flatMap(({ verdicts }) => verdicts?.promptfoo ?? []);
      const [, failed, errors] = facts['failureReason 0 none / 1 assertion / 2 error'];
      const unread = totals.filter(({ code }) => code === 'judge-unreadable').length;
      const unchecked = totals.filter(({ status }) => status === 'not-applicable').length;
      const names = new Set(rows.flatMap(({ verdicts }) => Object.keys(verdicts ?? {})));
      expect({
        name,
        results: rows.length,
        cases: linesOf(project, 'golden.jsonl').length,
        errors: rows.filter(({ error }) => error !== undefined).length,
        unread,
        unchecked,
        passed: totals.filter(({ passed }) => passed === true).length + unchecked,
        failed: totals.filter(({ passed }) => passed === false).length + unread,
        unnamed: facts['named scores'].filter((each) => !names.has(each)),
      }).toEqual({
        name,
        results: facts.results,
        cases: facts['distinct cases (same description, vars, assertions)'],
        errors,
        unread: facts['grader errors (not measured)'],
        unchecked: facts['results without any assertion'],
        passed: facts.success,
        failed,
        unnamed: [],
      });
    }
  },
);

interface Facts {
  readonly results: number;
  readonly success: number;
  readonly 'distinct cases (same description, vars, assertions)': number;
  readonly 'failureReason 0 none / 1 assertion / 2 error': [number, number, number];
  readonly 'grader errors (not measured)': number;
  readonly 'results without any assertion': number;
  readonly 'named scores': string[];
}
