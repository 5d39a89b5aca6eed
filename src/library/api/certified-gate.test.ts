import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  judgedRun,
  type JudgedRunSetting,
  labelRun,
  rightJudge,
} from '../../../test/support/labelled-run.ts';
import { certificateFile } from '../../people/reviews/calibrate/calibrate.ts';
import { subjectOf } from '../../people/reviews/frame.ts';
import { halfOf } from '../../people/reviews/calibrate/tuned-judge.ts';
import { addLabels, undo } from '../../people/reviews/give-labels.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import type { Gate } from '../../core/schema/gate.ts';
import type { Run } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { calibrate } from './calibrate.ts';
import { gate as decide } from './runs/gate.ts';
import { createReview } from './reviews.ts';
import { rubricKind } from '../../stores/kinds/rubric.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';
import { certificateKind } from '../../stores/kinds/certificate.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-certified-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

/** A gate that rests on the judge: at least 40 % of the answers are to help. */
const rules: Gate['rules'] = { helps: { type: 'metric', metric: 'helps the user', atLeast: 40 } };
const gate = { minCoverage: 1, rules };

async function newRun(store: Store, setting: JudgedRunSetting = {}): Promise<Run> {
  return await judgedRun(store, folder, rightJudge, { gate, ...setting });
}

/** Returns a store with a run whose judge is certified. */
async function certifiedStore(setting: Parameters<typeof labelRun>[1] = {}) {
  const store = createMemoryStore();
  const run = await newRun(store);
  await labelRun(store, setting);
  const { certificate } = await calibrate({ store, rubric: 'helps' });
  expect(certificate).not.toBeNull();
  return { store, run, certificate: certificate! };
}

async function decisionOf(store: Store, run: Run, judge?: Gate['judge']) {
  const kept = judge === undefined ? run : { ...run, gate: { ...run.gate, judge } };
  await store.updateRun(kept);
  return (await decide(run.id, { store })).decision;
}

test('without any certificate a gate warns, unless it demands one or ignores judges', async () => {
  const store = createMemoryStore();
  const run = await newRun(store);
  const { decision } = run.summary!;
  const message =
    'the judge scripted of the metric "helps the user" has no certificate; label answers and certify it: ' +
    `\`touchstone review create --rubric RUBRIC --run ${run.id} --doubled 40% && touchstone review open && touchstone calibrate --rubric RUBRIC\``;
  expect(decision).toMatchObject({
    outcome: 'pass',
    uncertified: [
      { metric: 'helps the user', judge: 'scripted', isRequired: false, rules: ['helps'], message },
    ],
  });
  expect(decision.reasons.join()).not.toContain('certificate');
  const required = await decisionOf(store, run, { certified: 'require' });
  expect(required).toMatchObject({
    outcome: 'not-measured',
    reasons: [
      message,
      expect.stringContaining('the judge scripted of the metric "helps the user" has no valid'),
    ],
    rules: [{ name: 'helps', outcome: 'not-measured', value: expect.closeTo(0.58, 1) }],
  });
  const ignored = await decisionOf(store, run, { certified: 'ignore' });
  expect(ignored).toMatchObject({ outcome: 'pass' });
  expect(ignored).not.toHaveProperty('uncertified');
  expect(run.summary?.judged).toMatchObject([
    {
      status: 'none',
      targets: [{ said: { n: 300 }, corrected: null, why: 'The judge has no certificate.' }],
    },
  ]);
});

test('a decision that wanted a certificate says so once there is one, and how to decide by it', async () => {
  const store = createMemoryStore();
  const run = await newRun(store, { gate: { ...gate, judge: { certified: 'require' } } });
  const before = await readSummary(run, store);
  expect(before.decision.reasons[0]).toContain('has no certificate; label answers and certify it');
  await labelRun(store);
  await calibrate({ store, rubric: 'helps' });
  const { decision } = await readSummary((await store.readRun(run.id))!, store);
  expect(decision).toMatchObject({ outcome: 'not-measured', uncertified: before.decision.uncertified });
  expect(decision.reasons[0]).toBe(
    'the judge scripted of the metric "helps the user" had no certificate when this was decided, and has one now: ' +
      `\`touchstone gate ${run.id}\` decides by it`,
  );
  expect((await decide(run.id, { store })).decision.outcome).toBe('pass');
});

