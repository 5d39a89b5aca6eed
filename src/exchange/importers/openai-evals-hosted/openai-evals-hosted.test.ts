import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from '../../../library/api/runs/evaluate.ts';
import { readAgreement, translateProject, writeProject } from '../../../library/api/import-project.ts';
import { run } from '../../../library/api/runs/run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { ImportedProject } from '../importer.ts';
import { readWeights } from './read-weights.ts';

const linesOf = ({ files }: ImportedProject, name: string) =>
  (files[name] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function translate(value: unknown, name = 'export.json'): Promise<ImportedProject> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'openai-evals-'));
  const file = path.join(folder.path, name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return await translateProject(file);
}

const graders = {
  phrase: { type: 'string_check', input: '{{ sample.output_text }}', reference: '{{item.phrase}}' },
  similar: { type: 'text_similarity', input: '{{sample.output_text}}', reference: 'It is {{item.answer}}.' },
  python: { type: 'python', source: 'import os\nos.system("true")' },
};

const evalOf = (...criteria: object[]) => ({
  id: 'eval_1',
  object: 'eval',
  name: 'shop',
  data_source_config: { type: 'custom' },
  testing_criteria: criteria.map((each, index) => ({ name: `g${index}`, id: `g${index}-x1`, ...each })),
});

const item = { question: 'What does it cost?', phrase: '49', answer: '49 dollars' };
const outputItem = (parts: object = {}) => ({
  id: 'o1',
  object: 'eval.run.output_item',
  run_id: 'r1',
  status: 'pass',
  datasource_item_id: 0,
  datasource_item: item,
  results: [{ name: 'g0-x1', type: 'string_check', score: 1, passed: true, sample: null }],
  sample: {
    input: [{ role: 'user', content: item.question }],
    output: [{ role: 'assistant', content: 'It is 49.' }],
    usage: { prompt_tokens: 9, completion_tokens: 3, cached_tokens: 0, total_tokens: 12 },
    error: { code: '', message: '' },
    finish_reason: 'stop',
    model: 'm',
  },
  ...parts,
});
const runOf = (parts: object = {}) => ({ id: 'r1', object: 'eval.run', model: 'm', name: 'first', ...parts });
const exportOf = (criteria: object[], ...items: object[]) => ({
  eval: evalOf(...criteria),
  runs: [{ run: runOf(), output_items: items }],
});

const checksOf = async (...criteria: object[]) => {
  const project = await translate(exportOf(criteria, outputItem()));
  return linesOf(project, 'golden.jsonl')[0].expected.checks;
};

test('runs of which only the items are there are targets of their own, also of one model', async () => {
  const line = (runId: string, output: object[]) => ({
    run_id: runId,
    data_source_idx: 0,
    item,
    sample: { outputs: output, model: 'm' },
    grades: { tone: 1 },
  });
  const calls = [
    { type: 'function_call', call_id: 'c1', name: 'prices', arguments: '{"item":"lamp"}' },
    { type: 'function_call_output', call_id: 'c1', output: '49' },
    { role: 'assistant', content: 'It is 49.' },
  ];
  const text = [line('r1', [{ role: 'assistant', content: '49' }]), line('r2', calls)];
  const project = await translate(text.map((each) => JSON.stringify(each)).join('\n'), 'results.jsonl');
  const rows = linesOf(project, 'answers.jsonl');
  expect(rows.map(({ recordedTarget, attempt }) => [recordedTarget, attempt])).toEqual([
    ['m · r1', 1],
    ['m · r2', 1],
  ]);
  expect(rows[1]).toMatchObject({
    answer: 'It is 49.',
    transcript: [{ toolCalls: [{ name: 'prices', arguments: { item: 'lamp' }, result: '49' }] }, {}],
  });
});

test('calls of an answer that was uploaded with its item are not lost', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'prices', arguments: '{}' } };
  const project = await translate(
    [{ item, sample: { output_text: '', output_tools: [call] } }]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    'rows.jsonl',
  );
  expect(linesOf(project, 'answers.jsonl')[0].transcript.at(-1).toolCalls).toMatchObject([
    { name: 'prices' },
  ]);
});

