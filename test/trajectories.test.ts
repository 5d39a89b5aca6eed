import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import { toolCallsOf } from '../src/core/schema/trial.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const root = await temporaryFolder();
let projects = 0;

/** Creates a folder with files. A value that is not text is written as JSON, a list as JSON Lines. */
async function createFolder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const cwd = path.join(root, `${(projects += 1)}`);
  await mkdir(cwd);
  for (const [name, content] of Object.entries(files)) {
    const lines = Array.isArray(content) && name.endsWith('.jsonl') ? content : [content];
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    await writeFile(path.join(cwd, name), text);
  }
  return cwd;
}

/** Scores a file and returns the report and the notices. */
async function score(cwd: string, ...args: readonly string[]): Promise<{ report: Report; stderr: string }> {
  const { code, stdout, stderr } = await touchstone(['score', ...args, '--json'], { cwd });
  expect({ code, stderr: code === 4 ? stderr : '' }).toEqual({ code: expect.toBeOneOf([0, 2]), stderr: '' });
  return { report: JSON.parse(stdout) as Report, stderr };
}

/** Returns the relevant parts of each trial of a report. */
function trialsOf({ results }: Report) {
  return results.map(({ case: { id, input }, trial, verdicts }) => ({
    id,
    question: input,
    attempt: trial.attempt,
    answer: trial.answer,
    tools: toolCallsOf(trial.transcript),
    verdicts: Object.fromEntries(
      Object.entries(verdicts).map(([name, verdict]) => [
        name,
        verdict.status === 'scored' ? verdict.value : verdict.status,
      ]),
    ),
  }));
}

const attributes = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

interface SpanParts {
  readonly span?: string;
  readonly parent?: string;
  readonly from?: number;
  readonly to?: number;
  readonly error?: string;
}

function span(trace: string, values: Readonly<Record<string, unknown>>, parts: SpanParts = {}): object {
  const { span: spanId = '1', parent = '', from = 0, to = 1, error } = parts;
  const at = (second: number) => `${1_700_000_000 + second}000000000`;
  return {
    traceId: trace.padStart(32, '0'),
    spanId: spanId.padStart(16, '0'),
    ...(parent !== '' && { parentSpanId: parent.padStart(16, '0') }),
    name: 'span',
    startTimeUnixNano: at(from),
    endTimeUnixNano: at(to),
    attributes: attributes(values),
    ...(error !== undefined && { status: { code: 2, message: error } }),
  };
}

const request = (...spans: readonly object[]) => ({
  resourceSpans: [
    { resource: { attributes: attributes({ 'service.name': 'bot' }) }, scopeSpans: [{ spans }] },
  ],
});

const texts = (...messages: readonly (readonly [role: string, content: string])[]) =>
  JSON.stringify(messages.map(([role, content]) => ({ role, parts: [{ type: 'text', content }] })));

/** Returns the spans of an agent that uses a tool, by OpenTelemetry's conventions. */
function genAiTrace(trace: string, question: string, answer: string, extra: object = {}): object[] {
  const call = [
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'look', arguments: { q: 1 } }] },
  ];
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 7,
    'gen_ai.usage.output_tokens': 2,
  };
  return [
    span(
      trace,
      {
        ...chat,
        'gen_ai.input.messages': texts(['user', question]),
        'gen_ai.output.messages': JSON.stringify(call),
      },
      { span: '2', parent: '1', from: 1, to: 2 },
    ),
    span(
      trace,
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'look',
        'gen_ai.tool.call.id': 'c',
        'gen_ai.tool.call.result': '{"found":1}',
      },
      { span: '3', parent: '1', from: 2, to: 3 },
    ),
    span(
      trace,
      {
        ...chat,
        'gen_ai.input.messages': JSON.stringify([...JSON.parse(texts(['user', question])), ...call]),
        'gen_ai.output.messages': texts(['assistant', answer]),
      },
      { span: '4', parent: '1', from: 3, to: 4 },
    ),
    span(trace, { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'bot', ...extra }, { to: 5 }),
  ];
}

/** Returns the spans of an answer from documents, by OpenInference's conventions. */
function openInferenceTrace(trace: string, question: string, answer: string, error?: string): object[] {
  return [
    span(
      trace,
      {
        'openinference.span.kind': 'RETRIEVER',
        'retrieval.documents.0.document.id': 'd1',
        'retrieval.documents.0.document.content': 'All about it.',
      },
      { span: '2', parent: '1', to: 1 },
    ),
    span(
      trace,
      { 'openinference.span.kind': 'CHAIN', 'input.value': question, 'output.value': answer },
      { to: 2, ...(error !== undefined && { error }) },
    ),
  ];
}

