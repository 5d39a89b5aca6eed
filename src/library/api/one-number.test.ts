import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { judgedRun, labelRun, scored, version } from '../../../test/support/labelled-run.ts';
import { readPieces, sampleView } from '../../../test/support/build-sample-run.ts';
import { listRunHeads } from '../../look/queries/runs.ts';
import { formatPercent } from '../../look/report/format.ts';
import { makeRunView } from '../../look/report/run-view.ts';
import { headlineParts } from '../../look/report/headline.ts';
import { formatJudgedRate } from '../../look/report/judged-rates.ts';
import type { ReportInput } from '../../look/report/report-input.ts';
import { html } from '../../look/reporters/html.ts';
import { formatRunList } from '../../look/reporters/run-list.ts';
import { json } from '../../look/reporters/json.ts';
import { junit } from '../../look/reporters/junit.ts';
import { markdown } from '../../look/reporters/markdown.ts';
import { terminal } from '../../look/reporters/terminal.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import { reportSchema } from '../../core/schema/api/report.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { gateViewSchema } from '../../core/schema/api/gate-view.ts';
import { createApp } from '../../server/create-app.ts';
import { createAccess } from '../../server/local-access.ts';
import { module } from '../../evaluate/targets/registry.ts';
import { calibrate } from './calibrate.ts';
import { gate as decide } from './runs/gate.ts';
import { compare, trends } from './compare.ts';

/** Returns a version that throws at one question in thirty, so that trials are lost. */
function losing(name: string, trueNegativeRate: number) {
  const whole = version(name, trueNegativeRate);
  const answer = whole.function as (question: string) => string;
  return module({
    name,
    version: name,
    function: (question: string) => {
      if (Number(/\d+/.exec(question)?.[0]) % 30 === 4) throw new Error('The service is away.');
      return answer(question);
    },
  });
}

test('a run has the same score, n, interval and corrected rate in every report, in the library and on the page', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-one-number-'));
  const store = createMemoryStore();
  const targets = [losing('v1', 0.9), losing('v2', 0.4)];
  const made = await judgedRun(store, folder, 'smooth', { targets, ...scored });
  await labelRun(store, { labels: 560 });
  const { certificate } = await calibrate({ store, rubric: 'helps' });
  expect(certificate).not.toBeNull();
  const run = (await store.readRun(made.id))!;
  const summary = await readSummary(run, store);
  const input: ReportInput = { run, summary, results: (ordinals) => store.readResults(run.id, ordinals) };
  const view = { ...sampleView(), width: 200 };
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ');
  const texts = {
    terminal: flat(await readPieces(terminal.report(input, view))),
    markdown: flat(await readPieces(markdown.report(input, view))),
    junit: flat(await readPieces(junit.report(input, view))),
  };
  const page = await readPieces(html.report(input, view));
  const document = reportSchema.parse(JSON.parse(await readPieces(json.report(input, view))));
  // The library's summary was made before the labels; its scores are the same.
  expect(document.summary).toEqual(summary);
  for (const target of summary.targets) {
    const ofLibrary = made.summary?.targets.find((each) => each.target === target.target);
    expect(ofLibrary?.score).toEqual(target.score);
    expect(target.counts).toMatchObject({ planned: 300, measured: 290, errors: 10 });
    const [score = '', said = '', n = ''] = headlineParts(target, run);
    expect(score).toMatch(/^corrected \d\d\.\d % \[\d\d\.\d, \d\d\.\d\]$/);
    expect(said).toMatch(/^judge says \d\d\.\d %$/);
    expect(n).toBe('n = 290/300');
    const rate = summary.judged?.[0]?.targets.find((each) => each.target === target.target);
    const corrected = formatJudgedRate(rate!);
    expect(corrected).toMatch(/^judge says \d\d\.\d % · corrected \d\d\.\d % \[/);
    for (const [name, text] of Object.entries(texts))
      for (const part of [score, said, n, corrected]) expect(`${name}: ${text}`).toContain(part);
    // The component that the judge decides, and the grade in words.
    expect(target.metrics[0]?.corrected?.value).toBeCloseTo(rate!.corrected!.estimate.value!, 9);
    expect(texts.terminal).not.toContain(`${formatPercent(target.score.value)} on average is`);
    for (const number of [target.score.value, target.score.lower, rate!.corrected!.estimate.value])
      expect(page).toContain(String(number));
  }
  await expectSameInList();
  await rm(folder, { recursive: true });
  await expectSameElsewhere();
  await expectSameDecisions();
  await expectNoneOnceItHasEnded();

  async function expectSameInList(): Promise<void> {
    const [listed] = await listRunHeads(store);
    expect(listed?.run.headlines?.map(({ corrected }) => corrected)).toEqual(
      summary.targets.map(({ corrected }) => corrected),
    );
    const list = flat(formatRunList([listed!], view));
    for (const target of summary.targets) {
      const [score = '', said = ''] = headlineParts(target, run);
      expect(list).toContain(score);
      expect(list).toContain(said);
    }
  }

  async function expectSameElsewhere(): Promise<void> {
    const [pair] = (await compare([run.id], { store })).comparisons;
    const [row] = pair?.differences ?? [];
    expect(row?.difference.n).toBe(290);
    const said = summary.targets.map(({ score }) => score.value);
    expect([row?.said?.meanA, row?.said?.meanB]).toEqual(said.map((value) => expect.closeTo(value ?? 0, 9)));
    const found = (await trends({ store })).trends.map(({ target, points: [point] }) => ({ target, point }));
    const rates = summary.judged?.flatMap((judged) => judged.targets) ?? [];
    const near = (value: unknown) => expect.closeTo(value as number, 9);
    for (const { target, said: judge, corrected } of rates)
      expect(found.find((each) => each.target === target)?.point).toMatchObject({
        value: { value: judge.value },
        corrected: { value: near(corrected?.estimate.value), lower: near(corrected?.estimate.lower) },
      });
  }

  // People say 65 % of both versions, the judge 61 % and 79 %.
  async function expectSameDecisions(): Promise<void> {
    const failUnder = 75;
    const { decision } = await decide(run.id, { store, failUnder });
    expect(decision.outcome).toBe('fail');
    await store.updateRun({ ...run, gate: { ...run.gate, failUnder }, summary: { ...summary, decision } });
    const page = gateViewSchema.parse(await (await openApp(store)(`/api/runs/${run.id}/gate`)).json());
    expect(page.decision?.reasons).toEqual(decision.reasons);
    for (const { target, corrected } of summary.targets) {
      const value = expect.closeTo(corrected?.value ?? 0, 9);
      const decided = { target, outcome: 'fail', value };
      expect(decision.threshold?.find((each) => each.target === target)).toMatchObject(decided);
      expect(page.thresholds.find((each) => each.target === target)).toMatchObject(decided);
    }
    const document = reportSchema.parse(
      JSON.parse(await readPieces(json.report({ ...input, summary: { ...summary, decision } }, view))),
    );
    // The package for Python and its plugin of pytest read this document alone.
    expect(document.summary.decision.outcome).toBe('fail');
  }

  async function expectNoneOnceItHasEnded(): Promise<void> {
    const [id = ''] = certificate?.calibration.labels.ids ?? [];
    await store.documents.change(
      [labelKind],
      async (labels) => await labels.remove(labelKind, { where: { id } }),
    );
    const today = await readSummary((await store.readRun(run.id))!, store);
    const [listed] = await listRunHeads(store);
    for (const { target, corrected } of today.targets) {
      expect(corrected).toBeUndefined();
      const head = listed?.run.headlines?.find((each) => each.target === target);
      expect(head?.corrected).toBeUndefined();
      expect(head?.notCorrected).toMatch(/certificate/);
    }
  }
});

