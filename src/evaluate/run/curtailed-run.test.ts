import { expect, test } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import type { Run } from '../../core/schema/run.ts';
import { createRandom } from '../../core/stats/random.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { TargetFailure } from '../targets/target.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../test/support/build-evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { run } from './run.ts';
import { neverStopped, type RunNeeds } from './run-needs.ts';
import { checkTotals } from '../../decide/analysis/summary/check-totals.ts';

const attempts = 5;
const caseRule = { passes: 4, isCurtailed: true };
const drafts = Array.from({ length: 40 }, (_, index) => ({
  id: `q${index}`,
  input: `question ${index}`,
  expected: { keywords: ['yes'] },
}));

/** Passes or fails at random, the same for the same attempt whenever it is made; a tenth of the attempts are errors. */
function passesBy(rate: number, caseId: string, attempt: number): boolean | null {
  const chance = createRandom(`${caseId} ${attempt}`).next();
  return chance < 0.1 ? null : (chance - 0.1) / 0.9 < rate;
}

function buildBot(rate: number, delayMs = 0) {
  const made: string[] = [];
  const target = buildTarget(async ({ caseId, attempt }) => {
    made.push(`${caseId} ${attempt}`);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const passes = passesBy(rate, caseId, attempt);
    if (passes === null) throw new TargetFailure('target-failed', 'it fell over');
    return passes ? 'yes' : 'no';
  });
  return { made, target };
}

function needs(parts: Partial<RunNeeds> = {}): RunNeeds {
  return {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
    ...parts,
  };
}

function evaluate(bots: readonly ReturnType<typeof buildBot>[], parts: Partial<Evaluation> = {}): Evaluation {
  const targets = bots.map(({ target }, index) => resolvedTarget(`bot-${index}`, target));
  const settings = { concurrency: 8, timeLimitMs: 60_000, maxRetries: 0, stopAfterFailures: null };
  return buildEvaluation(drafts, targets, { attempts, caseRule, settings, ...parts });
}

const targetOf = ({ summary }: Run, place = 0) => {
  const target = summary?.targets[place];
  if (target === undefined) throw new Error('there is no such target');
  return target;
};

/** Returns the verdict on each case, by its id. */
function verdictsOf(finished: Run): Record<string, string | undefined> {
  const groups = targetOf(finished).reliability?.groups ?? [];
  return Object.fromEntries(groups.flatMap(({ verdict, ids }) => ids.map((id) => [id, verdict])));
}

test.each([0.2, 0.6, 0.95])(
  'every case gets the verdict that all attempts give it, at a rate of %d',
  async (rate) => {
    const [curtailed, whole] = [buildBot(rate), buildBot(rate)];
    const short = await run(evaluate([curtailed]), needs());
    const long = await run(evaluate([whole], { caseRule: { ...caseRule, isCurtailed: false } }), needs());
    expect(verdictsOf(short)).toEqual(verdictsOf(long));
    expect(targetOf(short).reliability?.rule).toMatchObject({
      passed: targetOf(long).reliability?.rule?.passed,
      share: targetOf(long).reliability?.rule?.share,
      notNeeded: 200 - curtailed.made.length,
    });
    expect([whole.made.length, curtailed.made.length < 185]).toEqual([200, true]);
  },
);

test('trials that were not needed are counted apart from those not measured, and the totals add up', async () => {
  const bot = buildBot(0.6);
  const finished = await run(evaluate([bot]), needs());
  const { counts, coverage } = targetOf(finished);
  expect(finished.status).toBe('completed');
  expect(checkTotals(finished.summary?.targets ?? [])).toEqual([]);
  expect(counts).toMatchObject({ planned: 200, notRun: 0, notNeeded: 200 - bot.made.length });
  expect(coverage).toBeCloseTo(counts.measured / bot.made.length, 12);
});

