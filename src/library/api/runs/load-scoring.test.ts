import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadCases } from '../../../evaluate/run/prepare/load.ts';
import { loadScoring, type ScoringFlags } from './load-scoring.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'scoring-'));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;

async function write(content: string | readonly object[], ending: string = '.jsonl'): Promise<string> {
  files += 1;
  const file = path.join(folder, `file${files}${ending}`);
  const text = typeof content === 'string' ? content : content.map((row) => JSON.stringify(row)).join('\n');
  await writeFile(file, text);
  return file;
}

async function load(
  content: string | readonly object[],
  { ending = '.jsonl', ...flags }: ScoringFlags & { ending?: string } = {},
) {
  const file = await write(content, ending);
  const { evaluation } = await loadScoring(file, flags);
  const loaded = await Array.fromAsync(loadCases(evaluation.dataset, { onNotice: () => {} }));
  const { attempts, notices, targets, metrics, scorecard } = evaluation;
  return {
    attempts,
    notices,
    targets: targets.map(({ name, use }) => ({ name, ...use })),
    metrics: metrics.map(({ name }) => name),
    scorecard: scorecard?.name,
    cases: loaded.map((each) => each.case),
  };
}

const messages = (question: string, answer = 'a') => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer },
];

/** Two attempts at each of two tasks, in the format of a benchmark. */
const rows = [0, 1].flatMap((trial) =>
  ['x', 'y'].map((task) => ({
    id: `${task}-${trial}`,
    task_id: task,
    trial,
    model: 'm',
    reward: trial,
    end: `end ${trial}`,
    instruction: `do ${task}`,
    expected_actions: task === 'x' ? [{ name: 'f', kwargs: { n: 1 } }] : [],
    messages: messages(`please ${task} ${trial}`),
  })),
);

test('rows of the same task are attempts at one case; columns that differ belong to the answers', async () => {
  expect(await load(rows)).toMatchObject({
    attempts: 2,
    scorecard: 'recorded',
    metrics: ['reward', 'tool-calls', 'latency'],
    targets: [{ name: 'file1', recorded: ['reward', 'end'] }],
    notices: [
      '2 attempts at a question are recorded.',
      'The recorded `reward` decides what passed; use `--config` for other rules.',
    ],
    cases: [
      {
        id: 'x',
        input: 'please x 0',
        expected: { calls: { mode: 'superset', expect: [{ name: 'f', arguments: { n: 1 } }] } },
        metadata: { model: 'm', instruction: 'do x' },
      },
      { id: 'y', input: 'please y 0', expected: { calls: { mode: 'superset', expect: [] } } },
    ],
  });
});

test('missing attempts are reported', async () => {
  const { attempts, notices } = await load(rows.slice(0, 3));
  expect(attempts).toBe(2);
  expect(notices?.[0]).toBe(
    'Up to 2 attempts at a question are recorded; 1 is missing and counts as not measured.',
  );
});

test('attempts with different expectations are refused with both lines', async () => {
  const other = rows.with(3, {
    ...(rows[3] as (typeof rows)[0]),
    expected_actions: [{ name: 'g', kwargs: {} as never }],
  });
  await expect(load(other)).rejects.toMatchObject({
    code: 'dataset-invalid',
    message: expect.stringMatching(
      /\.jsonl:4:1: `expected_actions` differs from .+\.jsonl:2:1, which is another attempt of the question "y"$/,
    ),
    remedy: expect.stringContaining('fields: { my_column: id }'),
  });
  const asked = [
    { id: 'a', attempt: 1, question: 'one?', answer: 'x' },
    { id: 'a', attempt: 2, question: 'two?', answer: 'x' },
  ];
  await expect(load(asked)).rejects.toMatchObject({
    message: expect.stringContaining('`question` differs from'),
  });
});