test('a certified judge decides, and its rates are corrected by the labels of the run, and of later runs by its error rates', async () => {
  const { store, run, certificate } = await certifiedStore();
  const decision = await decisionOf(store, run, { certified: 'require' });
  expect(decision).toMatchObject({ outcome: 'pass' });
  expect(decision).not.toHaveProperty('uncertified');
  const { judged } = await readSummary(run, store);
  const estimate: unknown = JSON.parse(JSON.stringify(certificate.calibration.rate.corrected));
  expect(judged).toMatchObject([
    {
      status: 'valid',
      certificate: { id: certificate.id, answers: 200, run: run.id, rubric: 'helps' },
      targets: [{ corrected: { method: 'ppi', labels: 200, estimate: estimate as object } }],
    },
  ]);
  const later = await newRun(store, { cases: 150 });
  expect(later.summary?.decision).not.toHaveProperty('uncertified');
  const [rate] = later.summary?.judged?.[0]?.targets ?? [];
  expect(rate).toMatchObject({ said: { n: 150 }, corrected: { method: 'rogan-gladen', labels: 200 } });
  expect(rate?.corrected?.estimate.lower).toBeLessThan(0.6);
  expect(rate?.corrected?.estimate.upper).toBeGreaterThan(0.6);
});

test('labels drawn by verdict correct later runs as well', async () => {
  const { store } = await certifiedStore({ draw: { type: 'stratified' } });
  const later = await newRun(store, { cases: 150 });
  const [rate] = later.summary?.judged?.[0]?.targets ?? [];
  expect(rate?.corrected).toMatchObject({ method: 'rogan-gladen' });
  expect(rate?.corrected?.estimate.lower).toBeLessThan(0.6);
  expect(rate?.corrected?.estimate.upper).toBeGreaterThan(0.6);
});

test('once certified, a judge has to stay so: another prompt is not measured, and says what to do', async () => {
  const { store } = await certifiedStore();
  const changed = await newRun(store, { text: 'The answer helps the user a lot.' });
  const { decision, judged } = changed.summary!;
  expect(decision.outcome).toBe('not-measured');
  expect(decision.reasons[0]).toBe(
    'the judge scripted of the metric "helps the user" has no valid certificate: the question to the judge has changed since ' +
      '(its prompt, rubric or options); label answers and certify it: ' +
      `\`touchstone review create --rubric helps --run ${changed.id} --doubled 40% && touchstone review open && touchstone calibrate --rubric helps\``,
  );
  expect(judged).toMatchObject([
    {
      status: 'ended',
      ends: [{ reason: 'fingerprint' }],
      hours: (280 * 40) / 3600,
      targets: [{ corrected: null }],
    },
  ]);
  const advised = await decisionOf(store, changed, { certified: 'advise' });
  expect(advised).toMatchObject({ outcome: 'pass', uncertified: [{ isRequired: false }] });
});

test('rules that rest on no judge still fail a gate whose judge is not certified', async () => {
  const store = createMemoryStore();
  const both: Gate['rules'] = { ...rules, fast: { type: 'latency', percentile: 'p50', atMostMs: 1e-9 } };
  const judge = { certified: 'require' } as const;
  const run = await newRun(store, { gate: { minCoverage: 1, rules: both, judge } });
  expect(run.summary?.decision).toMatchObject({
    outcome: 'fail',
    rules: [{ outcome: 'not-measured' }, { outcome: 'fail' }],
  });
  expect(run.summary?.decision.reasons.at(-1)).toContain('has no certificate');
});

