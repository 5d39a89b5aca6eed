import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Config } from '../config/config.ts';
import { headlineParts } from '../../look/report/headline.ts';
import type { Run } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { module } from '../../evaluate/targets/registry.ts';
import { setBaseline } from './baselines.ts';
import { compare, trends } from './compare.ts';
import { gate } from './runs/gate.ts';
import { run } from './runs/run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-weights-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Ten cases of weight 1 to 10; the bot knows those whose number is not among the wrong ones. */
const cases = Array.from({ length: 10 }, (_, index) => index + 1);

function write(name: string, weightOf: (number: number) => unknown): string {
  const rows = cases.map((number) => ({
    id: `q${number}`,
    question: `What is word ${number}?`,
    expected_keywords: [`word${number}`],
    category: number > 5 ? 'heavy' : 'light',
    weight: weightOf(number),
  }));
  writeFileSync(path.join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'));
  return name;
}
const weighted = write('weighted.jsonl', (number) => number);
const alike = write('alike.jsonl', () => 2.7);
const without = write('without.jsonl', () => undefined);

function bot(...wrong: readonly number[]) {
  return module({
    name: 'bot',
    function: (question: string) => {
      const number = Number(/\d+/.exec(question)?.[0]);
      return wrong.includes(number) ? 'I do not know.' : `It is word${number}.`;
    },
  });
}

interface Setting extends Omit<Partial<Config>, 'store'> {
  readonly store: Store;
  readonly wrong?: readonly number[];
}

async function made({ store, wrong = [10], ...config }: Setting): Promise<Run> {
  const settings = {
    dataset: weighted,
    targets: [bot(...wrong)],
    metrics: ['keywords'],
    scorecard: { use: 'weighted', criteria: [{ metric: 'keywords', weight: 1 }] },
    ...config,
  } as Config;
  return (await run(settings, { folder, store })).run;
}

const summaryOf = ({ summary }: Run) => summary!.targets[0]!;

test('every mean over cases counts each by its weight, and the headline says so', async () => {
  const found = await made({ store: createMemoryStore() });
  const target = summaryOf(found);
  // The case of weight 10 failed: 45 of 55.
  const mean = 45 / 55;
  expect(found.dataset.caseWeights).toMatchObject({ total: 55, heaviest: { id: 'q10', weight: 10 } });
  expect(target.score.value).toBeCloseTo(mean, 12);
  expect(target.passRate.value).toBeCloseTo(mean, 12);
  expect(target.metrics[0]!.estimate.value).toBeCloseTo(mean, 12);
  expect(target.categories.map(({ score }) => score.value)).toEqual([1, expect.closeTo(30 / 40, 12)]);
  expect(target.score).toMatchObject({ n: 10, method: 'gaffke' });
  expect(target.score.effectiveCases).toBeCloseTo(55 ** 2 / 385, 10);
  expect(target.counts).toMatchObject({ passed: 9, failed: 1 });
  expect(headlineParts(target, found)).toContain('weighted, effective n 7.9');
});

test('cases of one weight have every number that they have without weights', async () => {
  const of = async (dataset: string) => await made({ store: createMemoryStore(), dataset, attempts: 2 });
  const [plain, same] = [await of(without), await of(alike)];
  expect(same.dataset.caseWeights).toBeUndefined();
  const numbersOf = (found: Run) => {
    const { usage: _time, ...numbers } = summaryOf(found);
    return numbers;
  };
  expect(numbersOf(same)).toEqual(numbersOf(plain));
});

test('the mean of attempts at a case is weighted, too, and so is what was not measured', async () => {
  let calls = 0;
  const flaky = module({
    name: 'bot',
    function: (question: string) => {
      const number = Number(/\d+/.exec(question)?.[0]);
      if (number === 10) throw new Error('away');
      calls += 1;
      return number === 9 && calls % 2 === 0 ? 'no' : `It is word${number}.`;
    },
  });
  const target = summaryOf(
    await made({
      store: createMemoryStore(),
      targets: [flaky],
      attempts: 2,
      maxRetries: 0,
      concurrency: 1,
    }),
  );
  // Case 9 passes once in two attempts; case 10, of 10 of the 55, was not measured.
  expect(target.score.value).toBeCloseTo((36 + 4.5) / 45, 12);
  expect(target.worstCase).toBeCloseTo(40.5 / 55, 12);
  expect(target.bestCase).toBeCloseTo(50.5 / 55, 12);
  expect(target.coverage).toBeCloseTo(0.9, 12);
  expect(target.weightCoverage).toBeCloseTo(45 / 55, 12);
  expect(target.reliability!.levels.at(-1)!.all.value).toBeCloseTo(36 / 45, 12);
});

test('a gate decides by the weighted mean and its bound', async () => {
  const store = createMemoryStore();
  // 9 of 10 pass, but 81.8 % of the weight.
  const found = await made({
    store,
    gate: {
      failUnder: 85,
      rules: {
        mean: { type: 'metric', metric: 'keywords', atLeast: 80 },
        sure: { type: 'pass-rate', atLeast: 80, confidence: 0.95 },
        wilson: { type: 'pass-rate', atLeast: 30, confidence: 0.95, method: 'wilson' },
      },
    },
  });
  const { outcome, reasons, rules = [] } = found.summary!.decision;
  expect(outcome).toBe('fail');
  expect(reasons.join('\n')).toContain('81.8 % is under 85 %');
  expect(rules.map((rule) => [rule.name, rule.outcome])).toEqual([
    ['mean', 'pass'],
    ['sure', 'inconclusive'],
    ['wilson', 'pass'],
  ]);
  expect(rules[0]!.arithmetic).toBe('weighted mean of 10 questions (effective n 7.9) 81.8 %');
  expect(rules[1]!.arithmetic).toContain('(Gaffke, weighted)');
  expect(rules[2]!.arithmetic).toContain('(Gaffke, weighted)');
});

test('with most of the weight unmeasured, a gate is not measured, however many cases were', async () => {
  const store = createMemoryStore();
  const dataset = write('one.jsonl', (number) => (number === 10 ? 100 : 1));
  const silent = module({
    name: 'bot',
    function: (question: string) => {
      if (question.includes('10')) throw new Error('away');
      return `It is word${/\d+/.exec(question)?.[0]}.`;
    },
  });
  const found = await made({
    store,
    dataset,
    targets: [silent],
    maxRetries: 0,
    gate: { failUnder: 80, minCoverage: 0.9 },
  });
  expect(summaryOf(found).coverage).toBe(0.9);
  expect(found.summary!.decision).toMatchObject({ outcome: 'not-measured' });
  expect(found.summary!.decision.reasons[0]).toContain(
    '1 of 10 attempts was not measured (91.7 % of the weight',
  );
});

test('a comparison, a baseline and a trend weigh the pairs alike', async () => {
  const store = createMemoryStore();
  const before = await made({ store, wrong: [1, 2, 3] });
  await setBaseline('main', before.id, { store });
  const after = await made({ store, wrong: [10] });
  // 6 of 55 were wrong before and 10 are now: worse, although two more cases pass.
  const { comparisons } = await compare([before.id, after.id], { store, margin: 0.02 });
  const [row] = comparisons[0]!.differences;
  expect(row!.meanA).toBeCloseTo(49 / 55, 12);
  expect(row!.meanB).toBeCloseTo(45 / 55, 12);
  expect(row!.difference.value).toBeCloseTo(-4 / 55, 12);
  expect(row!.difference).toMatchObject({ method: 'gaffke', n: 10 });
  expect(row!.difference.effectiveCases).toBeCloseTo(55 ** 2 / 385, 10);
  const decided = await gate(after.id, { store, folder, baseline: 'main' });
  expect(decided.decision.rules![0]!.value).toBeCloseTo(-4 / 55, 12);
  expect(decided.decision.rules![0]!.arithmetic).toContain('weighted mean difference -7.3');
  const [trend] = (await trends({ store })).trends;
  expect(trend!.points.map(({ value }) => value.value)).toEqual([
    expect.closeTo(49 / 55, 12),
    expect.closeTo(45 / 55, 12),
  ]);
});

test('two targets of one run are compared by the weights of the cases', async () => {
  const [one, other] = [bot(10), bot(1, 2, 3)];
  const found = await made({
    store: createMemoryStore(),
    targets: [one, { ...other, name: 'other' }],
  });
  const score = found.summary!.comparisons.find(({ measure }) => measure === 'score')!;
  expect(score.leader).toBe('other');
  expect(score.means.map(({ value }) => value)).toEqual([
    expect.closeTo(45 / 55, 12),
    expect.closeTo(49 / 55, 12),
  ]);
  expect(score.differences[0]!.value).toBeCloseTo(4 / 55, 12);
});

test('another weight makes no other case: its answers are compared, by the weights of the newer run', async () => {
  const store = createMemoryStore();
  const plain = await made({ store, dataset: without });
  const found = await made({ store });
  const { comparisons } = await compare([plain.id, found.id], { store });
  expect(comparisons[0]!.pairing.pairs).toBe(10);
  expect(comparisons[0]!.differences[0]!.meanA).toBeCloseTo(45 / 55, 12);
  expect(comparisons[0]!.notices.map(({ message }) => message).join()).toContain(
    'by the weights that questions have in the newer run',
  );
});

test('a gate that would decide early asks every question, and says why', async () => {
  const notices: string[] = [];
  const settings = {
    dataset: weighted,
    targets: [bot(10)],
    metrics: ['keywords'],
    scorecard: { use: 'weighted', criteria: [{ metric: 'keywords', weight: 1 }] },
    gate: { failUnder: 60, sequential: true },
  } as Config;
  const { run: found } = await run(settings, {
    folder,
    store: createMemoryStore(),
    observer: { onNotice: ({ message }) => notices.push(message) },
  });
  expect(summaryOf(found).counts.measured).toBe(10);
  expect(found.summary!.decision.sequential).toBeUndefined();
  expect(notices.join('\n')).toContain('the questions have different weights');
});
