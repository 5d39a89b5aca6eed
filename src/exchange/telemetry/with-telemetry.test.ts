import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { run } from '../../evaluate/run/run.ts';
import { neverStopped, type RunNeeds } from '../../evaluate/run/run-needs.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { TargetFailure } from '../../evaluate/targets/target.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import { startTraceCollector, type TraceCollector } from '../../../test/support/trace-collector.ts';
import { type TelemetrySettings, withTelemetry } from './with-telemetry.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

const secretQuestion = 'Where does Ada Lovelace live?';
const drafts = [
  { id: 'one', input: secretQuestion, expected: { keywords: ['yes'] }, category: 'people' },
  { id: 'two', input: 'And who fails?', expected: { keywords: ['yes'] } },
];

const bot = buildTarget(({ caseId }) => {
  if (caseId === 'two') throw new TargetFailure('no-database', 'the database of Ada is gone');
  return {
    answer: 'yes, in London',
    toolCalls: [
      { id: 'call-1', name: 'look_up', arguments: { who: 'Ada' }, result: ['London'] },
      { id: 'call-2', name: 'look_up', arguments: { who: 'Lovelace' }, error: 'no such name' },
    ],
    usage: { inputTokens: 12, outputTokens: 3 },
    cost: 0.002,
    latency: { totalMs: 1234.5 },
  };
});

/** Executes a run whose spans are sent to a collector. */
async function runWatched(settings: TelemetrySettings, cases: readonly Record<string, unknown>[] = drafts) {
  const notices: string[] = [];
  const needs: RunNeeds = {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: { onNotice: ({ message }) => notices.push(message) },
    signals: neverStopped,
  };
  const evaluation = buildEvaluation(cases, [resolvedTarget('bot', bot)]);
  const finished = await withTelemetry(settings, needs, (watched) => run(evaluation, watched));
  return { finished, notices, store: needs.store };
}

const named = ({ spans }: TraceCollector, name: RegExp) => spans.filter((span) => name.test(span.name));

test('a run is one trace: the run, its trials, and their tool calls', async () => {
  await using collector = await startTraceCollector();
  const { finished, store } = await runWatched({ otlp: collector.url });
  expect(collector.requests.every(({ path }) => path === '/v1/traces')).toBe(true);
  const [whole] = named(collector, /^touchstone run$/);
  expect(whole).toMatchObject({
    kind: 1,
    attributes: { 'touchstone.run.id': finished.id, 'touchstone.run.decision': 'not-measured' },
  });
  expect(whole).not.toHaveProperty('parentSpanId');
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(collector.spans.length);
  const trials = named(collector, /^invoke_agent bot$/);
  expect(trials).toHaveLength(2);
  for (const trial of trials) expect(trial).toMatchObject({ kind: 3, parentSpanId: whole?.spanId });
  const first = trials.find(({ attributes }) => attributes['touchstone.case.id'] === 'one');
  expect(first?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'bot',
    'gen_ai.usage.input_tokens': 12n,
    'gen_ai.usage.output_tokens': 3n,
    'touchstone.cost.usd': 0.002,
    'touchstone.case.category': 'people',
    'touchstone.trial.attempt': 1n,
  });
  const [{ trial: kept } = {}] = await Array.fromAsync(store.readResults(finished.id));
  const [start, end] = [BigInt(first?.startTimeUnixNano ?? 0), BigInt(first?.endTimeUnixNano ?? 0)];
  expect(start).toBe(BigInt(Date.parse(kept?.startedAt ?? '')) * 1_000_000n);
  expect(end - start).toBe(1_234_500_000n);
  const tools = named(collector, /^execute_tool look_up$/);
  expect(tools.map(({ kind, parentSpanId }) => [kind, parentSpanId])).toEqual([
    [1, first?.spanId],
    [1, first?.spanId],
  ]);
  expect(tools.map(({ attributes, status }) => [attributes['gen_ai.tool.call.id'], status])).toEqual([
    ['call-1', {}],
    ['call-2', { code: 2, message: 'tool-error' }],
  ]);
});

