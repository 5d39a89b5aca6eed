import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles } from '../../../../test/support/import-files.ts';
import type { ImportedProject } from '../importer.ts';
import { makeProject } from '../make-project.ts';
import { openContent } from '../content/open-content.ts';
import { inspect } from './inspect.ts';

async function translate(log: unknown): Promise<ImportedProject> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'inspect-'));
  const file = path.join(folder.path, 'log.json');
  writeFileSync(file, JSON.stringify(log));
  return await makeProject(inspect, await openContent(file), { findFault: () => undefined });
}

const rowsOf = ({ files }: ImportedProject, name: string) =>
  (files[name] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const evaluation = { task: 'shop', model: 'openai/x', packages: { inspect_ai: '0.3.285' } };
const sample = (given: object) => ({
  id: 1,
  epoch: 1,
  input: 'What?',
  target: 'That.',
  messages: [
    { role: 'user', content: 'What?' },
    { role: 'assistant', content: 'That.' },
  ],
  output: { completion: 'That.', choices: [{ stop_reason: 'stop' }] },
  ...given,
});
const logOf = (...samples: object[]) => ({ version: 2, status: 'success', eval: evaluation, samples });

test('only a log of Inspect is recognised', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'inspect-'));
  const detect = async (value: unknown) => {
    const file = path.join(folder.path, 'x.json');
    writeFileSync(file, JSON.stringify(value));
    return inspect.detect(await openContent(file));
  };
  expect(await detect(logOf())).toBe('an Inspect log of the task shop');
  for (const other of [[], {}, { eval: 1 }, { eval: { task: 'a' } }, { evalId: 'x', results: [] }]) {
    expect(await detect(other)).toBeUndefined();
  }
});

test('letters, truth values, shares and quantities become verdicts; what could not be recognized is not measured', async () => {
  const project = await translate(
    logOf(
      sample({
        scores: {
          letter: { value: 'P', explanation: 'half', answer: 'That.' },
          truth: { value: true },
          length: { value: 1 },
          style: { value: { polite: 'C', words: 12 } },
          unknown: { value: 'NaN', explanation: 'no grade found' },
          word: { value: 'blue' },
          list: { value: [1, 0] },
          spoken: { value: 'Yes' },
          written: { value: '0.25' },
        },
      }),
      sample({ id: 2, scores: { length: { value: 47 } } }),
    ),
  );
  const [first, second] = rowsOf(project, 'answers.jsonl');
  expect(first.verdicts).toMatchObject({
    letter: { status: 'scored', value: 0.5, passed: false, explanation: 'half' },
    truth: { status: 'scored', value: 1, passed: true },
    length: { status: 'scored', value: 1, unit: 'score' },
    'style.polite': { status: 'scored', value: 1, passed: true },
    'style.words': { status: 'scored', value: 12, unit: 'score' },
    unknown: { status: 'failed', code: 'not-scored', reason: 'Inspect recorded no value: no grade found' },
    spoken: { status: 'scored', value: 1, passed: true },
    written: { status: 'scored', value: 0.25, passed: false },
  });
  expect(first.verdicts).not.toHaveProperty('word');
  expect(first.labels).toEqual({ word: 'blue', list: [1, 0] });
  expect(project.record.ledger).toContainEqual(
    expect.objectContaining({ part: 'score word that is no number', became: 'recorded value labels.word' }),
  );
  expect(project.record.ledger).toContainEqual(
    expect.objectContaining({ part: 'score unknown that Inspect could not give', became: 'not measured' }),
  );
  expect(second.verdicts).toMatchObject({ length: { value: 47, unit: 'score' } });
  expect(project.files['touchstone.config.yaml']).toContain(
    'metric:\n    use: recorded-verdict\n    name: letter',
  );
});