test('a certificate in a file holds in a store that never saw the labels, and an edited one does not', async () => {
  const { certificate } = await certifiedStore();
  const certificates = path.join(folder, 'certificates');
  await mkdir(certificates, { recursive: true });
  const file = path.join(certificates, certificateFile(certificate.calibration));
  await writeFile(file, JSON.stringify(certificate, null, 2));
  const store = createMemoryStore();
  const run = await newRun(store, { gate: { ...gate, judge: { certified: 'require', certificates } } });
  expect(run.summary?.decision).toMatchObject({ outcome: 'pass' });
  expect(run.summary?.judged).toMatchObject([{ status: 'valid' }]);
  await writeFile(file, JSON.stringify({ ...certificate, validUntil: '2099-01-01T00:00:00.000Z' }));
  await writeFile(path.join(certificates, 'broken.json'), '{"version": 1');
  const { judged } = await readSummary(run, store);
  expect(judged).toMatchObject([
    {
      status: 'ended',
      ends: [{ reason: 'conditions', message: 'its file has been changed since it was made' }],
      unreadable: [expect.stringContaining('broken.json is no certificate')],
    },
  ]);
});

test.each([
  ['categories', { category: () => 'price' }],
  ['age', {}],
] as const)('a certificate ends for a run by its %s', async (reason, setting) => {
  const { store } = await certifiedStore();
  const run = await newRun(store, setting);
  if (reason === 'age') {
    const createdAt = new Date(Date.now() + 91 * 86_400_000).toISOString();
    await store.updateRun({ ...run, createdAt });
  }
  const kept = (await store.readRun(run.id)) as Run;
  expect((await readSummary(kept, store)).judged).toMatchObject([{ status: 'ended', ends: [{ reason }] }]);
  expect((await decide(run.id, { store })).decision.outcome).toBe('not-measured');
});

test('a reply of another model ends it, which the store knows by the judgements of the run', async () => {
  const { store } = await certifiedStore();
  const run = await newRun(store);
  const [judgement] = await Array.fromAsync(store.readJudgements(run.id));
  const call = {
    id: 'call',
    startedAt: run.createdAt,
    prompt: [],
    parameters: {},
    model: 'm',
    answeredBy: 'm-2027',
    reply: '{}',
    attempts: [],
  };
  await store.addJudgements(run.id, [{ ...judgement!, id: 'another', key: 'another', calls: [call] }]);
  expect((await readSummary(run, store)).judged).toMatchObject([
    { status: 'ended', ends: [{ reason: 'model', message: expect.stringContaining('m-2027') }] },
  ]);
});

test('a withdrawn label and another wording of the rubric end it', async () => {
  const { store, run, certificate } = await certifiedStore();
  const { task } = certificate.calibration;
  await undo(store, task, { person: 'ann' });
  const ends = async () => (await readSummary(run, store)).judged?.[0]?.ends.map(({ reason }) => reason);
  expect(await ends()).toEqual(['labels']);
  const [rate] = (await readSummary(run, store)).judged?.[0]?.targets ?? [];
  expect(rate).toMatchObject({ corrected: null, why: expect.stringContaining('was withdrawn or erased') });
  const [rubric] = await Array.fromAsync(store.documents.list(rubricKind));
  const { version: _before, ...words } = rubric!;
  await createReview({
    store,
    rubrics: [{ ...words, question: 'Does it really help?' }],
    draw: { type: 'random' },
  });
  expect(await ends()).toEqual(['wording', 'labels']);
});