test('a span of a trial has its evaluations; unmeasured ones have an error and no value', async () => {
  await using collector = await startTraceCollector();
  await runWatched({ otlp: collector.url });
  const [good, failed] = ['one', 'two'].map((id) =>
    collector.spans.find(({ attributes }) => attributes['touchstone.case.id'] === id),
  );
  const eventsOf = (span: typeof good) =>
    Object.fromEntries(
      (span?.events ?? []).map(({ name, attributes }) => {
        expect(name).toBe('gen_ai.evaluation.result');
        return [attributes['gen_ai.evaluation.name'], attributes];
      }),
    );
  expect(eventsOf(good)).toMatchObject({
    keywords: { 'gen_ai.evaluation.score.value': 1 },
    'three-component': {
      'gen_ai.evaluation.score.value': expect.any(Number),
      'gen_ai.evaluation.score.label': 'A',
    },
  });
  expect(failed?.status).toEqual({ code: 2, message: 'no-database' });
  expect(failed?.attributes).toMatchObject({
    'error.type': 'no-database',
    'touchstone.trial.status': 'failed',
  });
  expect(eventsOf(failed)['keywords']).not.toHaveProperty('gen_ai.evaluation.score.value');
  expect(eventsOf(failed)['keywords']).toHaveProperty(['error.type']);
});

test('no texts are sent unless requested', async () => {
  await using silent = await startTraceCollector();
  await runWatched({ otlp: silent.url });
  expect(silent.text).not.toMatch(/Ada|Lovelace|London/);
  await using withTexts = await startTraceCollector();
  await runWatched({ otlp: withTexts.url, content: true });
  const trial = withTexts.spans.find(({ attributes }) => attributes['touchstone.case.id'] === 'one');
  expect(JSON.parse(String(trial?.attributes['gen_ai.input.messages']))).toEqual([
    { role: 'user', parts: [{ type: 'text', content: secretQuestion }] },
  ]);
  expect(JSON.parse(String(trial?.attributes['gen_ai.output.messages']))[0].parts[0]).toEqual({
    type: 'text',
    content: 'yes, in London',
  });
  expect(named(withTexts, /^execute_tool/)[0]?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"who":"Ada"}',
    'gen_ai.tool.call.result': '["London"]',
  });
});

test('secrets of the environment are in no span, only in the header they are meant for', async () => {
  await using collector = await startTraceCollector();
  process.env['TEST_COLLECTOR_TOKEN'] = 'collector-secret-0123456789';
  process.env['TEST_BOT_API_KEY'] = 'yes, in London';
  try {
    await runWatched({
      otlp: collector.url,
      content: true,
      headersFromEnv: { authorization: 'TEST_COLLECTOR_TOKEN' },
    });
  } finally {
    delete process.env['TEST_COLLECTOR_TOKEN'];
    delete process.env['TEST_BOT_API_KEY'];
  }
  expect(collector.requests[0]?.headers.authorization).toBe('collector-secret-0123456789');
  expect(collector.text).not.toContain('collector-secret');
  expect(collector.text).not.toContain('yes, in London');
  expect(collector.text).toContain('[TEST_BOT_API_KEY]');
});

test('in a large run every trial is its own trace, linked to the run', async () => {
  await using collector = await startTraceCollector();
  const many = Array.from({ length: 1001 }, (_, number) => ({
    id: `q${number}`,
    input: `question ${number}`,
  }));
  const { notices } = await runWatched({ otlp: collector.url }, many);
  const [whole] = named(collector, /^touchstone run$/);
  const trials = named(collector, /^invoke_agent/);
  expect([trials.length, notices]).toEqual([1001, []]);
  expect(new Set(trials.map(({ traceId }) => traceId)).size).toBe(1001);
  for (const { links, parentSpanId } of trials) {
    expect([links, parentSpanId]).toEqual([[{ traceId: whole?.traceId, spanId: whole?.spanId }], undefined]);
  }
});

test.skipIf(!isReleaseTested)(
  'an absent or refusing collector causes one notice and does not change the run (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const { finished: without } = await runWatched({ otlp: (await stopped()).url });
    for (const [collector, reason] of [
      [await stopped(), /ECONNREFUSED/],
      [await startTraceCollector([401, 401, 401, 401]), /status 401/],
    ] as const) {
      await using refusing = collector;
      const { finished, notices } = await runWatched({ otlp: refusing.url });
      expect(finished.status).toBe('completed');
      expect(finished.summary?.targets[0]?.counts).toEqual(without.summary?.targets[0]?.counts);
      expect(notices).toEqual([expect.stringMatching(reason)]);
      expect(notices[0]).toContain(`Spans are missing at ${refusing.url}`);
    }
  },
);

test('spans are sent again to a collector that was too busy', async () => {
  await using collector = await startTraceCollector([503, 429]);
  const { notices } = await runWatched({ otlp: collector.url });
  expect(notices).toEqual([]);
  expect(named(collector, /^invoke_agent/)).toHaveLength(2);
});

async function stopped(): Promise<TraceCollector> {
  const collector = await startTraceCollector();
  await collector[Symbol.asyncDispose]();
  return collector;
}
