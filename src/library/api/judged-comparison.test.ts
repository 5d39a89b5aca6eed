import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bot, judgedRun, labelRun, scored, version } from '../../../test/support/labelled-run.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import { sideNote, sideRows } from '../../look/report/rows/side-by-side.ts';
import type { Gate } from '../../core/schema/gate.ts';
import type { RunDifference } from '../../core/schema/run-comparison.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { module } from '../../evaluate/targets/registry.ts';
import { setBaseline } from './baselines.ts';
import { calibrate } from './calibrate.ts';
import { compare, trends } from './compare.ts';
import { certificateKind } from '../../stores/kinds/certificate.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-judged-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

/** Returns another question for every third one, so that the two targets differ, one as often better as the other. */
function shift(question: string): string {
  return question.replace(/\d+/, (index) =>
    String(Number(index) + (Number(index) % 3 === 0 ? 5 * 3 + 2 : 0)),
  );
}

/** Both give equally good answers on the whole, the second in a style that the judge falls for. */
const targets = [
  module({ name: 'plain', function: bot }),
  module({ name: 'fancy', function: (question: string) => `${bot(shift(question))} !` }),
];

/** A judge that is right, but passes half of the bad answers in the fancy style. */
const lenient = '^good|^bad .*warmly.* !$';
const fair = '^good plain|^bad hard';

async function comparisonOf(
  pattern: string,
  setting: Parameters<typeof labelRun>[1] & { labelled?: boolean },
) {
  const store = createMemoryStore();
  const run = await judgedRun(store, folder, pattern, { targets });
  const { labelled = true, ...rest } = setting;
  if (labelled) {
    await labelRun(store, rest);
    const { certificate } = await calibrate({ store, rubric: 'helps' });
    expect(certificate).not.toBeNull();
  }
  const { comparisons } = await compare([run.id, run.id], { store, targets: [{ a: 'plain', b: 'fancy' }] });
  const [pair] = comparisons;
  const row = pair?.differences.find(({ measure }) => measure === 'metric') as RunDifference;
  const judge = pair?.notices.filter(({ kind }) => kind === 'certificate').map(({ message }) => message);
  return { store, run, pair: pair!, row, judge };
}

test('without a certificate the judge decides a comparison, however lenient with one target', async () => {
  const { row, pair } = await comparisonOf(lenient, { labelled: false });
  expect(row.difference.value).toBeGreaterThan(0.1);
  expect(pair.verdict.outcome).toBe('better');
});

test('a judge whose errors differ between targets is corrected by labels on both sides of the same cases', async () => {
  const { store, run, row, judge, pair } = await comparisonOf(lenient, { labels: 300 });
  expect(row).toMatchObject({ judged: 'corrected', finding: 'not-visible' });
  expect(judge?.join()).toMatch(
    /is corrected to what people would say \(75 labels of A, 75 of B, PPI\+\+\); the judge says 60\.0 % and 80\.3 %/,
  );
  expect(row.said).toMatchObject({ meanA: 0.6, meanB: expect.closeTo(0.803, 3) });
  expect(row.difference.lower).toBeLessThan(0);
  const kept = (await store.readRun(run.id))!;
  const summary = await readSummary(kept, store);
  const side = sideRows(kept, summary).find(({ group }) => group === 'metric');
  expect(side).toMatchObject({ difference: 'not comparable', cells: [{ isBest: false }, { isBest: false }] });
  expect(row.difference.upper).toBeGreaterThan(0);
  expect(pair.verdict.outcome).toBe('no-visible-difference');
});

test('with labels of other cases on each side, each target is corrected by its own', async () => {
  const { row, judge } = await comparisonOf(lenient, { labels: 300, draw: { type: 'stratified' } });
  expect(row).toMatchObject({ judged: 'corrected', finding: 'not-visible' });
  expect(judge?.join()).toMatch(/\(156 labels of A, 144 of B, Rogan-Gladen\)/);
  expect(judge?.join()).toContain(
    'the report of one run, by labels of its own answers, can show another corrected rate',
  );
});