test('fresh labels that contradict the judge end its certificate, and labels that confirm it do not', async () => {
  const { store, certificate } = await certifiedStore();
  const later = await newRun(store, { cases: 120 });
  const [rubric] = await Array.fromAsync(store.documents.list(rubricKind));
  const { version: _before, ...words } = rubric!;
  const results = await Array.fromAsync(store.readResults(later.id));
  const label = async (isRight: boolean) => {
    const { task, items } = await createReview({
      store,
      rubrics: [words],
      draw: { type: 'random' },
      labels: 60,
    });
    for (const { position, subject } of items) {
      const isGood = results[subject.ordinal ?? 0]?.trial.answer?.startsWith('good') === true;
      const given = { item: position, labels: [{ rubric: 'helps', value: isGood === isRight }] };
      await addLabels(store, task.id, { person: 'ann' }, given);
    }
  };
  const state = async () => (await readSummary(later, store)).judged?.[0];
  await label(true);
  expect(await state()).toMatchObject({ status: 'valid', certificate: { id: certificate.id } });
  await label(false);
  expect(await state()).toMatchObject({ status: 'ended', ends: [{ reason: 'drift' }] });
});

test('a judge that was changed after the labels is certified by the half of them for certifying', async () => {
  const { store } = await certifiedStore({ labels: 300 });
  const tuned = await newRun(store, { text: 'The answer helps the user a lot.' });
  const { calibration, certificate } = await calibrate({ store, rubric: 'helps', run: tuned.id });
  const { split, answers, rate } = calibration;
  expect(split).toMatchObject({ part: 'certify', tuning: 300 - answers });
  expect(answers).toBeLessThan(190);
  expect(rate).toMatchObject({ judge: { n: 300 }, method: 'ppi' });
  expect(certificate).not.toBeNull();
  const all = await calibrate({ store, rubric: 'helps' });
  expect(all.calibration).toMatchObject({ split: { part: 'all', tuning: 0 }, answers: 300 });
  const said = await calibrate({ store, rubric: 'helps', isTuned: true });
  expect(said.calibration).toMatchObject({ split: { part: 'certify' }, answers });
});

test('a prompt that contains an item which certifies voids the certificate, one for tuning does not', async () => {
  const store = createMemoryStore();
  const first = await newRun(store);
  await labelRun(store, { labels: 300 });
  const texts = new Map<string, string>();
  for await (const result of store.readResults(first.id)) {
    const { answer } = result.trial;
    if (answer !== null && answer.length >= 20) texts.set(halfOf(subjectOf(result, first)), answer);
  }
  const [task] = await Array.fromAsync(store.documents.list(reviewTaskKind));
  const conditionOf = async (half: 'tune' | 'certify') => {
    const text = `The answer helps the user. An answer that does: "${texts.get(half)?.toUpperCase()}"`;
    const run = await newRun(store, { text });
    const found = await calibrate({ store, rubric: 'helps', run: run.id, task: task!.id });
    const prompt = found.calibration.conditions.find(({ id }) => id === 'prompt');
    return { prompt, split: found.calibration.split, isCertified: found.certificate !== null };
  };
  expect(await conditionOf('tune')).toMatchObject({
    prompt: { state: 'met' },
    split: {
      part: 'certify',
      why: expect.stringContaining('contains 1 labelled item of the half for tuning'),
    },
    isCertified: true,
  });
  expect(await conditionOf('certify')).toMatchObject({
    prompt: { state: 'failed', sentence: expect.stringContaining('the answer of') },
    isCertified: false,
  });
});

test('calibrating again does not make labels younger', async () => {
  const { store, certificate } = await certifiedStore();
  const now = new Date(Date.parse(certificate.madeAt) + 30 * 86_400_000);
  const again = await calibrate({ store, rubric: 'helps', now });
  expect(again.certificate).toMatchObject({ madeAt: now.toISOString(), validUntil: certificate.validUntil });
  expect(await Array.fromAsync(store.documents.list(certificateKind))).toHaveLength(2);
});

test('the least agreement of people can be set', async () => {
  const { store } = await certifiedStore();
  const strict = await calibrate({ store, rubric: 'helps', leastAgreement: 1 });
  expect(strict).toMatchObject({ calibration: { leastAgreement: 1 }, certificate: null });
});