test('rates over curtailed attempts are unbiased, where plain ones are not', async () => {
  const rate = 0.7;
  const many = Array.from({ length: 1200 }, (_, index) => ({
    ...drafts[0],
    id: `many ${index}`,
    input: `${index}`,
  }));
  const bot = buildBot(rate);
  const settings = { concurrency: 8, timeLimitMs: 60_000, maxRetries: 0, stopAfterFailures: null };
  const rule = { passes: 2, isCurtailed: true };
  const parts = { attempts: 4, caseRule: rule, settings };
  const finished = await run(buildEvaluation(many, [resolvedTarget('bot', bot.target)], parts), needs());
  const { passRate, score, metrics, errorRate, reliability } = targetOf(finished);
  expect(passRate.value).toBeCloseTo(rate, 1.4);
  expect(errorRate.value).toBeCloseTo(0.1, 1.4);
  expect(passRate.lower).toBeLessThan(rate);
  expect(passRate.upper).toBeGreaterThan(rate);
  expect(score.value).toBeCloseTo(1 - 0.4 * (1 - rate), 1.4);
  expect(metrics.find(({ metric }) => metric === 'keywords')?.estimate.value).toBeCloseTo(rate, 1.4);
  const groups = reliability?.groups ?? [];
  const plain = groups.reduce((sum, { passed, measured, cases }) => sum + (cases * passed) / measured, 0);
  expect(plain / many.length).toBeGreaterThan(rate + 0.05);
  expect(reliability?.levels.map(({ any, all }) => [any.value, all.value])).toEqual([
    [expect.closeTo(0.7, 1.4), expect.closeTo(0.7, 1.4)],
    [expect.closeTo(1 - 0.3 ** 2, 1.4), expect.closeTo(0.7 ** 2, 1.4)],
    [expect.closeTo(1 - 0.3 ** 3, 1.4), null],
    [null, null],
  ]);
  expect(reliability?.levels[2]?.all.reason).toContain('attempts stop at 2 passed');
});

test('an attempt is made only when it is needed whatever the outcome of those under way', async () => {
  const bot = buildBot(0.6, 1);
  await run(evaluate([bot]), needs());
  for (const { id } of drafts) {
    const mine = bot.made.filter((call) => call.startsWith(`${id} `));
    const results = mine.map((call) => passesBy(0.6, id, Number(call.split(' ')[1])));
    const count = (wanted: boolean) => results.slice(0, -1).filter((result) => result === wanted).length;
    expect(count(true)).toBeLessThan(4);
    expect(count(false)).toBeLessThan(2);
    expect(mine).toEqual(mine.map((_, place) => `${id} ${place + 1}`));
  }
});

test('many cases are under way at a time, so that no call waits for the verdict on one case', async () => {
  const random = createRandom(3);
  const underWay: (() => void)[] = [];
  const target = buildTarget(async () => {
    await new Promise<void>((resolve) => underWay.push(resolve));
    return 'yes';
  });
  const running = run(evaluate([{ made: [], target }]), needs());
  for (let answered = 0; answered < 40 * caseRule.passes; answered += 1) {
    const areLast = answered > 40 * caseRule.passes - 16;
    await expect.poll(() => underWay.length, { interval: 1 }).toBeGreaterThanOrEqual(areLast ? 1 : 8);
    expect(underWay.length).toBeLessThanOrEqual(8);
    underWay.splice(random.integer(underWay.length), 1)[0]?.();
  }
  const { notNeeded, measured } = targetOf(await running).counts;
  expect([measured, notNeeded]).toEqual([160, 40]);
});

test('a stopped curtailed run continues where it ended, and asks nothing twice and nothing in vain', async () => {
  const store = createMemoryStore();
  const stop = new AbortController();
  const [first, second, whole] = [buildBot(0.6, 1), buildBot(0.6), buildBot(0.6)];
  const signals = { stop: stop.signal, abort: new AbortController().signal };
  const observer = { onScored: () => void (first.made.length >= 60 && stop.abort()) };
  const interrupted = await run(evaluate([first]), needs({ store, signals, observer }));
  expect(interrupted.status).toBe('interrupted');
  expect(checkTotals(interrupted.summary?.targets ?? [])).toEqual([]);
  const finished = await run(evaluate([second]), needs({ store }), interrupted);
  const expected = await run(evaluate([whole]), needs());
  expect(finished.status).toBe('completed');
  expect([...first.made, ...second.made].toSorted()).toEqual(whole.made.toSorted());
  expect(targetOf(finished).passRate).toEqual(targetOf(expected).passRate);
  expect(targetOf(finished).counts).toEqual(targetOf(expected).counts);
});

