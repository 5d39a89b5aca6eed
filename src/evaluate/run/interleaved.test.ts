import { expect, test } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import type { Run } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { type Reply, type Target, TargetFailure, type TargetRequest } from '../targets/target.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import { compareRuns } from '../../people/reviews/compare-runs.ts';
import type { Evaluation } from './evaluation.ts';
import { run } from './run.ts';
import { neverStopped } from './run-needs.ts';

const drafts = (cases: number) =>
  Array.from({ length: cases }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { keywords: ['yes'] },
  }));

interface Asked {
  readonly targets: Readonly<Record<string, Target>>;
  readonly cases: number;
  readonly parts?: Partial<Evaluation>;
  readonly store?: Store;
}

async function ask({ targets, cases, parts, store = createMemoryStore() }: Asked, resume?: Run) {
  const live = Object.entries(targets).map(([name, target]) => resolvedTarget(name, target));
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  return { run: await run(buildEvaluation(drafts(cases), live, parts), needs, resume), store };
}

const settings = { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0 };

/** A service behind two bots that changes while it is asked: it gets the number of each call. */
function createService(reply: (request: TargetRequest, call: number) => Reply) {
  let calls = 0;
  return () => buildTarget((request) => reply(request, (calls += 1)));
}

const answer = (text: string, totalMs: number): Reply => ({
  answer: text,
  toolCalls: [],
  latency: { totalMs },
});

/** Returns a pseudo-random number in [0, 1), the same for the same seed and call (Park and Miller, 1988, two steps). */
const draw = (seed: number, call: number) =>
  (((((seed * 7919 + call * 104_729 + 1) * 48_271) % 2_147_483_647) * 48_271) % 2_147_483_647) /
  2_147_483_647;

/** A service that answers less and less well, and more and more slowly. */
const tiring = (seed: number) =>
  createService((_, call) => answer(draw(seed, call) < 1 - call / 250 ? 'yes' : 'no', 100 + call));

async function verdictsOf(runs: readonly { readonly run: Run; readonly store: Store }[]) {
  const [a, b = a] = runs;
  if (a === undefined || b === undefined) throw new Error('no run');
  const { comparisons } = await compareRuns([a, b], { targets: [{ a: 'one', b: 'two' }] });
  const [{ verdict, differences } = { verdict: undefined, differences: [] }] = comparisons;
  const latency = differences.find(({ measure }) => measure === 'latency');
  return { outcome: verdict?.outcome, latency: latency?.finding, later: latency?.difference.value ?? 0 };
}

const seeds = Array.from({ length: 5 }, (_, seed) => seed);

test('two equal bots on a deteriorating service differ one after the other, and do not differ in turns', async () => {
  const sequential = [];
  const interleaved = [];
  for (const seed of seeds) {
    const bot = tiring(seed);
    sequential.push(
      await verdictsOf([
        await ask({ targets: { one: bot() }, cases: 100 }),
        await ask({ targets: { two: bot() }, cases: 100 }),
      ]),
    );
    const again = tiring(seed);
    const parts = { isInterleaved: true, seed } as const;
    interleaved.push(
      await verdictsOf([await ask({ targets: { one: again(), two: again() }, cases: 100, parts })]),
    );
  }
  const worse = sequential.filter(({ outcome }) => outcome === 'worse');
  const seen = interleaved.filter(({ outcome }) => outcome !== 'no-visible-difference');
  expect(worse.length).toBe(5);
  expect(seen.length).toBeLessThanOrEqual(1);
  expect(new Set(sequential.map(({ latency }) => latency))).toEqual(new Set(['worse']));
  expect(new Set(interleaved.map(({ latency }) => latency))).toEqual(new Set(['not-visible']));
  for (const { later } of interleaved) expect(Math.abs(later)).toBeLessThan(1);
});

test('the target that is asked second finds a warm cache, which favours neither', async () => {
  const asked = new Set<string>();
  const cached = createService(({ caseId, attempt }) => {
    const isWarm = asked.has(`${caseId} ${attempt}`);
    asked.add(`${caseId} ${attempt}`);
    return answer('yes', isWarm ? 20 : 100);
  });
  const parts = { isInterleaved: true, attempts: 3 } as const;
  const made = await ask({ targets: { one: cached(), two: cached() }, cases: 40, parts });
  expect(await verdictsOf([made])).toMatchObject({ latency: 'not-visible', later: 0 });
});

test('all targets together have as many calls in flight as one target has otherwise', async () => {
  let [inFlight, most] = [0, 0];
  const busy = () =>
    buildTarget(async () => {
      most = Math.max(most, (inFlight += 1));
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return 'yes';
    });
  const targets = { one: busy(), two: busy() };
  await ask({ targets, cases: 30, parts: { isInterleaved: true, settings } });
  expect(most).toBe(4);
});

test('a target that keeps failing ends the run for all, and the run can be resumed', async () => {
  let isDown = true;
  const sound = buildTarget(() => 'yes');
  const dead = buildTarget(() => {
    if (isDown) throw new TargetFailure('connection-failed', 'refused');
    return 'yes';
  });
  const parts = { isInterleaved: true, settings: { ...settings, stopAfterFailures: 5 } } as const;
  const asked = { targets: { one: sound, two: dead }, cases: 60, parts, store: createMemoryStore() };
  const { run: ended, store } = await ask(asked);
  expect(ended).toMatchObject({ status: 'interrupted', isInterleaved: true });
  expect(ended.stops).toEqual([
    {
      reason: 'failures',
      message: 'two failed 5 times in a row, and without it there is nothing to compare',
      failures: [{ code: 'connection-failed', message: 'refused', trials: 5 }],
    },
  ]);
  expect(sound.calls.length).toBeLessThan(15);
  isDown = false;
  const { run: finished } = await ask(asked, await store.readRun(ended.id));
  expect(finished).toMatchObject({ status: 'completed', id: ended.id, isInterleaved: true });
  expect(sound.calls).toHaveLength(60);
});

test('an interleaved run is not resumed target by target', async () => {
  const down = buildTarget(() => {
    throw new TargetFailure('connection-failed', 'refused');
  });
  const targets = { one: buildTarget(() => 'yes'), two: down };
  const ofTurns = { settings: { ...settings, stopAfterFailures: 5 }, isInterleaved: true } as const;
  const { run: ended, store } = await ask({ targets, cases: 40, parts: ofTurns });
  const { isInterleaved: _, ...parts } = ofTurns;
  await expect(ask({ targets, cases: 40, parts, store }, ended)).rejects.toThrow(
    /order: it has targets that take turns/,
  );
});