test('a target that was never labelled is not compared by such a judge', async () => {
  const { store, run } = await comparisonOf(lenient, { labels: 300 });
  const other = [module({ name: 'newest', function: (question: string) => `${bot(question)} ?` })];
  const later = await judgedRun(store, folder, lenient, { targets: other });
  const options = { store, targets: [{ a: 'plain', b: 'newest' }], margin: 0.05 };
  const [pair] = (await compare([run.id, later.id], options)).comparisons;
  expect(pair).toMatchObject({
    verdict: { outcome: 'not-comparable' },
    regression: { decision: 'not-measured' },
  });
  expect(pair?.differences[0]).toMatchObject({
    judged: 'refused',
    finding: 'not-comparable',
    pValue: null,
    difference: { value: null, reason: 'the error rates of the judge are not known for newest' },
  });
  expect(pair?.notices.map(({ message }) => message).join()).toContain('is not comparable by this judge');
  expect(later.summary?.judged?.[0]?.targets[0]).toMatchObject({
    corrected: null,
    why: expect.stringContaining('differ between targets'),
  });
});

test('a judge that treats targets alike compares them, by what people would say, too', async () => {
  const { row, judge, run, store } = await comparisonOf(fair, { labels: 300 });
  expect(row).toMatchObject({ judged: 'corrected', finding: 'not-visible' });
  const kept = (await store.readRun(run.id))!;
  const rows = sideRows(kept, await readSummary(kept, store));
  expect(rows.find(({ group }) => group === 'metric')?.difference).toBe('see compare');
  expect(sideNote(rows)).toContain('`touchstone compare` of this run compares by what people would say');
  expect(judge).toHaveLength(1);
  expect(run.summary?.judged).toMatchObject([{ status: 'none' }]);
  const certificates = await Array.fromAsync(store.documents.list(certificateKind));
  expect(certificates[0]?.calibration.ofTargets.map(({ name, rate }) => [name, rate.method])).toEqual([
    ['fancy', 'ppi'],
    ['plain', 'ppi'],
  ]);
});

/** Labels the answers of two targets, and runs a third against the baseline of the first run, whose only target is `plain`. */
async function regressionOf(pattern: string, gate?: { judge: { certified: 'ignore' } }) {
  const store = createMemoryStore();
  const both = await judgedRun(store, folder, pattern, { targets });
  await labelRun(store, { labels: 300 });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  const before = await judgedRun(store, folder, pattern, { targets: targets.slice(0, 1) });
  await setBaseline('main', before.id, { store });
  const rules: Gate['rules'] = {
    kept: { type: 'no-regression', metric: 'helps the user', margin: 10, of: 'score', confidence: 0.95 },
  };
  const later = await judgedRun(store, folder, pattern, {
    targets: [module({ name: 'newest', function: (question: string) => `${bot(question)} ?` })],
    gate: { minCoverage: 1, baseline: 'main', rules, ...gate },
  });
  expect(both.summary?.judged?.[0]?.status).toBe('none');
  return later.summary!.decision;
}

