import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { createJudge } from '../../evaluate/judges/asking/create-judge.ts';
import type { Judge, JudgeQuestion } from '../../evaluate/judges/judge.ts';
import { createPanel } from '../../evaluate/judges/panel.ts';
import { neverStopped } from '../../evaluate/run/run-needs.ts';
import { summarizeRun } from '../../evaluate/run/summarize.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Run } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { buildCase, buildFailedTrial, buildRun, buildTrial } from '../../library/testing/build-records.ts';
import { usualCriterion } from './ask-preference.ts';
import { planPreferences } from './plan-preferences.ts';
import { preferRuns, type PreferenceNeeds, type PreferenceRules } from './prefer.ts';
import { readStoredPreferences } from './stored-preferences.ts';

/** The answers of a target by case; null for a trial that failed. */
type Answers = readonly (string | null)[];

/** Stores a finished run whose cases have these ids and whose targets gave these answers. */
async function storeRun(
  store: Store,
  {
    id,
    day,
    cases,
    targets,
  }: { id: string; day: number; cases: readonly string[]; targets: Record<string, Answers> },
): Promise<Run> {
  const names = Object.keys(targets);
  const run = buildRun({
    id,
    status: 'completed',
    createdAt: `2026-01-0${day}T00:00:00.000Z`,
    dataset: { sources: ['golden.jsonl'], cases: cases.length, hash: id.padEnd(32, '0') },
    targets: names.map((name) => ({ name, use: { use: 'module' }, fingerprint: name.padEnd(32, '0') })),
    metrics: [],
  });
  await store.createRun(run);
  const planned = cases.map((each, position) => {
    const testCase: Case = buildCase({
      id: each,
      input: `Question ${each}?`,
      expected: { answer: `truth ${each}` },
    });
    return { position, hash: each.padEnd(32, '0'), place: 'golden.jsonl:1', case: testCase };
  });
  await store.addCases(id, planned);
  const trials = planned.flatMap(({ position, hash, case: testCase }) =>
    names.map((target, place) => {
      const parts = { caseId: testCase.id, caseHash: hash, target, ordinal: position * names.length + place };
      const answer = targets[target]?.[position] ?? null;
      const key = `${id} ${parts.ordinal}`;
      const trial =
        answer === null
          ? buildFailedTrial('timeout', 'too slow', { ...parts, key })
          : buildTrial(answer, { ...parts, key });
      return { case: testCase, trial };
    }),
  );
  await store.addTrials(id, trials);
  await store.addScores(
    id,
    trials.map((answered) => ({ ...answered, verdicts: {}, scorecard: null })),
  );
  return run;
}

/** A judge that counts its questions and decides by a rule over the two texts; null is a failure. */
function createCounting(
  decide: (first: string, second: string) => 'first' | 'second' | 'tie' | null,
  name = 'counting',
) {
  const asked: JudgeQuestion[] = [];
  const reply = (question: JudgeQuestion) => {
    asked.push(question);
    const textOf = (wanted: string) => question.material.find(({ title }) => title === wanted)?.text ?? '';
    const better = decide(textOf('first answer'), textOf('second answer'));
    const call = {
      id: `call ${name} ${asked.length}`,
      startedAt: '2026-01-02T03:04:05.678Z',
      prompt: [],
      parameters: {},
      model: 'counting',
      reply: '{}',
      cost: 0.5,
      attempts: [],
    };
    const outcome =
      better === null
        ? ({ status: 'failed', code: 'judge-unreadable', reason: 'no verdict' } as const)
        : ({ status: 'answered', answer: { reason: 'so', better } } as const);
    return { outcome, calls: [call] };
  };
  const judge: Judge = createJudge({
    name,
    fingerprint: name.padEnd(16, '0'),
    concurrency: 2,
    models: ['counting-1'],
    together: false,
    consult: async (questions) => questions.map(reply),
    estimate: async () => ({ calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 }),
  });
  return { judge, asked };
}

const longer = (first: string, second: string) => {
  if (first.length === second.length) return 'tie';
  return first.length > second.length ? 'first' : 'second';
};

function rulesOf(judge: Judge, parts: Partial<PreferenceRules> = {}): PreferenceRules {
  return { judge, criterion: usualCriterion, order: 'both', seed: 0, reusesJudgements: true, ...parts };
}

function needsOf(store: Store, parts: Partial<PreferenceNeeds> = {}): PreferenceNeeds {
  return { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped, ...parts };
}