test('string checks and similarities become checks that compare with the fields of the item', async () => {
  const { phrase, similar } = graders;
  expect(
    await checksOf(
      { ...phrase, operation: 'eq' },
      { ...phrase, operation: 'ne' },
      { ...phrase, operation: 'like' },
      { ...phrase, operation: 'ilike' },
    ),
  ).toEqual([
    { use: 'equals', value: '49', name: 'g0' },
    { not: { use: 'equals', value: '49' }, name: 'g1' },
    { use: 'contains', ignoreCase: false, value: '49', name: 'g2' },
    { use: 'contains', value: '49', name: 'g3' },
  ]);
  const measures = ['fuzzy_match', 'bleu', 'gleu', 'meteor', 'rouge_3', 'rouge_l', 'cosine', 'unknown'];
  const checks = await checksOf(
    ...measures.map((name) => ({ ...similar, evaluation_metric: name, pass_threshold: 0.5 })),
  );
  expect(checks.map(({ use, type }: { use: string; type?: string }) => type ?? use)).toEqual([
    'edit-similarity',
    'bleu',
    'gleu',
    'meteor',
    'rouge-3',
    'rouge-l',
  ]);
  expect(checks[0]).toMatchObject({ from: 'metadata.references.g0', threshold: 0.5 });
});

test('without runs, a grader that is not ported is not measured, nor is a check of a field that an item lacks', async () => {
  const rows = [{ item }, { item: { question: 'Which one?' } }];
  const project = await translate({
    eval: evalOf({ ...graders.phrase, operation: 'ilike' }, graders.python),
    runs: [],
    rows,
  });
  const [first, second] = linesOf(project, 'golden.jsonl').map(({ expected }) => expected.checks);
  const python = { use: 'recorded-verdict', unported: expect.stringContaining('never run'), name: 'g1' };
  expect(first).toMatchObject([{ use: 'contains' }, python]);
  expect(second).toMatchObject([{ unported: expect.stringContaining('field') }, python]);
  const config = { metrics: ['case-checks'], scorecard: { use: 'recorded', metric: 'case-checks' } };
  const question = { question: 'How much?', expected: { checks: first } };
  const { verdicts } = await evaluate({ answer: '49' }, question, config);
  expect(verdicts['case-checks']).toMatchObject({ status: 'failed' });
});

test('a formula that is a weighted mean becomes a group; any other formula and code stay text', async () => {
  const inside = { a: { ...graders.phrase, operation: 'ilike' }, b: { ...graders.phrase, operation: 'eq' } };
  const multi = {
    type: 'multi',
    graders: inside,
    calculate_output: '0.75 * a + b * 0.25',
    pass_threshold: 0.7,
  };
  expect(await checksOf(multi)).toEqual([
    {
      all: [
        { use: 'contains', value: '49', name: 'a', weight: 0.75 },
        { use: 'equals', value: '49', name: 'b', weight: 0.25 },
      ],
      threshold: 0.7,
      name: 'g0',
    },
  ]);
  const project = await translate(
    exportOf([{ ...multi, calculate_output: 'max(a, b)' }, graders.python], outputItem()),
  );
  const left = project.record.ledger.filter(({ fate }) => fate === 'left-out');
  expect(left.map(({ part, code }) => [part, code])).toEqual([
    ['grader multi', ['max(a, b)']],
    ['grader python', ['import os\nos.system("true")']],
  ]);
  expect(project.files['todo.md']).toContain('    os.system("true")');
});

test('weights are read of sums and means, and of nothing else', () => {
  const read = (formula: string) => {
    const weights = readWeights(formula, ['a', 'b']);
    return weights && Object.fromEntries(weights);
  };
  expect(read('(a + b) / 2')).toEqual({ a: 0.5, b: 0.5 });
  expect(read('a/2 + 0.5*b')).toEqual({ a: 0.5, b: 0.5 });
  expect(read('a')).toEqual({ a: 1 });
  for (const formula of ['a + b', 'a * b', 'a - b', '0.5 * a + 0.5 * c', 'min(a, b)', '']) {
    expect({ formula, weights: read(formula) }).toEqual({ formula, weights: undefined });
  }
});

test('scores keep the units of their grader and the pass that was recorded', async () => {
  const rating = { type: 'score_model', input: [{ role: 'user', content: 'Rate.' }], range: [1, 7] };
  const project = await translate(
    exportOf(
      [rating],
      outputItem({ status: 'fail', results: [{ name: 'g0-x1', score: 1, passed: false, sample: null }] }),
      outputItem({ datasource_item_id: 1, results: [{ name: 'g0-x1', score: 0.5, sample: null }] }),
    ),
  );
  const [first, second] = linesOf(project, 'answers.jsonl');
  expect(first.verdicts).toMatchObject({
    'openai-evals': { value: 0, passed: false },
    g0: { status: 'scored', value: 1, unit: 'score', passed: false },
  });
  expect(second.verdicts.g0).toMatchObject({ value: 0.5, unit: 'score' });
  expect(second.verdicts.g0).not.toHaveProperty('passed');
});

