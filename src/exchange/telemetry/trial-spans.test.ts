import { expect, test } from 'vitest';
import { buildCase, buildRun, buildTrial } from '../../library/testing/build-records.ts';
import { placeOfRun } from './span.ts';
import { trialSpans } from './trial-spans.ts';

const startedAt = '2026-01-02T03:04:05.000Z';
const startMs = Date.parse(startedAt);
const model = { use: 'openai-chat', model: 'small-model' };
const run = buildRun({ targets: [{ name: 'bot', use: { use: 'chat', model }, fingerprint: '3' }] });
const place = placeOfRun(run, startMs);

test('the calls of a chat target are consecutive spans within the trial', () => {
  const trial = buildTrial('yes', { startedAt, latency: { totalMs: 100, stepsMs: [30, 50] } });
  const scored = { case: buildCase(), trial, verdicts: {}, scorecard: null };
  const [whole, ...steps] = trialSpans(scored, { run, place, withContent: false });
  expect(whole).toMatchObject({ startMs, endMs: startMs + 100 });
  expect(whole?.attributes).toMatchObject({ 'gen_ai.request.model': 'small-model' });
  const parentSpanId = whole?.spanId;
  expect(steps).toMatchObject([
    { name: 'chat small-model', kind: 'client', parentSpanId, startMs, endMs: startMs + 30 },
    { name: 'chat small-model', kind: 'client', parentSpanId, startMs: startMs + 30, endMs: startMs + 80 },
  ]);
});

test('the calls of a simulated user have their own spans with their own role', () => {
  const calls = [{ startedAt: '2026-01-02T03:04:06.000Z', reply: 'And then?', latencyMs: 20 }];
  const user = { model: 'player', system: 'You are.', promptVersion: 1, calls };
  const trial = buildTrial('yes', { startedAt, conversation: { turns: [], ended: 'goal-met', user } });
  const scored = { case: buildCase(), trial, verdicts: {}, scorecard: null };
  const spans = trialSpans(scored, { run, place, withContent: false });
  expect(spans.at(-1)).toMatchObject({
    name: 'chat player',
    startMs: startMs + 1000,
    endMs: startMs + 1020,
    attributes: { 'touchstone.role': 'user' },
  });
  expect(JSON.stringify(spans)).not.toContain('And then?');
});

test('a trial has the same span id in every process, however often it is sent', () => {
  const trial = buildTrial('yes', { startedAt });
  const scored = { case: buildCase(), trial, verdicts: {}, scorecard: null };
  const again = { run, place: placeOfRun(run, startMs + 5000), withContent: true };
  const [first] = trialSpans(scored, { run, place, withContent: false });
  const [second] = trialSpans(scored, again);
  expect([second?.traceId, second?.spanId]).toEqual([first?.traceId, first?.spanId]);
  expect(second?.parentSpanId).not.toBe(first?.parentSpanId);
});