test('a gate does not compare a target with that of the baseline by a judge whose errors differ between targets', async () => {
  const decision = await regressionOf(lenient);
  expect(decision.outcome).toBe('not-measured');
  expect(decision.rules).toMatchObject([
    {
      name: 'kept',
      outcome: 'not-measured',
      value: expect.closeTo(0, 6),
      reason:
        'the error rates of the judge scripted of the metric "helps the user" are not known for this version of the target',
    },
  ]);
  expect(decision.reasons[0]).toMatch(
    /not known for newest: the error rates of the judge differ between targets, and no labels are of this version of the target; label about 200 answers of it .*`touchstone review create --rubric helps --run/,
  );
});

test('a gate compares with the baseline by a judge that treats targets alike, and by any when it ignores judges', async () => {
  expect((await regressionOf(fair)).outcome).toBe('pass');
  expect((await regressionOf(lenient, { judge: { certified: 'ignore' } })).outcome).toBe('pass');
});

const [one, two] = [version('one', 0.9), version('two', 0.4)];

test('score, passes and criteria that rest on a judge decide nothing between equal versions, whichever is A', async () => {
  const store = createMemoryStore();
  const run = await judgedRun(store, folder, 'smooth', { targets: [one, two], ...scored });
  const pairs = [
    { a: 'one', b: 'two' },
    { a: 'two', b: 'one' },
  ];
  const compared = async () => (await compare([run.id], { store, targets: pairs, margin: 0.1 })).comparisons;
  expect((await compared()).map(({ verdict }) => verdict.outcome)).toEqual(['better', 'worse']);
  await labelRun(store, { labels: 600 });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  for (const pair of await compared()) {
    expect(pair).toMatchObject({
      verdict: { outcome: 'no-visible-difference' },
      regression: { decision: 'pass' },
    });
    for (const row of pair.differences) {
      if (!['score', 'passed', 'criterion', 'category'].includes(row.measure)) continue;
      expect(row).toMatchObject({ judged: 'corrected', finding: 'not-visible', difference: { value: 0 } });
      expect(Math.abs(row.said?.difference ?? 0)).toBeGreaterThan(0.08);
    }
  }
});

test('two runs with a certificate each are corrected by their own labels, and a category is not compared by them', async () => {
  const store = createMemoryStore();
  const ids: string[] = [];
  for (const target of [one, two]) {
    const run = await judgedRun(store, folder, 'smooth', { targets: [target], ...scored });
    await labelRun(store, { labels: 200 });
    expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
    ids.push(run.id);
  }
  const options = { store, targets: [{ a: 'one', b: 'two' }], margin: 0.1 };
  const [pair] = (await compare(ids, options)).comparisons;
  expect(pair?.verdict.outcome).toBe('no-visible-difference');
  expect(pair?.differences[0]).toMatchObject({ measure: 'score', judged: 'corrected' });
  expect(pair?.notices.map(({ message }) => message).join()).not.toContain('rescore');
});

test('what rests on a judge that is not comparable is not compared, and the notice says what to label', async () => {
  const store = createMemoryStore();
  await judgedRun(store, folder, 'smooth', { targets: [one, two], ...scored });
  await labelRun(store, { labels: 400 });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  const later = await judgedRun(store, folder, 'smooth', {
    targets: [one, version('three', 0.9)],
    ...scored,
  });
  const options = { store, targets: [{ a: 'one', b: 'three' }], margin: 0.05 };
  const [pair] = (await compare([later.id], options)).comparisons;
  expect(pair).toMatchObject({
    verdict: { outcome: 'not-comparable' },
    regression: { decision: 'not-measured' },
  });
  const judged = pair?.differences.filter(({ unit, measure }) => unit === undefined && measure !== 'errors');
  expect(new Set(judged?.map(({ finding }) => finding))).toEqual(new Set(['not-comparable']));
  expect(pair?.notices.map(({ message }) => message).join()).toMatch(
    /label about 200 answers of three: `touchstone review create --rubric helps --run/,
  );
});

/** Runs a labelled version, and then versions without labels of which nothing is known. */
async function versionsAfterLabels(setting: Parameters<typeof judgedRun>[3], names = ['two']) {
  const store = createMemoryStore();
  const made = (name: string) => ({ ...version(name, name === 'one' ? 0.9 : 0.4), name: 'bot' });
  const first = await judgedRun(store, folder, 'smooth', { targets: [made('one')], ...scored });
  await labelRun(store, { labels: 200 });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  await setBaseline('main', first.id, { store });
  const later: string[] = [];
  let decision;
  for (const name of names) {
    const run = await judgedRun(store, folder, 'smooth', { targets: [made(name)], ...scored, ...setting });
    later.push(run.id);
    decision = run.summary?.decision;
  }
  return { store, first: first.id, later, decision };
}

const sinceMain: Gate = {
  minCoverage: 1,
  baseline: 'main',
  rules: { kept: { type: 'no-regression', of: 'score', margin: 5, confidence: 0.95 } },
};

