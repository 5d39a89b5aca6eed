import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { labelRun } from '../../../test/support/labelled-run.ts';
import { run as evaluate } from './runs/run.ts';
import { scriptedJudge } from '../../evaluate/judges/registry.ts';
import { answerLength, rubric } from '../../evaluate/metrics/registry.ts';
import type { Config } from '../config/config.ts';
import type { Gate } from '../../core/schema/gate.ts';
import type { Run } from '../../core/schema/run.ts';
import { weighted } from '../../decide/scorecards/registry.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { module } from '../../evaluate/targets/registry.ts';
import { setBaseline } from './baselines.ts';
import { calibrate } from './calibrate.ts';
import { gate as decide } from './runs/gate.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-corrected-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

/** The end of all answers of the bot, whose version stays the same. */
let ending = '';

/** 110 of 200 answers are good; the judge passes these and half of the others. */
function bot(question: string): string {
  const index = Number(/\d+/.exec(question)?.[0]);
  const isGood = index % 20 < 11;
  const isSmooth = ((index % 20) + Math.floor(index / 20)) % 2 === 0;
  return `${isGood ? 'good' : 'bad'} ${!isGood && isSmooth ? 'smooth' : 'plain'} ${index}${ending}`;
}

/** Runs the bot with a judge whose verdict is the score. */
async function judgedRun(store: Store, setting: Partial<Config> & { cases?: number } = {}): Promise<Run> {
  const { cases = 200, ...config } = setting;
  const dataset = `${cases}.jsonl`;
  const rows = Array.from({ length: cases }, (_, index) =>
    JSON.stringify({ question: `Question ${index}?`, category: index % 2 === 0 ? 'even' : 'odd' }),
  );
  await writeFile(path.join(folder, dataset), rows.join('\n'));
  const report = await evaluate(
    {
      dataset,
      targets: [module({ name: 'bot', function: bot })],
      judge: scriptedJudge({
        rules: [
          { part: 'answer', when: '^good|smooth', reply: { reason: 'It does so.', verdict: 'yes' } },
          { reply: { reason: 'It does not.', verdict: 'no' } },
        ],
      }),
      metrics: [rubric({ name: 'helps the user', shape: 'verdict', text: 'The answer helps.' })],
      scorecard: weighted({ criteria: [{ metric: 'helps the user', weight: 1 }] }),
      ...config,
    },
    { folder, store },
  );
  return report.run;
}

const require = { certified: 'require' } as const;
const at = { atLeast: 70, confidence: 0.95 } as const;
const rules: Gate['rules'] = {
  helps: { type: 'metric', metric: 'helps the user', ...at },
  score: { type: 'score', ...at },
  passes: { type: 'pass-rate', method: 'clopper-pearson', ...at },
  criterion: { type: 'criterion', criterion: 'helps the user', ...at },
  mean: { type: 'metric', metric: 'helps the user', atLeast: 70 },
};

async function decisionOf(store: Store, run: Run, gate: Partial<Gate>) {
  await store.updateRun({ ...run, gate: { minCoverage: 1, judge: require, ...gate } });
  return (await decide(run.id, { store })).decision;
}

async function certified(labels: number, draw?: Parameters<typeof labelRun>[1]) {
  const store = createMemoryStore();
  const run = await judgedRun(store);
  await labelRun(store, { labels, ...draw });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  return { store, run };
}

test('with every answer labelled, all rules that rest on the judge read what people say, and the threshold too', async () => {
  const { store, run } = await certified(200);
  const decision = await decisionOf(store, run, { rules, failUnder: 70 });
  expect(decision.outcome).toBe('fail');
  for (const rule of decision.rules ?? []) {
    expect(rule).toMatchObject({
      outcome: 'fail',
      value: expect.closeTo(0.55, 9),
      correction: { said: expect.closeTo(0.775, 9), method: 'people-alone', labels: 200 },
    });
  }
  expect(decision.rules?.[0]?.reason).toBe(
    'helps the user is under 70 % with 95 % confidence (corrected; as the judge says, it is 77.5 %)',
  );
  expect(decision.threshold).toMatchObject([
    { target: 'bot', outcome: 'fail', value: expect.closeTo(0.55, 9), threshold: 0.7 },
  ]);
  expect(decision.reasons).toContain(
    'bot: the score, 55.0 %, is under 70 % (corrected; as the judge says, it is 77.5 %)',
  );
});

test('rules that people would pass, pass', async () => {
  const { store, run } = await certified(200);
  const low = { atLeast: 45, confidence: 0.95 } as const;
  const decision = await decisionOf(store, run, {
    rules: { helps: { type: 'metric', metric: 'helps the user', ...low } },
    failUnder: 54,
  });
  expect(decision.outcome).toBe('pass');
});

test.each([
  ['at random', {}, 'ppi'],
  ['by verdict', { draw: { type: 'stratified' }, seed: 11 }, 'stratified'],
] as const)(
  'with a part labelled that was drawn %s, bounds hold the corrected rate',
  async (_, draw, method) => {
    const { store, run } = await certified(150, draw);
    const decision = await decisionOf(store, run, { rules, failUnder: 70 });
    for (const rule of decision.rules ?? []) {
      expect(rule).toMatchObject({ outcome: 'fail', correction: { method, labels: 150 } });
      expect(rule.lower).toBeLessThan(0.55);
      expect(rule.upper).toBeGreaterThan(0.55);
      expect(rule.upper).toBeLessThan(0.7);
    }
    expect(decision.threshold).toMatchObject([{ outcome: 'fail' }]);
  },
);