const cases = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8'];
const answers = {
  old: ['a', 'a', 'a', 'aaaa', 'a', 'same', 'bb', null],
  new: ['aaa', 'aaa', 'aaa', 'a', 'aaa', 'same', 'cc', 'aaa'],
};

async function storeTwo() {
  const store = createMemoryStore();
  const first = await storeRun(store, {
    id: 'run-1',
    day: 1,
    cases: [...cases, 'gone'],
    targets: { bot: [...answers.old, 'x'] },
  });
  const second = await storeRun(store, {
    id: 'run-2',
    day: 2,
    cases: ['fresh', ...cases],
    targets: { bot: ['x', ...answers.new] },
  });
  return { store, runs: [first, second] };
}

test('wins, ties and what was not measured are counted apart, over the cases that both runs have', async () => {
  const { store, runs } = await storeTwo();
  const { judge, asked } = createCounting(longer);
  const report = await preferRuns(runs, rulesOf(judge), needsOf(store));
  expect(report.rule.targets).toEqual([
    { name: 'bot @ run-1', run: 'run-1', target: 'bot' },
    { name: 'bot @ run-2', run: 'run-2', target: 'bot' },
  ]);
  expect(report.pairs).toMatchObject([
    {
      a: 'bot @ run-1',
      b: 'bot @ run-2',
      verdict: 'no-visible-difference',
      wins: 1,
      ties: 2,
      losses: 4,
      identical: 1,
      winRate: { value: 2 / 7, n: 7, method: 'tango' },
      planned: 8,
      measured: 7,
      notMeasured: [{ code: 'trial-failed', pairs: 1, reason: 'bot @ run-1 gave no answer: too slow' }],
      casesOnlyInA: 1,
      casesOnlyInB: 1,
      position: { swapped: 6, consistent: 6, toFirst: 0, toSecond: 0, pValue: null },
    },
  ]);
  expect(report.ranking).toBeUndefined();
  expect(asked).toHaveLength(12);
  expect(report.judging).toEqual({ calls: 12, judgements: 12, cost: 6 });
});

test('a judge that prefers the first answer decides nothing, and the bias is reported', async () => {
  const { store, runs } = await storeTwo();
  const { judge } = createCounting(() => 'first');
  const [pair] = (await preferRuns(runs, rulesOf(judge), needsOf(store))).pairs;
  expect(pair).toMatchObject({
    wins: 0,
    ties: 7,
    losses: 0,
    position: { swapped: 6, consistent: 0, toFirst: 6, toSecond: 0, pValue: expect.closeTo(2 / 2 ** 6, 12) },
  });
});

test('a second command pays for nothing, also with the runs the other way round', async () => {
  const { store, runs } = await storeTwo();
  const { judge, asked } = createCounting(longer);
  const first = await preferRuns(runs, rulesOf(judge), needsOf(store));
  const paid = asked.length;
  const again = await preferRuns(runs, rulesOf(judge), needsOf(store));
  const turned = await preferRuns(runs.toReversed(), rulesOf(judge), needsOf(store));
  expect(asked).toHaveLength(paid);
  expect(again).toEqual({ ...first, judging: { calls: 0, judgements: 0, cost: 0 } });
  expect(turned.pairs).toMatchObject([{ wins: 4, ties: 2, losses: 1 }]);
  const other = rulesOf(judge, { criterion: 'The better answer is politer.' });
  await preferRuns(runs, other, needsOf(store));
  expect(asked).toHaveLength(2 * paid);
});

test('the judge sees question, truth and answers, and no name of a target or a run', async () => {
  const { store, runs } = await storeTwo();
  const { judge, asked } = createCounting(longer);
  await preferRuns(runs, rulesOf(judge), needsOf(store));
  const texts = asked.map((question) => JSON.stringify(question));
  expect(texts.filter((text) => /bot|run-\d/.test(text))).toEqual([]);
  expect(asked[0]?.material.map(({ title }) => title)).toEqual([
    'question',
    'expected answer',
    'first answer',
    'second answer',
  ]);
  expect(asked[0]).toMatchObject({ id: 'prefer@1', shape: 'preference' });
});

test('a failing judge leaves pairs unmeasured, and a repetition asks only these', async () => {
  const { store, runs } = await storeTwo();
  let isDown = true;
  const { judge, asked } = createCounting((first, second) =>
    isDown && (first === 'aaaa' || second === 'aaaa') ? null : longer(first, second),
  );
  const [pair] = (await preferRuns(runs, rulesOf(judge), needsOf(store))).pairs;
  expect(pair).toMatchObject({
    wins: 0,
    measured: 6,
    notMeasured: [
      { code: 'judge-unreadable', pairs: 1 },
      { code: 'trial-failed', pairs: 1 },
    ],
  });
  isDown = false;
  const before = asked.length;
  expect((await preferRuns(runs, rulesOf(judge), needsOf(store))).pairs).toMatchObject([
    { wins: 1, measured: 7 },
  ]);
  expect(asked.length - before).toBe(2);
});

