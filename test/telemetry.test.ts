import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import { startTraceCollector, type TraceCollector } from './support/trace-collector.ts';
import { rowOf, rubricOf, writePaidProject } from './paid-project.ts';
import { touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const cases = 4;
const named = ({ spans }: TraceCollector, name: string) => spans.filter((span) => span.name === name);

test('--otel sends the run, its trials and its judge calls, without message contents', async () => {
  await using collector = await startTraceCollector();
  const project = await writePaidProject({ cases });
  const { folder: cwd } = project;
  const { code, stderr } = await touchstone(['run', '--otel', collector.url], { cwd });
  // A run of more than a second prints its progress.
  expect([code, stderr.replaceAll(/^\d+\/\d+ attempts · .*\n/gm, '')]).toEqual([0, '']);
  const [run] = named(collector, 'touchstone run');
  const trials = named(collector, 'invoke_agent http');
  const judged = named(collector, 'chat judge');
  expect([trials.length, judged.length, collector.spans.length]).toEqual([cases, cases, 2 * cases + 1]);
  expect(new Set(judged.map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set(trials.map(({ spanId }) => spanId)),
  );
  for (const span of [...trials, ...judged]) {
    expect(span.traceId).toBe(run?.traceId);
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(run?.startTimeUnixNano ?? 0));
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(run?.endTimeUnixNano ?? 0));
  }
  expect(judged[0]).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'judge',
      'gen_ai.response.model': 'judge',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': expect.any(BigInt),
      'touchstone.role': 'judge',
    },
  });
  expect(trials[0]?.events.map(({ attributes }) => attributes['gen_ai.evaluation.name'])).toContain('rubric');
  expect(collector.text).not.toMatch(/question \d|yes, call|It does, call/);
});

test('a call of an embedding model is a span of its own kind, without output messages', async () => {
  await using collector = await startTraceCollector();
  const project = await writePaidProject({ cases });
  const embedder = { use: 'openai-embeddings', model: 'embed', baseUrl: project.judge.url };
  await project.writeConfig({ embedder, metrics: [{ use: 'semantic-similarity', from: 'input' }] });
  const { folder: cwd } = project;
  expect((await touchstone(['run', '--otel', collector.url, '--otel-content'], { cwd })).code).toBe(0);
  const calls = named(collector, 'embeddings embed');
  expect(calls).toHaveLength(cases);
  expect(calls[0]?.attributes).toMatchObject({
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.usage.input_tokens': expect.any(BigInt),
    'gen_ai.input.messages': expect.stringContaining('question'),
    'touchstone.role': 'judge',
  });
  expect(calls[0]?.attributes).not.toHaveProperty('gen_ai.output.messages');
});

test('a resumed run sends only new spans, in the trace of the run', async () => {
  await using collector = await startTraceCollector();
  const project = await writePaidProject({ cases });
  const { folder: cwd } = project;
  await touchstone(['run', '--otel', collector.url], { cwd });
  await project.writeRows([...project.golden, rowOf(99)]);
  const before = collector.spans.length;
  await touchstone(['run', '--resume', 'latest', '--otel', collector.url, '--otel-content'], { cwd });
  const added = collector.spans.slice(before).map(({ name }) => name);
  expect(added.toSorted()).toEqual(['chat judge', 'invoke_agent http', 'touchstone run']);
  expect(collector.text).toMatch(/question 99/);
});

test('rescoring sends scores and judge calls of each trial, and no call of the target', async () => {
  await using collector = await startTraceCollector();
  const project = await writePaidProject({ cases });
  const { folder: cwd } = project;
  await touchstone(['run'], { cwd });
  await project.writeConfig({ metrics: [rubricOf('It is short.')] });
  const { code, stdout } = await touchstone(['rescore', '--otel', collector.url, '--json'], { cwd });
  expect(code).toBe(0);
  const { run } = JSON.parse(stdout) as Report;
  expect(run.accounts).toMatchObject([{ requests: cases, refused: 0 }]);
  const [whole] = named(collector, 'touchstone run');
  expect(whole?.attributes).toMatchObject({ 'touchstone.run.id': run.id });
  expect(whole?.attributes['touchstone.rescored_from']).toBe(run.rescoredFrom);
  const scored = named(collector, 'score http');
  const judged = named(collector, 'chat judge');
  expect([scored.length, judged.length, collector.spans.length]).toEqual([cases, cases, 2 * cases + 1]);
  expect(new Set(judged.map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set(scored.map(({ spanId }) => spanId)),
  );
  for (const span of [...scored, ...judged]) {
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(whole?.startTimeUnixNano ?? 0));
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(whole?.endTimeUnixNano ?? 0));
  }
  const before = collector.spans.length;
  await project.writeConfig({ telemetry: { otlp: collector.url } });
  await touchstone(['rescore'], { cwd });
  // The judgements of the first rescore are reused.
  const added = collector.spans.slice(before).map(({ name }) => name);
  expect(added.filter((name) => name !== 'score http')).toEqual(['touchstone run']);
  const refused = await touchstone(['rescore', '--weights', 'correctness=1', '--otel'], { cwd });
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('no spans') });
});