test('an errored item is a failed trial without scores; a grader with an error is not measured', async () => {
  const error = { code: 'server_error', message: '\u001b[31mdown\u001b[0m' };
  const down = outputItem({ status: 'error', results: [], sample: { output: [], error } });
  const unread = outputItem({
    datasource_item_id: 1,
    status: 'error',
    results: [
      { name: 'g0-x1', score: null, passed: false, sample: { error: { code: 'x', message: 'no reply' } } },
    ],
  });
  const project = await translate(exportOf([{ ...graders.phrase, operation: 'eq' }], down, unread));
  const [failed, graded] = linesOf(project, 'answers.jsonl');
  expect(failed).toMatchObject({ error: 'server_error: down' });
  expect(failed).not.toHaveProperty('verdicts');
  expect(graded).toMatchObject({
    answer: 'It is 49.',
    verdicts: {
      g0: { status: 'failed', code: 'judge-error', reason: 'no reply' },
      'openai-evals': { status: 'failed', code: 'grader-error' },
    },
  });
});

test('an eval without runs asks a judge for the graders that did; its rows are cases', async () => {
  const prompt = (text: string) => [{ role: 'user', content: { type: 'input_text', text } }];
  const project = await translate({
    eval: evalOf(
      {
        type: 'score_model',
        input: prompt('Rate {{sample.output_text}} 1 to 5.'),
        range: [1, 5],
        pass_threshold: 4,
      },
      {
        type: 'label_model',
        input: prompt('{{sample.output_text}}'),
        labels: ['a', 'b'],
        passing_labels: ['a'],
      },
    ),
    rows: [item],
  });
  expect(project.callsNothing).toBe(false);
  expect(linesOf(project, 'golden.jsonl')[0]).toMatchObject({
    input: 'What does it cost?',
    expected: {
      answer: '49 dollars',
      checks: [
        { use: 'rubric', prompt: 'Rate {{answer}} 1 to 5.', range: [1, 5], passMark: 4 },
        { use: 'judged-label', prompt: '{{answer}}', labels: ['a', 'b'], passing: ['a'] },
      ],
    },
  });
});

test('a folder with the responses of the API is one export, pages that are missing are named, and a run may be repeated', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'openai-evals-'));
  const write = (name: string, value: unknown) =>
    writeFileSync(path.join(folder.path, name), JSON.stringify(value));
  mkdirSync(path.join(folder.path, 'items'));
  const runs = [runOf({ result_counts: { total: 3 } }), runOf({ id: 'r2', name: 'second' })];
  write('eval.json', evalOf({ ...graders.phrase, operation: 'eq' }));
  write('runs.json', { object: 'list', data: runs });
  const items = [outputItem(), outputItem({ id: 'o2', run_id: 'r2' })];
  write('items/page.json', { object: 'list', data: items, has_more: true });
  const project = await translateProject(folder.path);
  expect(project.record.found).toContain('1 eval, 2 runs, 2 output items of 1 question × 2 targets');
  expect(linesOf(project, 'answers.jsonl').map(({ recordedTarget }) => recordedTarget)).toEqual([
    'm · first',
    'm · second',
  ]);
  const left = project.record.ledger.filter(({ fate }) => fate === 'left-out').map(({ part }) => part);
  expect(left).toEqual(['further pages of a list', 'output items that the export lacks']);
});