test('a cost limit stops the questions, and what was not asked is not measured', async () => {
  const { store, runs } = await storeTwo();
  const { judge, asked } = createCounting(longer);
  const report = await preferRuns(runs, rulesOf(judge, { maxCost: 2 }), needsOf(store));
  expect(report.isStopped).toBe(true);
  expect(asked.length).toBeGreaterThanOrEqual(4);
  expect(asked.length).toBeLessThan(8);
  const [pair] = report.pairs;
  expect(pair?.measured).toBeLessThan(6);
  expect(pair?.notMeasured.find(({ code }) => code === 'not-asked')?.pairs).toBeGreaterThan(0);
  const whole = await preferRuns(runs, rulesOf(judge), needsOf(store));
  expect(whole).toMatchObject({ isStopped: false, pairs: [{ measured: 7 }] });
  expect(asked).toHaveLength(12);
});

test('in a random order each pair is asked once, the same way whenever it is asked', async () => {
  const { store, runs } = await storeTwo();
  const { judge, asked } = createCounting(() => 'first');
  const rules = rulesOf(judge, { order: 'random', seed: 'draw' });
  const report = await preferRuns(runs, rules, needsOf(store));
  expect(asked).toHaveLength(6);
  const [pair] = report.pairs;
  expect(pair).toMatchObject({ measured: 7, position: { swapped: 0, toFirst: 6, toSecond: 0 } });
  // The judge prefers the first position, so the drawn order decides who wins.
  expect([pair?.wins, pair?.losses].every((count) => (count as number) > 0)).toBe(true);
  expect((await preferRuns(runs, rules, needsOf(store))).pairs).toEqual(report.pairs);
  expect(asked).toHaveLength(6);
});

test('all targets of one run are compared with each other and ranked', async () => {
  const store = createMemoryStore();
  const many = Array.from({ length: 24 }, (_, index) => `q${index}`);
  const lengthsOf = (length: (index: number) => number) => many.map((_, index) => 'x'.repeat(length(index)));
  const run = await storeRun(store, {
    id: 'run-1',
    day: 1,
    cases: many,
    targets: {
      short: lengthsOf((index) => (index % 8 === 0 ? 9 : 1)),
      long: lengthsOf((index) => (index % 2 === 0 ? 6 : 5)),
      other: lengthsOf((index) => (index % 2 === 0 ? 5 : 6)),
    },
  });
  const { judge } = createCounting(longer);
  const report = await preferRuns([run], rulesOf(judge), needsOf(store));
  expect(report.pairs.map(({ a, b, verdict }) => [a, b, verdict])).toEqual([
    ['short', 'long', 'b-better'],
    ['short', 'other', 'b-better'],
    ['long', 'other', 'no-visible-difference'],
  ]);
  expect(report.ranking?.targets.map(({ name, rank, lastRank }) => [name, rank, lastRank]).slice(2)).toEqual([
    ['short', 3, 3],
  ]);
  expect(report.ranking).toMatchObject({
    prior: 0,
    targets: [{ rank: 1, lastRank: 2 }, { rank: 1, lastRank: 2 }, {}],
  });
  const two = await preferRuns([run], rulesOf(judge, { targets: ['long', 'short'] }), needsOf(store));
  expect(two.pairs).toHaveLength(1);
});

test('judgements of a comparison are stored under the newest run and are no part of its numbers', async () => {
  const { store, runs } = await storeTwo();
  const { judge } = createCounting(longer);
  const [, newest] = runs as [Run, Run];
  const before = await summarizeRun(newest, store);
  await preferRuns(runs, rulesOf(judge), needsOf(store));
  expect(await Array.fromAsync(store.readJudgements('run-2'))).toHaveLength(12);
  expect(await Array.fromAsync(store.readJudgements('run-1'))).toEqual([]);
  expect(await summarizeRun(newest, store)).toEqual(before);
});