test('OpenTelemetry variables apply when spans are requested, and do not request them', async () => {
  await using collector = await startTraceCollector();
  const project = await writePaidProject({ cases });
  const { folder: cwd } = project;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=one',
  };
  await touchstone(['run'], { cwd, env });
  expect(collector.requests).toEqual([]);
  await touchstone(['run', '--otel'], { cwd, env });
  expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-team': 'one' } });
  await project.writeConfig({
    telemetry: { otlp: `${collector.url}/mine`, headersFromEnv: { 'x-key': 'MY_KEY' } },
  });
  await touchstone(['run'], { cwd, env: { ...env, MY_KEY: 'collector-secret' } });
  expect(collector.requests.at(-1)).toMatchObject({
    path: '/mine',
    headers: { 'x-key': 'collector-secret' },
  });
  expect(collector.requests.at(-1)?.headers).not.toHaveProperty('x-team');
});

test('an invalid collector is refused before any call; an unreachable one does not change the result', async () => {
  const project = await writePaidProject({ cases });
  const { folder: cwd, bot } = project;
  const refused = await touchstone(['run', '--otel', 'examples/bot'], { cwd });
  expect(refused).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('is not the address of an OpenTelemetry'),
  });
  expect((await touchstone(['run', '--otel-content'], { cwd })).code).toBe(4);
  expect(bot.requests).toEqual([]);
  const collector = await startTraceCollector();
  await collector[Symbol.asyncDispose]();
  const { code, stderr } = await touchstone(['run', '--otel', collector.url], { cwd });
  expect([code, stderr.match(/Spans are missing/g)]).toEqual([0, ['Spans are missing']]);
});

test.skipIf(!isReleaseTested)(
  'a run in several processes is one trace: run, parts, trials and calls, each within the one before (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    await using collector = await startTraceCollector();
    const project = await writePaidProject({ cases: 8, concurrency: 1, delayMs: 400 });
    const { folder: cwd } = project;
    const args = ['run', '--workers', '2', '--otel', collector.url];
    const { code } = await touchstone(args, { cwd, isAlone: true });
    expect(code).toBe(0);
    const [run, ...others] = named(collector, 'touchstone run');
    const parts = named(collector, 'touchstone.part');
    const trials = named(collector, 'invoke_agent http');
    const judged = named(collector, 'chat judge');
    expect([others.length, trials.length, judged.length]).toEqual([0, 8, 8]);
    expect(collector.spans.length).toBe(1 + parts.length + 8 + 8);
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([run?.traceId]));
    expect(new Set(parts.map(({ attributes }) => attributes['process.pid'])).size).toBe(2);
    const idsOf = (spans: TraceCollector['spans']) => new Set(spans.map(({ spanId }) => spanId));
    const parentsOf = (spans: TraceCollector['spans']) =>
      new Set(spans.map(({ parentSpanId }) => parentSpanId));
    expect(run?.parentSpanId).toBeUndefined();
    expect(parentsOf(parts)).toEqual(new Set([run?.spanId]));
    expect(parentsOf(trials)).toEqual(idsOf(parts));
    expect(parentsOf(judged)).toEqual(idsOf(trials));
    for (const trial of trials) {
      const part = parts.find(({ spanId }) => spanId === trial.parentSpanId);
      expect(BigInt(trial.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(part?.startTimeUnixNano ?? 0));
      expect(BigInt(trial.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(part?.endTimeUnixNano ?? 0));
    }
    const last = (name: string) => collector.metrics.findLast((metric) => metric.name === name);
    const durations = collector.metrics.flatMap((metric) =>
      'histogram' in metric ? metric.histogram.dataPoints : [],
    );
    expect(durations.length).toBeGreaterThanOrEqual(2);
    expect(durations[0]?.bucketCounts.map(Number).reduce((sum, each) => sum + each)).toBe(
      Number(durations[0]?.count),
    );
    expect(last('touchstone.queue.depth')).toMatchObject({ gauge: { dataPoints: [{ asInt: '0' }] } });
    const done = collector.metrics.flatMap((metric) =>
      metric.name === 'touchstone.trial.done' && 'sum' in metric ? metric.sum.dataPoints : [],
    );
    // Every process reports its own, from its start on.
    expect(Math.max(...done.map(({ asInt }) => Number(asInt)))).toBeGreaterThanOrEqual(4);
    expect(collector.metrics.map(({ name }) => name)).toContain('touchstone.workers');
  },
);
