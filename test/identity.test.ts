import type { ChildProcess } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import { type PaidProject, type Row, rowOf, rubricOf, writePaidProject } from './paid-project.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const cases = 6;

let finished: { readonly project: PaidProject; readonly copy: string } | undefined;

/**
 * Returns a project with a finished run, and a function that counts the calls of bot and judge during a command. The run
 * is made once; every test finds the dataset, the config and the store as it left them.
 */
async function finishedProject() {
  const { project, copy } = (finished ??= await finishOnce());
  const store = path.join(project.folder, '.touchstone');
  await rm(store, { recursive: true });
  await cp(copy, store, { recursive: true });
  await project.writeRows(project.golden);
  await project.writeConfig();
  return { project, command: async (...args: string[]) => await countCalls(project, args) };
}

async function finishOnce() {
  const project = await writePaidProject({ cases });
  expect(await countCalls(project, ['run'])).toMatchObject({ code: 0, bot: cases, judge: cases });
  const copy = await temporaryFolder();
  await cp(path.join(project.folder, '.touchstone'), copy, { recursive: true });
  return { project, copy };
}

async function countCalls({ folder: cwd, bot, judge }: PaidProject, args: readonly string[]) {
  const before = { bot: bot.requests.length, judge: judge.requests.length };
  const { code, stdout, stderr } = await touchstone([...args, '--json'], { cwd });
  const report = stdout.startsWith('{') ? (JSON.parse(stdout) as Report) : undefined;
  return {
    code,
    stderr,
    bot: bot.requests.length - before.bot,
    judge: judge.requests.length - before.judge,
    run: report?.run,
    counts: report?.summary?.targets[0]?.counts,
    judged: report?.summary?.judge,
    answers: new Map(report?.results?.map(({ trial }) => [trial.caseId, trial.answer])),
  };
}

const resume = ['run', '--resume', 'latest'] as const;

test('an edited question costs one call of the bot and one of the judge; other answers are reused', async () => {
  const { project, command } = await finishedProject();
  const before = (await command('show')).answers;
  await project.writeRows(project.golden.with(2, { ...rowOf(2), question: 'question 2, in other words' }));
  const after = await command(...resume);
  expect(after).toMatchObject({ code: 0, bot: 1, judge: 1, counts: { planned: cases, measured: cases } });
  expect(project.bot.requests.at(-1)?.prompt).toBe('question 2, in other words');
  before.delete('q2');
  expect([...after.answers]).toEqual(expect.arrayContaining([...before]));
});

test('an added question costs one call', async () => {
  const { project, command } = await finishedProject();
  await project.writeRows(project.golden.toSpliced(3, 0, rowOf(99)));
  expect(await command(...resume)).toMatchObject({
    code: 0,
    bot: 1,
    judge: 1,
    counts: { measured: cases + 1 },
  });
  expect(project.bot.requests.at(-1)?.prompt).toBe('question 99');
});

test('deleting, moving or renaming questions costs no call', async () => {
  for (const change of [
    (rows: Row[]) => rows.slice(1),
    (rows: Row[]) => rows.toReversed(),
    (rows: Row[]) => rows.with(1, { ...rowOf(1), id: 'another name' }),
  ]) {
    const { project, command } = await finishedProject();
    const rows = change(project.golden);
    await project.writeRows(rows);
    const after = await command(...resume);
    expect(after).toMatchObject({ code: 0, bot: 0, judge: 0, counts: { planned: rows.length, notRun: 0 } });
    expect([...after.answers.keys()]).toEqual(rows.map(({ id }) => id));
  }
});