test('when a crash lost the scores, the answers are scored again before more are asked', async () => {
  const store = createMemoryStore();
  const stop = new AbortController();
  const [first, second, whole] = [buildBot(0.6, 1), buildBot(0.6), buildBot(0.6)];
  const signals = { stop: stop.signal, abort: new AbortController().signal };
  const observer = { onScored: () => void (first.made.length >= 60 && stop.abort()) };
  const forgetful = { ...store, addScores: async () => {} };
  const interrupted = await run(evaluate([first]), needs({ store: forgetful, signals, observer }));
  const finished = await run(evaluate([second]), needs({ store }), interrupted);
  await run(evaluate([whole]), needs());
  expect(finished.status).toBe('completed');
  expect([...first.made, ...second.made].toSorted()).toEqual(whole.made.toSorted());
});

test('a run is not resumed with another case rule', async () => {
  const store = createMemoryStore();
  const stop = new AbortController();
  const bot = buildBot(0.6);
  const signals = { stop: stop.signal, abort: new AbortController().signal };
  const observer = { onScored: () => stop.abort() };
  const interrupted = await run(evaluate([bot]), needs({ store, signals, observer }));
  const other = evaluate([bot], { caseRule: { passes: 3, isCurtailed: true } });
  await expect(run(other, needs({ store }), interrupted)).rejects.toThrow('passes: it has 4, now 3');
});

test('several targets are curtailed independently, also when they take turns', async () => {
  const [good, bad] = [buildBot(1), buildBot(0)];
  const finished = await run(evaluate([good, bad], { isInterleaved: true }), needs());
  expect(targetOf(finished, 0).reliability?.rule).toMatchObject({ failed: 0 });
  expect(targetOf(finished, 1).reliability?.rule).toMatchObject({ passed: 0 });
  expect(finished.summary?.comparisons[0]?.means.map(({ value }) => value)).toEqual([
    expect.closeTo(1, 9),
    expect.closeTo(0.6, 9),
  ]);
  expect(bad.made.length).toBeLessThan(good.made.length);
});

test('when scoring fails, the run ends with the error and does not wait for ever', async () => {
  const evaluation = evaluate([buildBot(0.6)]);
  let scored = 0;
  const { scorecard } = evaluation;
  if (scorecard === null) throw new Error('there is a scorecard');
  const evaluateBadly: typeof scorecard.evaluate = (verdicts) => {
    if ((scored += 1) > 30) throw new RangeError('the scorecard is broken');
    return scorecard.evaluate(verdicts);
  };
  const broken = { ...evaluation, scorecard: { ...scorecard, evaluate: evaluateBadly } };
  await expect(run(broken, needs())).rejects.toThrow('the scorecard is broken');
});

test.each(['addTrials', 'addScores'] as const)(
  'when %s fails, the run ends with the error',
  async (method) => {
    const store = createMemoryStore();
    let writes = 0;
    const failing = () => {
      if ((writes += 1) > (method === 'addTrials' ? 4 : 0)) throw new Error('the disk is full');
    };
    const methods: Pick<Store, 'addTrials' | 'addScores'> = {
      addTrials: async (runId, trials) => {
        if (method === 'addTrials') failing();
        return await store.addTrials(runId, trials);
      },
      addScores: async (runId, scores) => {
        if (method === 'addScores') failing();
        await store.addScores(runId, scores);
      },
    };
    const needed = needs({ store: { ...store, ...methods } });
    await expect(run(evaluate([buildBot(0.6)]), needed)).rejects.toThrow('the disk is full');
  },
);

test('a slow judge is awaited before a case is tried again', async () => {
  const bot = buildBot(0.6);
  const slow = resolvedMetric('slow', {
    concurrency: 2,
    score: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { status: 'scored', value: 1 };
    },
  });
  const plain = evaluate([bot]);
  const finished = await run({ ...plain, metrics: [...plain.metrics, slow] }, needs());
  const quick = buildBot(0.6);
  await run(evaluate([quick]), needs());
  expect(finished.status).toBe('completed');
  expect(bot.made.toSorted()).toEqual(quick.made.toSorted());
});