test('traces of both conventions are scored without configuration', async () => {
  const traces = [
    request(...genAiTrace('a', 'What is it?', 'It is 1.')),
    request(...openInferenceTrace('b', 'Where is it?', 'Here.')),
    request(...openInferenceTrace('c', 'Why?', '', 'rate limit')),
    request(span('d', { 'http.request.method': 'GET' })),
  ];
  const cwd = await createFolder({ 'traces.jsonl': traces, 'traces.json': traces });
  for (const file of ['traces.jsonl', 'traces.json']) {
    const { report, stderr } = await score(cwd, file);
    expect(stderr).toContain(
      `1 trace is skipped, because it contains no model, agent or tool: ${'d'.padStart(32, '0')}`,
    );
    expect(stderr).toContain('only metrics that need no expectations apply');
    const trials = report.results.map(({ trial }) => trial);
    expect(trials).toMatchObject([
      {
        caseId: 'a'.padStart(32, '0'),
        answer: 'It is 1.',
        latency: { totalMs: 5000, stepsMs: [1000, 1000] },
        usage: { inputTokens: 14, outputTokens: 4 },
      },
      { answer: 'Here.', documents: [{ id: 'd1', text: 'All about it.' }], latency: { totalMs: 2000 } },
      {
        status: 'failed',
        error: { code: 'recorded-error', message: 'rate limit' },
        latency: { totalMs: 2000 },
      },
    ]);
    expect(trialsOf(report)[0]).toMatchObject({
      question: 'What is it?',
      tools: [{ id: 'c', name: 'look', arguments: { q: 1 }, result: { found: 1 } }],
      verdicts: { 'error-handling': 1, 'supported-facts': 1 },
    });
    expect(report.run.scorecard).toBeNull();
  }
});

test('a dataset gives traces their expectations, matched by question, trace id or attribute', async () => {
  const golden = [
    { id: 'by-question', question: 'What is it?', expected_tools: ['look'], expected_keywords: ['1'] },
    { id: 'by-attribute', question: 'Other words?', expected_keywords: ['2'] },
    { id: 'e'.padStart(32, '0'), question: 'By its trace?', expected_keywords: ['3'] },
    { id: 'missing', question: 'Never asked?', expected_keywords: ['x'] },
  ];
  const traces = [
    request(...genAiTrace('a', 'What is it?', 'It is 1.')),
    request(...genAiTrace('b', 'What is it?', 'It is 7.')),
    request(...genAiTrace('c', 'Whatever', 'It is 2.', { 'eval.case.id': 'by-attribute' })),
    request(...genAiTrace('e', 'Something', 'It is 3.')),
  ];
  const cwd = await createFolder({ 'golden.jsonl': golden, 'traces.jsonl': traces });
  const { code, stdout, stderr } = await touchstone(
    ['score', 'traces.jsonl', '--dataset', 'golden.jsonl', '--json'],
    { cwd },
  );
  expect(code).toBe(2);
  expect(stderr).toContain('Up to 2 attempts at a question are recorded');
  const trials = trialsOf(JSON.parse(stdout) as Report);
  expect(
    trials.map(({ id, attempt, answer, verdicts }) => [id, attempt, answer, verdicts['response-quality']]),
  ).toEqual([
    ['by-question', 1, 'It is 1.', 1],
    ['by-question', 2, 'It is 7.', 0],
    ['by-attribute', 1, 'It is 2.', 1],
    ['by-attribute', 2, null, 'failed'],
    ['e'.padStart(32, '0'), 1, 'It is 3.', 1],
    ['e'.padStart(32, '0'), 2, null, 'failed'],
    ['missing', 1, null, 'failed'],
    ['missing', 2, null, 'failed'],
  ]);
});

const openai = {
  id: 'a',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Rain in Paris?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c', content: '{"sky":"rain"}' },
    { role: 'assistant', content: 'Yes, rain.' },
  ],
  expected_calls: [{ name: 'weather', arguments: { city: 'Paris' } }],
  expected_keywords: ['rain'],
};
const anthropic = {
  ...openai,
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'Rain in Paris?' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c', name: 'weather', input: { city: 'Paris' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: '{"sky":"rain"}' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes, rain.' }] },
  ],
};

