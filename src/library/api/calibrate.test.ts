import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { coinJudge, judgedRun, labelRun, rightJudge, size } from '../../../test/support/labelled-run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { calibrate } from './calibrate.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-calibrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function labelledRun(pattern: string, setting: Parameters<typeof labelRun>[1] = {}) {
  const store = createMemoryStore();
  const run = await judgedRun(store, folder, pattern);
  await labelRun(store, setting);
  return { store, run };
}

test('a judge that agrees with people gets a certificate, for random labels and for labels by verdict', async () => {
  const random = await labelledRun(rightJudge);
  const { calibration, certificate } = await calibrate({ store: random.store, rubric: 'helps' });
  expect(calibration.conditions.filter(({ isRequired, state }) => isRequired && state !== 'met')).toEqual([]);
  expect(certificate?.calibration).toEqual(calibration);
  expect(calibration).toMatchObject({
    run: random.run.id,
    answers: 200,
    judge: { name: 'scripted' },
    rate: { method: 'ppi', judge: { n: size } },
    people: { people: 2, items: 80, agreement: { value: 1 } },
  });
  const { corrected } = calibration.rate;
  expect(corrected.lower).toBeLessThan(0.6);
  expect(corrected.upper).toBeGreaterThan(0.6);
  const byVerdict = await labelledRun(rightJudge, { draw: { type: 'stratified' } });
  const other = await calibrate({ store: byVerdict.store, rubric: 'helps' });
  expect(other.certificate).not.toBeNull();
  expect(other.calibration.rate).toMatchObject({
    method: 'stratified',
    corrected: { value: expect.closeTo(0.6, 1) },
  });
});

test.each([
  ['says the opposite', '^bad'],
  ['passes everything', '.'],
  ['passes nothing', '^never'],
  ['says something of no meaning', '[02468]$'],
  ['throws a coin', coinJudge(3)],
  ['throws another coin', coinJudge(4)],
  ['goes by the style', 'warmly'],
  ['goes by the style of good answers alone', '^good .*warmly|^bad .*coldly'],
])('a judge that %s never gets a certificate, however its labels were drawn', async (_, pattern) => {
  for (const type of ['random', 'stratified'] as const) {
    const { store } = await labelledRun(pattern, { draw: { type } });
    const { calibration, certificate } = await calibrate({ store, rubric: 'helps' });
    expect(certificate).toBeNull();
    const states = Object.fromEntries(calibration.conditions.map(({ id, state }) => [id, state]));
    expect(states).toMatchObject({ labels: 'met', blind: 'met', draw: 'met' });
    expect(states['informative']).toBe('failed');
  }
});

test('labels of another run correct its rate by the error rates of the judge, and give no certificate', async () => {
  const { store } = await labelledRun(rightJudge);
  const { id } = await judgedRun(store, folder, rightJudge, { cases: 150 });
  const half = await calibrate({ store, rubric: 'helps', run: id });
  expect(half.certificate).toBeNull();
  expect(half.calibration.rate).toMatchObject({ method: 'rogan-gladen', judge: { n: 150 } });
  expect(half.calibration.conditions.find(({ id }) => id === 'draw')?.state).toBe('failed');
});

test('labels hold for the same answers in a later run, even once the first run is deleted', async () => {
  const { store, run } = await labelledRun(rightJudge);
  const again = await judgedRun(store, folder, rightJudge);
  await store.deleteRun(run.id);
  const { certificate } = await calibrate({ store, rubric: 'helps', run: again.id });
  expect(certificate?.calibration).toMatchObject({ run: again.id, answers: 200, rate: { method: 'ppi' } });
});

test('items without a label yet count as answers that were not drawn', async () => {
  const { store } = await labelledRun(rightJudge, { labels: size, given: 150 });
  const { calibration } = await calibrate({ store, rubric: 'helps' });
  expect(calibration).toMatchObject({ answers: 150, leftOut: { open: 150 }, rate: { method: 'ppi' } });
  expect(calibration.rate.corrected.n).toBe(size);
});

test('what cannot be compared is refused with the reason', async () => {
  const store = createMemoryStore();
  await expect(calibrate({ store, rubric: 'helps' })).rejects.toMatchObject({ code: 'review-not-found' });
  const labelled = await labelledRun(rightJudge, { labels: 10 });
  await expect(calibrate({ store: labelled.store, rubric: 'tone', task: 'helps' })).rejects.toMatchObject({
    code: 'review-invalid',
  });
  const few = await calibrate({ store: labelled.store, rubric: 'helps' });
  expect(few.certificate).toBeNull();
  expect(few.calibration.conditions[0]).toMatchObject({ state: 'failed', labelsNeeded: expect.any(Number) });
});