test('changed rate and concurrency limits leave the target the same', async () => {
  const { project, command } = await finishedProject();
  const { config, bot, golden } = project;
  const [http] = config.targets;
  const chat = (limits: object) => ({
    use: 'chat',
    name: 'http',
    model: { use: 'openai-chat', model: 'bot', baseUrl: bot.url, ...limits },
  });
  const limits = { requestsPerMinute: 60_000, tokensPerMinute: 9e6, maxConcurrency: 2, maxWaitMs: 50_000 };
  await project.writeRows([...golden, rowOf(98)]);
  await project.writeConfig({ targets: [{ ...http, ...limits }], concurrency: 2, timeLimitMs: 50_000 });
  const after = await command(...resume);
  expect(after).toMatchObject({ code: 0, bot: 1, judge: 1, counts: { measured: cases + 1 } });
  expect(after.run?.targets[0]?.use).toMatchObject(limits);
  await project.writeConfig({ targets: [chat({})] });
  expect(await command(...resume)).toMatchObject({ code: 4, stderr: expect.stringContaining('targets: ') });
  expect(await command('run')).toMatchObject({ code: 0, bot: cases + 1 });
  await project.writeRows([...golden, rowOf(98), rowOf(99)]);
  await project.writeConfig({ targets: [chat({ ...limits, maxRetries: 2, timeLimitMs: 50_000 })] });
  expect(await command(...resume)).toMatchObject({ code: 0, bot: 1, judge: 1 });
});

test('a dry run of a resume predicts its calls, in whichever run the answers are stored', async () => {
  const project = await writePaidProject({ cases, concurrency: 1, delayMs: 50 });
  const { folder: cwd, golden, bot } = project;
  const { run } = await countCalls(project, ['run']);
  const resumeRun = ['run', '--resume', run?.id ?? ''];
  const dry = async () =>
    JSON.parse((await touchstone([...resumeRun, '--dry-run', '--json'], { cwd })).stdout) as object;
  // The same question appears as two cases, and was asked once.
  const again = { ...rowOf(0), id: 'q0 again' };
  await project.writeRows([rowOf(97), rowOf(98), ...golden.slice(1), rowOf(0), again]);
  expect(await dry()).toMatchObject({ cases: cases + 3, kept: cases, calls: 3 });
  const asked = bot.requests.length;
  const stopped = await touchstone(resumeRun, {
    cwd,
    onStarted: async (child) => {
      await expect.poll(() => bot.requests.length).toBe(asked + 1);
      child.kill('SIGINT');
    },
  });
  expect(stopped.code).toBe(130);
  const calls = asked + 3 - bot.requests.length;
  expect(calls).toBeGreaterThan(0);
  expect(await dry()).toMatchObject({ kept: cases + 3 - calls, calls });
  expect(await countCalls(project, resumeRun)).toMatchObject({ code: 0, bot: calls });
});

test('a changed judge prompt or model costs one judge call per trial, once, and no bot call', async () => {
  const { project, command } = await finishedProject();
  const { config } = project;
  await project.writeConfig({ metrics: [rubricOf('It is short.')] });
  expect(await command('rescore')).toMatchObject({ code: 0, bot: 0, judge: cases });
  expect(await command('rescore')).toMatchObject({ code: 0, bot: 0, judge: 0 });
  const model = { ...config.judge.model, model: 'another judge' };
  await project.writeConfig({ judge: { ...config.judge, model } });
  expect(await command('rescore')).toMatchObject({ code: 0, bot: 0, judge: cases });
  await project.writeConfig();
  expect(await command('rescore')).toMatchObject({ code: 0, bot: 0, judge: 0 });
});

test('a changed metric, scorecard, weight or gate costs no call', async () => {
  const { project, command } = await finishedProject();
  const { metrics } = project.config;
  const weights = { toolUsage: 0.5, responseQuality: 0.2, errorHandling: 0.3 };
  const settings = [
    { metrics: [...metrics, 'answer-length'] },
    { metrics: [...metrics, { use: 'contains', value: 'call' }] },
    { scorecard: { use: 'three-component', weights } },
    { scorecard: null },
    { gate: { failUnder: 10 } },
  ];
  for (const setting of settings) {
    await project.writeConfig(setting);
    expect({ setting, ...(await command('rescore')) }).toMatchObject({ setting, bot: 0, judge: 0, code: 0 });
  }
});