test('messages of OpenAI and Anthropic give the same trial, and so does an export of it', async () => {
  const config = {
    dataset: 'unused.jsonl',
    targets: [{ use: 'module', path: 'unused.ts' }],
    scorecard: null,
    metrics: ['tool-calls', 'keywords'],
  };
  const cwd = await createFolder({
    'openai.jsonl': [openai],
    'anthropic.json': [anthropic],
    'rules.yaml': JSON.stringify(config),
  });
  const expected = {
    id: 'a',
    question: 'Rain in Paris?',
    attempt: 1,
    answer: 'Yes, rain.',
    tools: [{ id: 'c', name: 'weather', arguments: { city: 'Paris' }, result: { sky: 'rain' } }],
    verdicts: { 'tool-calls': 1, keywords: 1 },
  };
  for (const file of ['openai.jsonl', 'anthropic.json']) {
    const { report } = await score(cwd, file, '--config', 'rules.yaml');
    expect(trialsOf(report)).toEqual([expected]);
    expect(report.run.targets.map(({ name }) => name)).toEqual([path.parse(file).name]);
  }
  expect((await touchstone(['export', '--output', 'exported.jsonl'], { cwd })).code).toBe(0);
  const again = await score(cwd, 'exported.jsonl', '--config', 'rules.yaml');
  expect(trialsOf(again.report)).toEqual([expected]);
  expect(again.report.run.targets.map(({ name }) => name)).toEqual(['anthropic']);
});

test('text from a trace reaches the terminal only escaped', async () => {
  const evil = '\u001b[31mred\u001b]0;title\u0007 <script>alert(1)</script> \u202e';
  const cwd = await createFolder({
    'traces.jsonl': [
      request(...genAiTrace('a', `What ${evil}?`, `It is ${evil}`, { [`x${evil}`]: evil })),
      request(span(evil, { 'http.method': evil })),
    ],
  });
  const { code, stdout, stderr } = await touchstone(['score', 'traces.jsonl', '--verbose'], { cwd });
  expect(code).toBe(0);
  expect(stdout + stderr).toContain('␛[31mred');
  // eslint-disable-next-line no-control-regex
  expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/);
});

test.each([
  [
    'cut.json',
    JSON.stringify(request(...genAiTrace('a', 'q', 'a'))).slice(0, -40),
    /cut\.json:1:\d+: the file ends within/,
  ],
  [
    'cut.jsonl',
    `${JSON.stringify(request(...genAiTrace('a', 'q', 'a')))}\n{"resourceSpans": [`,
    /cut\.jsonl:2:\d+: expected '\]' but the file ends/,
  ],
  [
    'jaeger.json',
    { data: [{ traceID: 'a', spans: [] }] },
    /jaeger\.json: these are traces in the format of Jaeger/,
  ],
  [
    'nameless.json',
    request({ ...span('a', {}), traceId: '' }),
    /nameless\.json:1:\d+: this span has no `traceId`/,
  ],
  [
    'king.jsonl',
    [
      {
        messages: [
          { role: 'user', content: 'q' },
          { role: 'assistant', content: 5 },
        ],
      },
    ],
    /king\.jsonl:1:1: `messages\[1\]\.content` is the number 5/,
  ],
  ['empty.json', request(), /no questions|no rows/i],
])('%s is refused with its place and a remedy', async (name, content, message) => {
  const cwd = await createFolder({ [name]: content });
  const { code, stdout, stderr } = await touchstone(['score', name], { cwd });
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/\n {2}→ \S/);
  expect(stderr).not.toContain('    at ');
});

test.skipIf(!isReleaseTested)(
  '10,000 spans, one of them huge, are scored in a small heap (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => {
      const blob = index === 7 ? 'y'.repeat(4_000_000) : '';
      return request(...genAiTrace(`${index + 1}`, `What is ${index}?`, `It is ${index}.`, { blob }));
    });
    const cwd = await createFolder({ 'traces.jsonl': lines });
    const env = { NODE_OPTIONS: '--max-old-space-size=96' };
    const command = ['score', 'traces.jsonl', '--limit', '50', '--json'];
    const { code, stdout, stderr } = await touchstone(command, { cwd, env });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const trials = trialsOf(JSON.parse(stdout) as Report);
    expect(trials.map(({ answer }) => answer)).toEqual(trials.map((_, index) => `It is ${index}.`));
  },
);