test('a version without labels of its own is neither better nor no worse by the certificate of another', async () => {
  const { store, first, later, decision } = await versionsAfterLabels({ gate: sinceMain });
  expect(decision?.outcome).toBe('not-measured');
  for (const ids of [
    [first, ...later],
    [...later, first],
  ]) {
    const [pair] = (await compare(ids, { store, margin: 0.05 })).comparisons;
    expect(pair).toMatchObject({
      verdict: { outcome: 'not-comparable' },
      regression: { decision: 'not-measured', reason: expect.stringContaining('are not known for bot') },
    });
    const rows = pair?.differences.filter(({ unit, measure }) => unit === undefined && measure !== 'errors');
    expect(new Set(rows?.map(({ finding }) => finding))).toEqual(new Set(['not-comparable']));
    expect(rows?.[0]?.said?.difference).not.toBeNull();
    expect(pair?.notices.map(({ message }) => message).join()).toContain(
      'label about 200 answers of bot: `touchstone review create --rubric helps --run',
    );
  }
  const [trend] = (await trends({ store })).trends;
  expect(trend?.searches.find(({ measure }) => measure === 'score')).toMatchObject({ changes: [] });
});

test('a gate that advises or ignores lets the judge decide, and the comparison says that it is the judge who does', async () => {
  for (const certified of ['advise', 'ignore'] as const) {
    const setting = { gate: { ...sinceMain, judge: { certified } } };
    const { store, first, later, decision } = await versionsAfterLabels(setting);
    expect(decision?.outcome).toBe('pass');
    const [pair] = (await compare([first, ...later], { store, margin: 0.05 })).comparisons;
    expect(pair).toMatchObject({ verdict: { outcome: 'better' }, regression: { decision: 'pass' } });
    const isAdvised = certified === 'advise';
    expect(pair?.differences[0]?.judged).toBe(isAdvised ? 'uncorrected' : undefined);
    const notices = pair?.notices.map(({ message }) => message).join();
    expect(notices?.includes('since the gate lets it decide')).toBe(isAdvised);
  }
});

test('one version twice is compared as the judge says, which is no proof that nothing was lost', async () => {
  const { store, later, decision } = await versionsAfterLabels({ gate: sinceMain }, ['two', 'two']);
  expect(decision?.outcome).toBe('not-measured');
  const [pair] = (await compare(later, { store, margin: 0.05 })).comparisons;
  expect(pair?.differences[0]).toMatchObject({ judged: 'uncorrected', finding: 'not-visible' });
  expect(pair?.regression?.decision).toBe('not-measured');
  expect(pair?.notices.map(({ message }) => message).join()).toContain('Both are the same version');
});

test('a labelled version is not held against a baseline of which nothing is known', async () => {
  const store = createMemoryStore();
  const [before, now] = ['zero', 'one'].map((name) => ({ ...version(name, 0.9), name: 'bot' }));
  const first = await judgedRun(store, folder, 'smooth', { targets: [before!], ...scored });
  await setBaseline('main', first.id, { store });
  await judgedRun(store, folder, 'smooth', { targets: [now!], ...scored });
  await labelRun(store, { labels: 200 });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  const again = await judgedRun(store, folder, 'smooth', { targets: [now!], ...scored, gate: sinceMain });
  expect(again.summary?.decision).toMatchObject({
    outcome: 'not-measured',
    rules: [{ outcome: 'not-measured', reason: expect.stringContaining(`--run ${first.id}`) }],
  });
  const [pair] = (await compare([first.id, again.id], { store, margin: 0.05 })).comparisons;
  expect(pair).toMatchObject({
    verdict: { outcome: 'not-comparable' },
    regression: { decision: 'not-measured' },
  });
});

test('trends show what people would say, and search no change among versions that the judge treats differently', async () => {
  const store = createMemoryStore();
  for (const made of [version('v1', 0.9), version('v2', 0.4)]) {
    const target = { ...made, name: 'bot' };
    await judgedRun(store, folder, 'smooth', { targets: [target], ...scored });
    await labelRun(store, { labels: 200 });
    expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  }
  const [trend] = (await trends({ store })).trends;
  expect(trend?.points.map(({ value }) => value.value)).toEqual(
    [0.61, 0.79].map((share) => expect.closeTo(share, 9)),
  );
  for (const { corrected } of trend?.points ?? []) {
    expect(corrected?.lower).toBeLessThan(0.65);
    expect(corrected?.upper).toBeGreaterThan(0.65);
  }
  expect(trend?.searches.find(({ measure }) => measure === 'score')).toMatchObject({
    changes: [],
    reason: expect.stringContaining('not the same for all versions'),
  });
});