test('a comparison is read again from the store alone, whole or stopped, until one of its runs is deleted', async () => {
  const { store, runs } = await storeTwo();
  const { judge, asked } = createCounting(longer);
  const part = await preferRuns(runs, rulesOf(judge, { maxCost: 2 }), needsOf(store));
  const readAll = async () =>
    await Array.fromAsync(readStoredPreferences((await store.readRun('run-2')) as Run, store));
  const [stopped] = await readAll();
  expect(stopped).toMatchObject({ isStopped: true, rule: part.rule });
  expect(stopped?.pairs[0]?.measured).toBeGreaterThanOrEqual(part.pairs[0]?.measured ?? 0);
  expect(stopped?.pairs[0]?.measured).toBeLessThan(7);
  const whole = await preferRuns(runs, rulesOf(judge), needsOf(store));
  const paid = asked.length;
  const free = { calls: 0, judgements: 0, cost: 0 };
  // The same comparison again is no second one.
  expect(await readAll()).toEqual([{ ...whole, judging: free }]);
  expect(asked).toHaveLength(paid);
  const random = await preferRuns(runs, rulesOf(judge, { order: 'random' }), needsOf(store));
  expect(await readAll()).toEqual([
    { ...whole, judging: free },
    { ...random, judging: free },
  ]);
  await store.deleteRun('run-1');
  expect(await readAll()).toEqual([]);
});

test('a comparison by a panel is found again by the records of its judges', async () => {
  const { store, runs } = await storeTwo();
  const members = [
    createCounting(longer, 'a'),
    createCounting(longer, 'b'),
    createCounting(() => 'first', 'c'),
  ];
  const judge = createPanel(members.map((member) => member.judge));
  const report = await preferRuns(runs, rulesOf(judge), needsOf(store));
  expect(report.pairs).toMatchObject([{ wins: 1, ties: 2, losses: 4 }]);
  expect(report.judging.judgements).toBe(36);
  const [again] = await Array.fromAsync(readStoredPreferences((await store.readRun('run-2')) as Run, store));
  expect(again).toEqual({ ...report, judging: { calls: 0, judgements: 0, cost: 0 } });
});

test('one target alone and an unknown target are refused before anything is asked', async () => {
  const { store, runs } = await storeTwo();
  const { judge, asked } = createCounting(longer);
  await expect(preferRuns(runs.slice(0, 1), rulesOf(judge), needsOf(store))).rejects.toMatchObject({
    code: 'usage-invalid',
  });
  await expect(preferRuns(runs, rulesOf(judge, { targets: ['boot'] }), needsOf(store))).rejects.toThrow(
    'No run has a target "boot"; there are bot.',
  );
  expect(asked).toEqual([]);
});

test('a plan counts what would be asked and its price, without what is stored, and asks nothing', async () => {
  const { store, runs } = await storeTwo();
  const { judge, asked } = createCounting(longer);
  const priced: Judge = {
    ...judge,
    estimate: async (questions) => {
      const [length] = questions.map(({ material }) => material.length);
      return { calls: questions.length, inputTokens: 10 * (length ?? 0), outputTokens: 3, cost: 0.25 };
    },
  };
  const plan = await planPreferences(runs, rulesOf(priced), store);
  // Of 8 shared questions one has the same answer twice, and one no answer.
  expect(plan).toMatchObject({ pairs: 8, identical: 1, withoutAnswer: 1, questions: 12, stored: 0, cost: 3 });
  expect(plan).toMatchObject({ calls: 12, inputTokens: 12 * 40, outputTokens: 36 });
  expect(asked).toHaveLength(0);
  await preferRuns(runs, rulesOf(judge, { maxCost: 2 }), needsOf(store));
  const paid = asked.length;
  const rest = await planPreferences(runs, rulesOf(priced), store);
  expect(rest).toMatchObject({ questions: 12 - paid, stored: paid });
  await preferRuns(runs, rulesOf(judge), needsOf(store));
  expect(asked).toHaveLength(12);
  expect(await planPreferences(runs, rulesOf(priced), store)).toMatchObject({
    questions: 0,
    stored: 12,
    cost: 0,
  });
});

test('a price that is not known makes that of the plan unknown, and each judge of a panel is counted', async () => {
  const { store, runs } = await storeTwo();
  const [one, two] = [createCounting(longer, 'one'), createCounting(longer, 'two')];
  await preferRuns(runs, rulesOf(one.judge), needsOf(store));
  const unpriced: Judge = {
    ...two.judge,
    estimate: async () => ({ calls: 1, inputTokens: 1, outputTokens: 1, cost: undefined }),
  };
  const panel = createPanel([one.judge, unpriced]);
  expect(await planPreferences(runs, rulesOf(panel), store)).toMatchObject({
    questions: 12,
    stored: 12,
    cost: null,
  });
});