test('the config of the guide reads differently named columns', async () => {
  const guide = await readFile(path.resolve('docs/conversations.md'), 'utf8');
  const [, config = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  const rows = [0, 1].map((round) => ({
    job: 'j',
    round,
    talk: anthropic.messages,
    wanted: [{ name: 'weather', kwargs: { city: 'Paris' } }],
    points: round * 10,
    task: 'Ask for the weather.',
  }));
  const cwd = await createFolder({ 'answers.jsonl': rows, 'touchstone.config.yaml': config });
  const { report } = await score(cwd, 'answers.jsonl', '--config', '.');
  for (const { case: testCase } of report.results) {
    expect(testCase).toMatchObject({ id: 'j', context: 'Ask for the weather.', metadata: {} });
  }
  expect(trialsOf(report).map(({ attempt, verdicts }) => [attempt, verdicts])).toEqual([
    [1, { 'recorded-score': 0, 'tool-calls': 1, latency: 'not-applicable' }],
    [2, { 'recorded-score': 1, 'tool-calls': 1, latency: 'not-applicable' }],
  ]);
  expect(report.results.map(({ scorecard }) => scorecard?.passed)).toEqual([false, true]);
});

const airline = path.resolve('../shared/data/tau-bench/tau_airline_gpt4o_trajectories.jsonl');
const published = path.resolve('../shared/data/tau-bench/tau_airline_pass_hat_k.json');
let scored: ReturnType<typeof score> | undefined;
/** Scores the trajectories once, for the tests that only read the report. */
async function scoreAirline() {
  return await (scored ??= score(await temporaryFolder(), airline));
}

test.skipIf(!existsSync(airline))(
  'real runs of an agent benchmark give its published reliability in one command (needs ../shared/data/tau-bench)',
  async () => {
    const { report, stderr } = await scoreAirline();
    expect(stderr).toContain('4 attempts at a question are recorded.');
    expect(report.run).toMatchObject({ attempts: 4, dataset: { cases: 50 } });
    const { all_trials: expected, successes_per_task: successes } = JSON.parse(
      await readFile(published, 'utf8'),
    );
    const levels = report.summary.targets[0]?.reliability?.levels ?? [];
    expect(levels.map(({ all }) => all.value)).toEqual(
      [1, 2, 3, 4].map((k) => expect.closeTo(expected[`pass^${k}`], 12)),
    );
    const passed = Map.groupBy(report.results, (result) => result.case.id);
    for (const [task, count] of Object.entries(successes)) {
      const trials = passed.get(task) ?? [];
      expect([task, trials.length, trials.filter(({ scorecard }) => scorecard?.passed).length]).toEqual([
        task,
        4,
        count,
      ]);
    }
  },
);

test.skipIf(!existsSync(airline))(
  'expected calls and real rewards contradict each other as often as the benchmark reports (needs ../shared/data/tau-bench)',
  async () => {
    const lines = (await readFile(airline, 'utf8')).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line));
    const isCalled = (row: { all_expected_actions_called_exactly: boolean }) =>
      row.all_expected_actions_called_exactly;
    const { report } = await scoreAirline();
    for (const { case: testCase, trial, verdicts } of report.results) {
      const row = rows.find(
        (each) => String(each.task_id) === testCase.id && each.trial + 1 === trial.attempt,
      );
      expect(verdicts['tool-calls']).toMatchObject({ value: Number(isCalled(row)) });
      expect(verdicts['reward']).toMatchObject({ value: row.reward });
    }
    const kinds = Object.fromEntries(
      (report.summary.disagreements ?? []).map(({ kind, compared, count }) => [kind, [count, compared]]),
    );
    expect(kinds).toMatchObject({
      'calls-but-failed': [rows.filter((row) => isCalled(row) && row.reward === 0).length, 200],
      'passed-without-calls': [rows.filter((row) => !isCalled(row) && row.reward === 1).length, 200],
    });
    expect(kinds['calls-but-failed']?.[0]).toBe(19);
    expect(kinds['passed-without-calls']?.[0]).toBe(27);
  },
);

test.skipIf(!existsSync(airline))(
  'a task with fewer attempts counts with those it has, and the report says so (needs ../shared/data/tau-bench)',
  async () => {
    const lines = (await readFile(airline, 'utf8')).trim().split('\n');
    const { unequal_trials_dropped: dropped } = JSON.parse(await readFile(published, 'utf8'));
    const isDropped = ({ task_id: task, trial }: { task_id: number; trial: number }) =>
      dropped.some(([otherTask, otherTrial]: [number, number]) => otherTask === task && otherTrial === trial);
    const cwd = await createFolder({ 'unequal.jsonl': lines.filter((line) => !isDropped(JSON.parse(line))) });
    const { code, stdout, stderr } = await touchstone(['score', 'unequal.jsonl', '--json'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('2 are missing and count as not measured');
    const levels = (JSON.parse(stdout) as Report).summary.targets[0]?.reliability?.levels ?? [];
    // 48 tasks have four attempts; the two with three passed all of them.
    expect(levels.map(({ all }) => [all.value, all.n])).toEqual([
      [expect.closeTo(0.42, 12), 50],
      [expect.closeTo(0.273_333_333_333, 12), 50],
      [expect.closeTo(0.22, 12), 50],
      [expect.closeTo(8 / 48, 12), 48],
    ]);
  },
);