test('the models of several logs of a task are targets of the same cases, and a log that was tried again counts once', async () => {
  const logOfModel = (model: string, id: string, created: string, value: string) => ({
    ...logOf(sample({ scores: { match: { value } } })),
    eval: { ...evaluation, model, task_id: id, created },
  });
  const project = await importFiles({
    'logs/a.json': logOfModel('openai/x', 'a', '2026-01-02', 'C'),
    'logs/b.json': logOfModel('openai/y', 'b', '2026-01-01', 'I'),
    'logs/again.json': logOfModel('openai/x', 'c', '2026-01-03', 'P'),
    'logs/first-try.json': logOfModel('openai/y', 'b', '2025-01-01', 'C'),
    'logs/other.json': { eval: { nothing: true } },
    'readme.md': 'Hi.',
  });
  expect(project.record.found).toBe(
    '3 Inspect logs, version 2, 3 samples of 1 question × 1 epoch × 3 targets',
  );
  expect(rowsOf(project, 'golden.jsonl').map(({ id }) => id)).toEqual(['1']);
  const answers = rowsOf(project, 'answers.jsonl').map(({ recordedTarget, verdicts, source }) => [
    recordedTarget,
    verdicts.match.value,
    source.log,
  ]);
  expect(answers).toEqual([
    ['openai/y', 0, 'logs/b.json'],
    ['openai/x', 1, 'logs/a.json'],
    ['openai/x (2)', 0.5, 'logs/again.json'],
  ]);
  const lost = project.record.ledger.filter(({ fate }) => fate === 'left-out');
  expect(lost.map(({ part, places }) => [part, ...places])).toEqual([
    ['file of the folder', expect.stringMatching(/logs\/other\.json$/)],
    ['log that was tried again', 'logs/first-try.json'],
  ]);
});

test('cases of several tasks are grouped by task, each passes by the score of its own task, and missing answers are named', async () => {
  const logOfTask = (task: string, model: string, ...samples: object[]) => ({
    ...logOf(...samples),
    eval: { ...evaluation, task, model, scorers: [{ name: task === 'maths' ? 'match' : 'includes' }] },
  });
  const project = await importFiles({
    'a.json': logOfTask('maths', 'x', sample({ scores: { match: { value: 'C' } } })),
    'b.json': logOfTask('shop', 'x', sample({ epoch: 2, scores: { includes: { value: 'I' } } })),
    'c.json': logOfTask('shop', 'y', sample({ input: 'What else?', scores: { includes: { value: 'NaN' } } })),
  });
  const cases = rowsOf(project, 'golden.jsonl').map(({ id, category, input }) => [id, category, input]);
  expect(cases).toEqual([
    ['maths/1', 'maths', 'What?'],
    ['shop/1', 'shop', 'What?'],
    ['shop/1 (2)', 'shop', 'What else?'],
  ]);
  expect(rowsOf(project, 'answers.jsonl').map(({ verdicts }) => verdicts.inspect)).toMatchObject([
    { value: 1, passed: true },
    { value: 0, passed: false },
    { status: 'failed' },
  ]);
  expect(project.files['touchstone.config.yaml']).toContain('use: recorded-verdict\n    name: inspect');
  expect(project.files['touchstone.config.yaml']).not.toContain('use: contains');
  expect(project.record.ledger).toContainEqual(
    expect.objectContaining({
      part: 'answers of y that no log has',
      became: '2 answers that are not measured',
    }),
  );
});

test('an error is a failed trial without verdicts, and no terminal code of it is kept', async () => {
  const error = { message: '\u001b[31mboom\u001b[0m', traceback: 'x', traceback_ansi: '\u001b[1mx' };
  const project = await translate(logOf(sample({ error, scores: {} })));
  const [row] = rowsOf(project, 'answers.jsonl');
  expect(row).toMatchObject({ error: 'boom' });
  expect(row).not.toHaveProperty('verdicts');
  expect(row).not.toHaveProperty('answer');
  expect(JSON.stringify(project)).not.toContain('\\u001b');
});

test('results of tools stand with their calls, parts of messages apart, and long texts are looked up', async () => {
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'attachment://abc' },
        { type: 'image', image: 'x' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'text', text: 'Looking.' },
      ],
      tool_calls: [
        { id: 'c1', function: 'price', arguments: { item: 'lamp' } },
        { id: 'c2', function: 'price', arguments: {}, parse_error: 'not JSON' },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '49', function: 'price' },
  ];
  const project = await translate(
    logOf(sample({ messages, attachments: { abc: 'the long text' }, scores: {} })),
  );
  expect(rowsOf(project, 'answers.jsonl')[0].transcript).toEqual([
    { role: 'user', content: 'the long text\n[image]' },
    {
      role: 'assistant',
      content: 'Looking.',
      reasoning: 'hm',
      toolCalls: [
        { id: 'c1', name: 'price', arguments: { item: 'lamp' }, result: '49' },
        { id: 'c2', name: 'price', arguments: {}, error: 'not JSON' },
      ],
    },
  ]);
});