test('a category is decided by its own labels, and left open where only error rates of all are known', async () => {
  const { store, run } = await certified(150);
  const even: Gate['rules'] = { even: { type: 'metric', metric: 'helps the user', category: 'even', ...at } };
  const [rule] = (await decisionOf(store, run, { rules: even })).rules ?? [];
  expect(rule).toMatchObject({ outcome: 'fail', correction: { said: 0.8, method: 'ppi' } });
  expect([rule?.lower ?? 1, rule?.upper ?? 0].map((limit) => limit > 0.6)).toEqual([false, true]);
  const later = await judgedRun(store);
  expect((await decisionOf(store, later, { rules: even })).rules).toMatchObject([
    {
      outcome: 'inconclusive',
      value: 0.8,
      reason: expect.stringContaining('known of all categories together, not of these questions alone'),
    },
  ]);
});

test('a later run of the same version is decided by the error rates of its labels', async () => {
  const { store } = await certified(200);
  const later = await judgedRun(store, { cases: 160 });
  const decision = await decisionOf(store, later, { rules, failUnder: 70 });
  for (const rule of decision.rules ?? []) {
    expect(rule).toMatchObject({ outcome: 'fail', correction: { method: 'rogan-gladen', labels: 200 } });
  }
  expect(decision.threshold).toMatchObject([{ outcome: 'fail', correction: { method: 'rogan-gladen' } }]);
});

test('a version without labels is not measured, and is told what to label; on advice it decides with a warning', async () => {
  const { store } = await certified(200);
  const targets = [module({ name: 'bot', function: (question: string) => `${bot(question)}!` })];
  const next = await judgedRun(store, { targets });
  const decision = await decisionOf(store, next, { rules, failUnder: 70 });
  expect(decision.outcome).toBe('not-measured');
  expect(decision.rules?.map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 5 }, () => 'not-measured'),
  );
  expect(decision.reasons[0]).toMatch(
    /the error rates of the judge scripted of the metric "helps the user" are not known for bot: no labels are of this version of the target, .*; label about 200 answers of it and certify the judge for it: `touchstone review create --rubric helps --run/,
  );
  const advised = await decisionOf(store, next, { rules, failUnder: 70, judge: { certified: 'advise' } });
  expect(advised).toMatchObject({ outcome: 'pass', uncertified: [{ isRequired: false }] });
  const ignored = await decisionOf(store, next, { failUnder: 70, judge: { certified: 'ignore' } });
  expect(ignored).toMatchObject({ outcome: 'pass' });
  expect(ignored).not.toHaveProperty('uncertified');
});

test('a score of which the judge decides a part is corrected by that part', async () => {
  const store = createMemoryStore();
  const half = {
    metrics: [
      rubric({ name: 'helps the user', shape: 'verdict', text: 'The answer helps.' }),
      answerLength({ name: 'short', max: 100 }),
    ],
    scorecard: weighted({
      criteria: [
        { metric: 'helps the user', weight: 0.5 },
        { metric: 'short', weight: 0.5 },
      ],
    }),
  };
  const run = await judgedRun(store, half);
  await labelRun(store, { labels: 150 });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  const decision = await decisionOf(store, run, {
    rules: { score: { type: 'score', atLeast: 85, confidence: 0.95 } },
  });
  // Half of 55 % and half of 100 %, where the judge says half of 77.5 %.
  const [rule] = decision.rules ?? [];
  expect(rule).toMatchObject({ outcome: 'fail', correction: { said: expect.closeTo(0.8875, 9) } });
  expect(rule?.lower).toBeLessThan(0.775);
  expect(rule?.upper).toBeGreaterThan(0.775);
});

test('a comparison with the baseline is about the difference that people see, which the judge makes smaller', async () => {
  const { store, run } = await certified(200);
  await setBaseline('main', run.id, { store });
  const kept: Gate['rules'] = {
    kept: { type: 'no-regression', margin: 10, of: 'score', confidence: 0.95 },
  };
  const same = await judgedRun(store);
  expect(await decisionOf(store, same, { rules: kept, baseline: 'main' })).toMatchObject({
    rules: [
      { name: 'kept', outcome: 'pass', value: expect.closeTo(0, 9), correction: { method: 'rogan-gladen' } },
    ],
  });
});

test('on these questions a certified judge decides where every answer is the same as before, and else says what to do', async () => {
  const { store, run } = await certified(200);
  await setBaseline('main', run.id, { store });
  const rule = { type: 'no-regression', margin: 5, of: 'score', confidence: 0.95 } as const;
  const gate = { rules: { these: { ...rule, on: 'these-questions' } }, baseline: 'main' } as const;
  const { rules: same } = await decisionOf(store, await judgedRun(store), gate);
  expect(same?.[0]).toMatchObject({ outcome: 'pass', on: 'these-questions', value: 0, lower: 0 });
  expect(same?.[0]?.reason).toContain('every answer is the same as before: people would say the same');
  ending = '!';
  const { rules: other } = await decisionOf(store, await judgedRun(store), gate);
  ending = '';
  expect(other?.[0]?.outcome).toBe('inconclusive');
  expect(other?.[0]?.reason).toContain('remove `on: these-questions`');
});

test('a gate that stops early does not stop by a judge whose rate is corrected at the end', async () => {
  const { store } = await certified(200);
  const gate = {
    judge: require,
    rules: { low: { type: 'metric', metric: 'helps the user', atLeast: 20 } },
    sequential: true,
  } as const;
  const later = await judgedRun(store, { gate });
  expect(later.summary?.decision).toMatchObject({
    outcome: 'pass',
    sequential: { isDecided: false },
    rules: [{ outcome: 'pass', correction: { said: expect.closeTo(0.775, 9) } }],
  });
});