/** Returns the requests of a page to a store. */
function openApp(store: Store): (path: string) => Promise<Response> {
  const access = createAccess(4321);
  const openStore = async () => await Promise.resolve(store);
  const app = createApp({ openStore, assets: { document: '', files: new Map() }, access });
  const headers = { host: '127.0.0.1:4321', cookie: `touchstone-4321=${access.secret}` };
  return async (path) => await app.request(`http://127.0.0.1:4321${path}`, { headers });
}

test('without a scorecard the first screen and the page show what people would say, and the answers that the judge fails', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-no-scorecard-'));
  const store = createMemoryStore();
  const { id } = await judgedRun(store, folder, 'smooth', { targets: [version('v1', 0.9)] });
  await rm(folder, { recursive: true });
  const screen = async () => {
    const run = (await store.readRun(id))!;
    const summary = await readSummary(run, store);
    const input: ReportInput = { run, summary, results: (ordinals) => store.readResults(id, ordinals) };
    const text = await readPieces(terminal.report(input, sampleView({ isShort: true, width: 200 })));
    const full = {
      terminal: await readPieces(terminal.report(input, sampleView({ width: 200 }))),
      markdown: await readPieces(markdown.report(input, sampleView())),
    };
    return { text, full, summary, view: await makeRunView({ ...input, state: 'completed', summary }) };
  };
  const before = await screen();
  expect(before.text).toMatch(/^v1 {2}helps the user \d\d\.\d %\n/);
  await labelRun(store, { labels: 290 });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  const { text, full, summary, view } = await screen();
  const [metric] = summary.targets[0]?.metrics ?? [];
  const rate = summary.judged?.[0]?.targets[0];
  expect(metric?.corrected?.value).toBeCloseTo(rate?.corrected?.estimate.value ?? 0, 9);
  const [said, corrected] = [metric?.estimate.value, metric?.corrected?.value].map(formatPercent);
  expect(corrected).not.toBe(said);
  expect(text).toContain(`v1  helps the user corrected ${corrected} (judge says ${said})\n`);
  for (const report of Object.values(full)) {
    const named = report
      .split('\n')
      .filter((line) => line.includes('helps the user') && line.includes(`${said}`));
    expect(named.length).toBeGreaterThan(1);
    for (const line of named) expect(line).toContain(`corrected ${corrected}`);
    expect(report).toContain('Categories are as the judge says');
  }
  expect(text).toMatch(/\n· Question \d+\?\n {2}said "\w+ plain v1\d+"\n {2}helps the user: Not so\.\n/);
  expect(text).toContain('That question: touchstone show');
  expect(view.failing).toHaveLength(10);
  expect(view.failing[0]).toMatchObject({ outcomes: ['unscored'], lacks: [expect.anything()] });
});

test('the share that a judge passes is not called what it says where its mean is another number', () => {
  const rate = { said: { value: 0.7, n: 10 }, corrected: null, why: 'The judge has no certificate.' };
  expect(formatJudgedRate(rate, 0.775)).toMatch(/^judge passes 70\.0 % of the answers · not corrected/);
  expect(formatJudgedRate(rate, 0.7)).toMatch(/^judge says 70\.0 % · not corrected/);
});