test('only the usage of the model under test counts, and losses are named', async () => {
  const usage = { 'openai/x': { input_tokens: 5, output_tokens: 2 }, judge: { input_tokens: 99 } };
  const project = await translate(
    logOf(
      sample({ model_usage: usage, limit: { type: 'message', limit: 3 }, scores: {}, sandbox: 'docker' }),
    ),
  );
  const [row] = rowsOf(project, 'answers.jsonl');
  expect(row).toMatchObject({
    usage: { inputTokens: 5, outputTokens: 2 },
    source: { limit: { type: 'message' } },
  });
  const lost = project.record.ledger.filter(({ fate }) => fate === 'left-out').map(({ part }) => part);
  expect(lost).toEqual(['sandbox', 'usage of judge']);
  expect(project.files['todo.md']).toContain('## usage of judge (1)');
  expect(project.record.ledger.find(({ part }) => part === 'limit of message')).toMatchObject({
    fate: 'approximated',
  });
});

test('ids 4 and "4" are two cases, and epochs are attempts in the order of the dataset', async () => {
  const dataset = { sample_ids: ['4', 4] };
  const log = logOf(
    sample({ id: 4, epoch: 3, scores: {} }),
    sample({ id: '4', epoch: 3, scores: {} }),
    sample({ id: '4', epoch: 2, scores: {} }),
  );
  const project = await translate({ ...log, eval: { ...evaluation, dataset } });
  expect(rowsOf(project, 'golden.jsonl').map(({ id }) => id)).toEqual(['"4"', '4']);
  const answers = rowsOf(project, 'answers.jsonl').map(({ caseId, attempt, source }) => [
    caseId,
    attempt,
    source.epoch,
  ]);
  expect(answers).toEqual([
    ['"4"', 1, 2],
    ['"4"', 2, 3],
    ['4', 2, 3],
  ]);
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/inspect');

test.skipIf(!existsSync(data))(
  'logs that Inspect wrote have the samples, scores, errors and tool calls that its own reader finds (needs ../shared/data)',
  async () => {
    const { 'read with': _, ...facts } = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    expect(Object.keys(facts).length).toBeGreaterThan(3);
    for (const [name, fact] of Object.entries<Facts>(facts)) {
      const project = await makeProject(inspect, await openContent(path.join(data, name)), {
        findFault: () => undefined,
      });
      const rows = rowsOf(project, 'answers.jsonl');
      const keyOf = ({ source }: Row) => `${source.id}/${source.epoch}`;
      expect(rows).toHaveLength(fact.samples);
      expect(
        rows
          .filter(({ error }) => error !== undefined)
          .map(keyOf)
          .toSorted(),
      ).toEqual(fact.errored);
      expect(
        Object.fromEntries(
          rows.flatMap((row) =>
            row.source.limit === undefined ? [] : [[keyOf(row), row.source.limit.type]],
          ),
        ),
      ).toEqual(fact.limits);
      for (const row of rows)
        expect(recordedOf(row), `${name} ${keyOf(row)}`).toEqual(flatten(fact.scores[keyOf(row)] ?? {}));
      const calls = rows.flatMap(({ transcript }) => transcript.flatMap(({ toolCalls = [] }) => toolCalls));
      expect(calls).toHaveLength(fact['tool calls']);
    }
  },
);

interface Facts {
  readonly samples: number;
  readonly errored: string[];
  readonly limits: Record<string, string>;
  readonly scores: Record<string, Record<string, unknown>>;
  readonly 'tool calls': number;
}

interface Row {
  readonly source: { id: string | number; epoch: number; limit?: { type: string } };
  readonly error?: string;
  readonly verdicts?: Record<string, { status: string; evidence?: { recorded: unknown } }>;
  readonly transcript: { toolCalls?: unknown[] }[];
}

function recordedOf({ verdicts = {} }: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(verdicts).map(([name, { status, evidence }]) => [
      name,
      status === 'scored' ? evidence?.recorded : 'NaN',
    ]),
  );
}

function flatten(scores: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(scores).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, part]) => [`${name}.${key}`, part])
        : [[name, value]],
    ),
  );
}