test('an uploaded file with answers is a recording, a table with JSON in its cells is read, and names stay names', async () => {
  const uploaded = await translate(
    `${JSON.stringify({ item, sample: { output_text: 'It is 49.' } })}\n${JSON.stringify({ item: { question: 'Hi' } })}\n`,
    'data.jsonl',
  );
  expect(linesOf(uploaded, 'golden.jsonl')).toHaveLength(2);
  expect(linesOf(uploaded, 'answers.jsonl')).toMatchObject([{ caseId: 'item-0', answer: 'It is 49.' }]);
  const cell = (value: object) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const table = await translate(
    `run_id,data_source_idx,item,sample,grades,passes\nr1,0,${cell({ question: '=1+1', ['__proto__']: 1 })},${cell({ outputs: [{ role: 'assistant', content: '\u001b[31mHi' }] })},${cell({ tone: 1 })},${cell({ tone: true })}\n`,
    'results.csv',
  );
  expect(linesOf(table, 'golden.jsonl')[0]).toMatchObject({ input: '=1+1' });
  expect(linesOf(table, 'answers.jsonl')[0].verdicts.tone).toMatchObject({ value: 1, passed: true });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('files that are cut off, empty or of another kind end in a message', async () => {
  const whole = JSON.stringify(exportOf([graders.python], outputItem()));
  for (const text of [
    whole.slice(0, 200),
    '',
    '[]',
    '{"eval": 1}',
    '{"item": 1}',
    '{"object": "list", "data": []}',
  ]) {
    await expect(translate(text)).rejects.toMatchObject({ code: 'import-invalid' });
  }
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/openai-evals-hosted');

test.skipIf(!existsSync(data))(
  'exports of the API and of the dashboard have the same runs, counts and scores (needs ../shared/data)',
  async () => {
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const [api, dashboard] = await Promise.all(
      ['api-export/eval_67f09e.json', 'dashboard-results.jsonl'].map(
        async (name) => await translateProject(path.join(data, name)),
      ),
    );
    const rows = linesOf(api as ImportedProject, 'answers.jsonl');
    const fact = facts['api-export/eval_67f09e.json'];
    expect(linesOf(api as ImportedProject, 'golden.jsonl')).toHaveLength(fact.rows);
    expect(Object.keys(rows[0].verdicts).toSorted()).toEqual(
      ['openai-evals', ...Object.keys(fact.graders)].toSorted(),
    );
    for (const [
      id,
      { model, result_counts: counts, output_items: total, errored },
    ] of Object.entries<RunFacts>(fact.runs)) {
      const own = rows.filter(({ source }) => source.runId === id);
      expect(own).toHaveLength(total);
      expect(new Set(own.map(({ recordedTarget }) => recordedTarget))).toEqual(new Set([model]));
      expect(own.filter(({ error }) => error !== undefined)).toHaveLength(errored);
      const passes = own.map(({ verdicts }) => verdicts?.['openai-evals'].passed);
      expect({
        errored: passes.filter((each) => each === undefined).length,
        failed: passes.filter((each) => each === false).length,
        passed: passes.filter((each) => each === true).length,
        total: own.length,
      }).toEqual(counts);
    }
    const shown = linesOf(dashboard as ImportedProject, 'answers.jsonl');
    const fromDashboard = facts['dashboard-results.jsonl'];
    expect(shown).toHaveLength(fromDashboard.rows);
    expect([...new Set(shown.map(({ source }) => source.runId))]).toEqual(fromDashboard.runs);
    expect(shown.filter(({ error }) => error !== undefined)).toHaveLength(
      fromDashboard['rows without passes (errored)'],
    );
    expect(shown.filter(({ verdicts }) => verdicts?.['openai-evals'].passed === true)).toHaveLength(
      fromDashboard['all graders passed'],
    );
    const scoresOf = (all: Row[]) =>
      all.map(({ caseId, recordedTarget, answer, error, verdicts = {} }) => ({
        caseId,
        recordedTarget,
        answer,
        error,
        scores: Object.fromEntries(
          Object.entries(verdicts).map(([name, { value, passed }]) => [name, [value, passed]]),
        ),
      }));
    // The dashboard shows no range: 1 to 7 is known there by a number above 1.
    expect(scoresOf(shown)).toEqual(scoresOf(rows));
    expect(rows[0].verdicts).toMatchObject({
      close_to_reference: { value: 0.78, passed: true },
      helpfulness: { value: 6, unit: 'score', passed: true },
    });
  },
);

test.skipIf(!existsSync(data))(
  'a second import changes nothing, and our checks are compared with the graders (needs ../shared/data)',
  async () => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'openai-evals-'));
    const project = await translateProject(path.join(data, 'api-export/eval_67f09e.json'));
    expect(writeProject(project, { to: folder.path })).toContain('golden.jsonl');
    const again = await translateProject(path.join(data, 'api-export/eval_67f09e.json'));
    expect(writeProject(again, { to: folder.path })).toEqual([]);
    const store = createMemoryStore();
    const report = await run(folder.path, { store });
    const { answers, checks, differences } = await readAgreement(report.run, store);
    expect({ answers, checks }).toEqual({ answers: 5, checks: 10 });
    expect(new Set(differences.map(({ check }) => check))).toEqual(new Set(['close_to_reference']));
  },
);

interface RunFacts {
  readonly model: string;
  readonly result_counts: Record<string, number>;
  readonly output_items: number;
  readonly errored: number;
}

interface Row {
  readonly caseId: string;
  readonly recordedTarget: string;
  readonly answer?: string;
  readonly error?: string;
  readonly verdicts?: Record<string, { value?: number; passed?: boolean }>;
}