test('a config sets the meaning of columns for cases and answers', async () => {
  const config = await write(
    JSON.stringify({
      dataset: {
        path: 'elsewhere.jsonl',
        fields: {
          job: 'id',
          go: 'recorded.attempt',
          said: 'recorded.answer',
          ask: 'question',
          points: 'recorded',
          gold: 'expected.answer',
        },
      },
      targets: [{ use: 'module', path: 'bot.ts' }],
      scorecard: null,
      metrics: [{ use: 'recorded-score', field: 'points', greatest: 10 }],
    }),
    '.yaml',
  );
  const jobs = [0, 1].map((go) => ({
    job: 'j',
    go,
    said: `s${go}`,
    ask: 'q',
    points: 5,
    gold: 'g',
    id: `r${go}`,
  }));
  const loaded = await load(jobs, { config });
  expect(loaded).toMatchObject({
    attempts: 2,
    metrics: ['recorded-score'],
    targets: [
      { recorded: ['points'], fields: { job: 'id', go: 'attempt', said: 'answer', ask: 'question' } },
    ],
    cases: [{ id: 'j', input: 'q', expected: { answer: 'g' }, metadata: {} }],
  });
});

test('without expectations only metrics that need none apply', async () => {
  expect(await load([{ messages: messages('q') }])).toMatchObject({
    attempts: 1,
    scorecard: undefined,
    metrics: ['error-handling', 'tool-failures', 'supported-facts', 'latency', 'first-token'],
    notices: [expect.stringContaining('only metrics that need no expectations apply')],
  });
  expect(await load([{ messages: messages('q'), expected_keywords: ['k'] }])).toMatchObject({
    scorecard: 'three-component',
    notices: [],
  });
});

test('only attempts at the cases of the dataset count', async () => {
  const dataset = [
    await write([
      { id: 'a', question: 'one?' },
      { id: 'b', question: 'two?', category: 'x' },
    ]),
  ];
  const answers = [1, 2, 3].map((attempt) => ({ id: 'a', attempt, answer: 'x' }));
  const others = [1, 2, 3, 4, 5].map((attempt) => ({ id: 'z', attempt, answer: 'x' }));
  expect(await load([...answers, ...others], { dataset })).toMatchObject({ attempts: 3, cases: [{}, {}] });
  expect(await load([...answers, ...others], { dataset, filter: ['category=x'] })).toMatchObject({
    attempts: 1,
  });
});

test('an exported run of several targets has as many targets, and each case once', async () => {
  const testCase = { id: 'c', input: 'q', tags: [], expected: { keywords: ['k'] }, metadata: {} };
  const results = ['one', 'two'].map((target) => ({
    type: 'result',
    hash: '0',
    result: {
      case: testCase,
      trial: { attempt: 1, target, status: 'completed', answer: target, transcript: [] },
    },
  }));
  const loaded = await load([{ type: 'run', hash: '0', run: {} }, ...results]);
  expect(loaded.targets).toMatchObject([
    { name: 'one', target: 'one' },
    { name: 'two', target: 'two' },
  ]);
  expect(loaded.cases).toEqual([testCase]);
});

test('the text cells of a table are parsed as lists and numbers', async () => {
  const csv =
    'id,trial,question,answer,expected_tools,tools_used,reward\na,1,q,x,"f,g","f",1\na,2,q,y,"f,g","g",0\n';
  expect(await load(csv, { ending: '.csv' })).toMatchObject({
    attempts: 2,
    cases: [{ id: 'a', input: 'q', expected: { tools: ['f', 'g'] } }],
    targets: [{ recorded: ['reward'] }],
  });
});

test('all unreadable rows are reported together', async () => {
  await expect(load('{"question":"q","answer":"a"}\n{"broken\n{"answer":"a"}\n')).rejects.toMatchObject({
    code: 'dataset-invalid',
    message: expect.stringMatching(/2 problems:\n.+:2:\d+: .+\n.+:3:1: there is no question/),
  });
});

test('a file without any answer is opened; the error comes when its answers are read', async () => {
  expect(await load([{ question: 'q', expected_answer: 'a' }])).toMatchObject({ attempts: 1, targets: [{}] });
});
