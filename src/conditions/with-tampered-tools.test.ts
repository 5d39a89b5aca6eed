import { expect, test } from 'vitest';
import { type HandledOutcome, type TargetContext, TargetFailure } from '../targets/target.ts';
import { buildTarget } from '../../test/support/build-evaluation.ts';
import { requestOf, unbounded } from '../../test/support/prepare-target.ts';
import { empty } from './faults/empty.ts';
import { timeout } from './faults/timeout.ts';
import { createStrikes, withTamperedTools } from './with-tampered-tools.ts';

/** A target that uses a tool as often as said, and answers with what came of it. */
function buildUser(times: number) {
  const seen: HandledOutcome[] = [];
  let runs = 0;
  const run = async () => {
    runs += 1;
    return { result: [{ id: runs }] };
  };
  const target = buildTarget(async (_request, { aroundTool }: TargetContext) => {
    for (let time = 0; time < times; time += 1) {
      const use = { name: 'search', arguments: { time } };
      seen.push(aroundTool === undefined ? await run() : await aroundTool(use, run));
    }
    return 'done';
  });
  return { target, seen, runs: () => runs };
}

test('a tool that fails is not run', async () => {
  const { target, seen, runs } = buildUser(2);
  const reply = await withTamperedTools(target, { fault: timeout, rate: 1 }).call(requestOf('?'), unbounded);
  expect(runs()).toBe(0);
  expect(seen).toEqual([
    expect.objectContaining({ fault: 'timeout', details: { code: 'ETIMEDOUT' } }),
    expect.objectContaining({ fault: 'timeout' }),
  ]);
  expect(reply).not.toHaveProperty('untouched');
});

test('a result that is spoilt is kept as it was beside what the target sees', async () => {
  const { target, seen } = buildUser(1);
  await withTamperedTools(target, { fault: empty, rate: 1 }).call(requestOf('?'), unbounded);
  expect(seen).toEqual([{ result: [], fault: 'empty', withheld: [{ id: 1 }] }]);
});

test("a tool's own error and a result with nothing to spoil pass as they are, and the trial is untouched", async () => {
  const outcomes: HandledOutcome[] = [];
  const target = buildTarget(async (_request, { aroundTool }: TargetContext) => {
    const use = { name: 'search', arguments: {} };
    outcomes.push((await aroundTool?.(use, async () => ({ error: 'no index' }))) as HandledOutcome);
    outcomes.push((await aroundTool?.(use, async () => ({ result: [] }))) as HandledOutcome);
    return 'done';
  });
  const reply = await withTamperedTools(target, { fault: empty, rate: 1 }).call(requestOf('?'), unbounded);
  expect(outcomes).toEqual([{ error: 'no index' }, { result: [] }]);
  expect(reply.untouched).toBe(true);
});

test('a target that uses no tool is untouched, also when it fails', async () => {
  const tampered = withTamperedTools(buildUser(0).target, { fault: timeout, rate: 1 });
  expect(await tampered.call(requestOf('?'), unbounded)).toMatchObject({ untouched: true });
  const failing = buildTarget(() => {
    throw new Error('out of memory');
  });
  const thrown: unknown = await withTamperedTools(failing, { fault: timeout, rate: 1 })
    .call(requestOf('?'), unbounded)
    .catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(TargetFailure);
  expect(thrown).toMatchObject({
    code: 'target-threw',
    message: 'out of memory',
    partial: { untouched: true },
  });
});

test('the first use of a tool is the first in the conversation, not in the turn', async () => {
  const passing = Array.from({ length: 20 }, (_, seed) => seed);
  for (const seed of passing) {
    const { target, seen } = buildUser(1);
    const tampered = withTamperedTools(target, { fault: timeout, rate: undefined });
    const memory = {};
    for (const turn of [1, 2]) {
      await tampered.call(requestOf('?', { seed, session: { id: 's', turn, memory } }), unbounded);
    }
    await tampered.call(requestOf('?', { seed, session: { id: 't', turn: 1, memory: {} } }), unbounded);
    const [first, second, ofAnother] = seen.map(({ fault }) => fault);
    expect([first, ofAnother]).toEqual(['timeout', 'timeout']);
    expect([undefined, 'timeout']).toContain(second);
  }
});

test('what bounds and ends the calls of the target stays; it is opened and closed once, with the target itself', async () => {
  const ended: string[] = [];
  const target = buildTarget(() => 'x', {
    maxConcurrency: 2,
    hasToolsInReach: true,
    endSession: async (id) => void ended.push(id),
    open: async () => {},
    close: async () => {},
  });
  const tampered = withTamperedTools(target, { fault: timeout, rate: 1 });
  await tampered.endSession?.('s');
  expect(ended).toEqual(['s']);
  expect(tampered).toMatchObject({ maxConcurrency: 2, hasToolsInReach: true });
  expect(tampered).not.toHaveProperty('open');
  expect(tampered).not.toHaveProperty('close');
});

test('a call that was stopped has not failed in some way of its own, in whatever words it ends', async () => {
  const controller = new AbortController();
  const stopped = buildTarget(() => {
    controller.abort(new TargetFailure('timeout', 'no answer within 5 ms'));
    throw new DOMException('This operation was aborted', 'AbortError');
  });
  const called = withTamperedTools(stopped, { fault: timeout, rate: 1 }).call(requestOf('?'), controller);
  await expect(called).rejects.toMatchObject({ code: 'timeout', message: 'no answer within 5 ms' });
});

const uses = ['search', 'query', 'search', 'search', 'query', 'list'];

function hits(seed: number, rate?: number): boolean[] {
  const strikes = createStrikes({ seed, kind: 'timeout', rate });
  return uses.map((tool) => strikes(tool) !== undefined);
}

test('without a rate, half of the conversations are hit at the first use of each tool, the others at every use', () => {
  const all = Array.from({ length: 200 }, (_, seed) => hits(seed));
  const lasting = all.filter((hit) => hit.every(Boolean));
  const passing = all.filter((hit) => !hit.every(Boolean));
  expect(lasting.length).toBeGreaterThan(75);
  expect(lasting.length).toBeLessThan(125);
  for (const hit of passing) expect(hit).toEqual([true, true, false, false, false, true]);
});

test('with a rate, that share of the uses is hit', () => {
  const all = Array.from({ length: 2000 }, (_, seed) => hits(seed, 0.3)).flat();
  expect(all.filter(Boolean).length / all.length).toBeCloseTo(0.3, 1);
  expect(hits(1, 1)).toEqual(uses.map(() => true));
});

test('the same seed hits the same uses, with the same random numbers', () => {
  const draw = () => {
    const strikes = createStrikes({ seed: 7, kind: 'error', rate: 0.7 });
    return uses.map((tool) => strikes(tool)?.next());
  };
  expect(draw()).toEqual(draw());
});

test('two kinds of faults hit different uses', () => {
  const of = (kind: string) =>
    Array.from({ length: 50 }, (_, seed) => createStrikes({ seed, kind, rate: 0.5 })('search') !== undefined);
  expect(of('timeout')).not.toEqual(of('empty'));
});