test('an embedding model is called once per answer, whatever else changes', async () => {
  const project = await writePaidProject({ cases });
  const { golden, judge } = project;
  const embedder = { use: 'openai-embeddings', model: 'embed', baseUrl: judge.url };
  const near = { use: 'semantic-similarity', from: 'input' };
  const settings = { embedder: { ...embedder, prices: { input: 1000, output: 0 } }, metrics: [near] };
  await project.writeConfig(settings);
  const run = await countCalls(project, ['run']);
  expect(run).toMatchObject({ code: 0, judge: cases, counts: { measured: cases } });
  expect(run.judged).toMatchObject({ asked: cases, calls: cases, cost: { unknown: 0 } });
  expect(run.judged?.cost.sum).toBeGreaterThan(0);
  await project.writeConfig({ ...settings, metrics: [{ ...near, threshold: 0.5 }, 'answer-length'] });
  const again = await countCalls(project, ['rescore']);
  expect(again).toMatchObject({ code: 0, bot: 0, judge: 0, judged: { asked: 0, cached: cases } });
  await project.writeRows([...golden, rowOf(99)]);
  await project.writeConfig(settings);
  expect(await countCalls(project, ['run', '--resume', run.run?.id ?? ''])).toMatchObject({
    code: 0,
    bot: 1,
    judge: 1,
  });
});

test('two processes that resume a run at once make each call once', async () => {
  const project = await writePaidProject({ cases: 12, concurrency: 2, delayMs: 30 });
  const { folder: cwd, bot, judge } = project;
  await touchstone(['run'], {
    cwd,
    onStarted: async (child) => {
      await expect.poll(() => bot.requests.length).toBeGreaterThan(3);
      child.kill('SIGINT');
    },
  });
  await resumeTwiceAtOnce(project, ['run', '--resume'], 12);
  expect([bot.requests.length, judge.requests.length]).toEqual([12, 12]);
});

test('two processes that resume with a changed dataset at once make each call once', async () => {
  const project = await writePaidProject({ cases, delayMs: 100 });
  const { run } = await countCalls(project, ['run']);
  await project.writeRows([...project.golden, rowOf(98), rowOf(99)]);
  await resumeTwiceAtOnce(project, ['run', '--resume', run?.id ?? ''], cases + 2);
  expect([project.bot.requests.length, project.judge.requests.length]).toEqual([cases + 2, cases + 2]);
});

/** Starts the same command twice together: one claims the run; the other finds it claimed, or already complete. */
async function resumeTwiceAtOnce(project: PaidProject, args: readonly string[], planned: number) {
  const both = await Promise.all([countCalls(project, args), countCalls(project, args)]);
  const isComplete = expect.objectContaining({
    code: 0,
    counts: expect.objectContaining({ planned, measured: planned }),
  });
  const isTaken = expect.objectContaining({
    code: 4,
    stderr: expect.stringMatching(/worked on by another|no unfinished run|all of its attempts are done/),
  });
  const [first, second] = both.toSorted((one, other) => (one.code ?? 0) - (other.code ?? 0));
  expect(first).toEqual(isComplete);
  expect([isComplete, isTaken]).toContainEqual(second);
}

test('two processes that need the same judgements at once ask for each once and share them', async () => {
  const project = await writePaidProject({ cases: 20, concurrency: 4, delayMs: 20 });
  await countCalls(project, ['run']);
  await project.writeConfig({ metrics: [rubricOf('It is short.')] });
  const before = project.judge.requests.length;
  const both = await Promise.all([countCalls(project, ['rescore']), countCalls(project, ['rescore'])]);
  for (const each of both) expect(each).toMatchObject({ code: 0, counts: { measured: 20 } });
  expect(project.judge.requests.length - before).toBe(20);
});

test('a process that waits for the judgements of another asks for them itself once that one is killed', async () => {
  const project = await writePaidProject({ cases, concurrency: 2 });
  const { folder: cwd, judge } = project;
  await countCalls(project, ['run']);
  await project.writeConfig({ metrics: [rubricOf('It is short.')] });
  const judgement = { reason: 'It is.', score: 0.75 };
  judge.play(({ index }) => ({ judgement, delayMs: index < 2 ? 1500 : 0 }));
  const areTwoAsked = async () => await expect.poll(() => judge.requests.length).toBe(2);
  const kill = async (child: ChildProcess) => {
    await areTwoAsked();
    await wait(1000);
    child.kill('SIGKILL');
  };
  const killed = touchstone(['rescore'], { cwd, onStarted: kill });
  await areTwoAsked();
  const waiting = await touchstone(['rescore', '--json'], { cwd });
  expect([(await killed).code, waiting.code]).toEqual([null, 0]);
  expect(JSON.parse(waiting.stdout).summary.targets[0].counts).toMatchObject({ measured: cases });
  // Two questions were in flight at the kill.
  expect(judge.requests.length).toBeLessThanOrEqual(cases + 2);
});
