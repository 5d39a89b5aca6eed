import { expect, test } from 'vitest';
import { type HandledOutcome, type TargetContext, TargetFailure } from '../targets/target.ts';
import { buildTarget } from '../../../test/support/build-evaluation.ts';
import { requestOf, unbounded } from '../../../test/support/prepare-target.ts';
import { empty } from './faults/empty.ts';
import { timeout } from './faults/timeout.ts';
import { createFaultSchedule, withToolFaults } from './with-tool-faults.ts';

/** A target that uses a tool a given number of times, and answers with the outcomes. */
function buildUser(times: number) {
  const seen: HandledOutcome[] = [];
  let runs = 0;
  const run = async () => {
    runs += 1;
    return { result: [{ id: runs }] };
  };
  const target = buildTarget(async (_request, { interceptTool }: TargetContext) => {
    for (let time = 0; time < times; time += 1) {
      const use = { name: 'search', arguments: { time } };
      seen.push(interceptTool === undefined ? await run() : await interceptTool(use, run));
    }
    return 'done';
  });
  return { target, seen, runs: () => runs };
}

test('a tool with a failing fault does not run', async () => {
  const { target, seen, runs } = buildUser(2);
  const reply = await withToolFaults(target, { fault: timeout, rate: 1 }).call(requestOf('?'), unbounded);
  expect(runs()).toBe(0);
  expect(seen).toEqual([
    expect.objectContaining({ fault: 'timeout', details: { code: 'ETIMEDOUT' } }),
    expect.objectContaining({ fault: 'timeout' }),
  ]);
  expect(reply).not.toHaveProperty('untouched');
});

test('a corrupted result replaces the real one, which is kept beside it', async () => {
  const { target, seen } = buildUser(1);
  await withToolFaults(target, { fault: empty, rate: 1 }).call(requestOf('?'), unbounded);
  expect(seen).toEqual([{ result: [], fault: 'empty', withheld: [{ id: 1 }] }]);
});

test("a tool's own error and a result that cannot be corrupted pass unchanged, and the fault is not triggered", async () => {
  const outcomes: HandledOutcome[] = [];
  const target = buildTarget(async (_request, { interceptTool }: TargetContext) => {
    const use = { name: 'search', arguments: {} };
    outcomes.push((await interceptTool?.(use, async () => ({ error: 'no index' }))) as HandledOutcome);
    outcomes.push((await interceptTool?.(use, async () => ({ result: [] }))) as HandledOutcome);
    return 'done';
  });
  const reply = await withToolFaults(target, { fault: empty, rate: 1 }).call(requestOf('?'), unbounded);
  expect(outcomes).toEqual([{ error: 'no index' }, { result: [] }]);
  expect(reply.untouched).toBe(true);
});

test('for a target that uses no tool the fault is not triggered, also when the target fails', async () => {
  const faulty = withToolFaults(buildUser(0).target, { fault: timeout, rate: 1 });
  expect(await faulty.call(requestOf('?'), unbounded)).toMatchObject({ untouched: true });
  const failing = buildTarget(() => {
    throw new Error('out of memory');
  });
  const thrown: unknown = await withToolFaults(failing, { fault: timeout, rate: 1 })
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
  const transient = Array.from({ length: 20 }, (_, seed) => seed);
  for (const seed of transient) {
    const { target, seen } = buildUser(1);
    const faulty = withToolFaults(target, { fault: timeout, rate: undefined });
    const memory = {};
    for (const turn of [1, 2]) {
      await faulty.call(requestOf('?', { seed, session: { id: 's', turn, memory } }), unbounded);
    }
    await faulty.call(requestOf('?', { seed, session: { id: 't', turn: 1, memory: {} } }), unbounded);
    const [first, second, ofAnother] = seen.map(({ fault }) => fault);
    expect([first, ofAnother]).toEqual(['timeout', 'timeout']);
    expect([undefined, 'timeout']).toContain(second);
  }
});

test('limits and session endings of the target stay; it is opened and closed once, with the target itself', async () => {
  const ended: string[] = [];
  const target = buildTarget(() => 'x', {
    maxConcurrency: 2,
    hasToolsInReach: true,
    endSession: async (id) => void ended.push(id),
    open: async () => {},
    close: async () => {},
  });
  const faulty = withToolFaults(target, { fault: timeout, rate: 1 });
  await faulty.endSession?.('s');
  expect(ended).toEqual(['s']);
  expect(faulty).toMatchObject({ maxConcurrency: 2, hasToolsInReach: true });
  expect(faulty).not.toHaveProperty('open');
  expect(faulty).not.toHaveProperty('close');
});

test('a stopped call is not a failure of the target, whatever error it throws', async () => {
  const controller = new AbortController();
  const stopped = buildTarget(() => {
    controller.abort(new TargetFailure('timeout', 'no answer within 5 ms'));
    throw new DOMException('This operation was aborted', 'AbortError');
  });
  const called = withToolFaults(stopped, { fault: timeout, rate: 1 }).call(requestOf('?'), controller);
  await expect(called).rejects.toMatchObject({ code: 'timeout', message: 'no answer within 5 ms' });
});

const uses = ['search', 'query', 'search', 'search', 'query', 'list'];

function faulted(seed: number, rate?: number): boolean[] {
  const schedule = createFaultSchedule({ seed, kind: 'timeout', rate });
  return uses.map((tool) => schedule(tool) !== undefined);
}

test('without a rate, half of the conversations are faulted at the first use of each tool, the others at every use', () => {
  const all = Array.from({ length: 200 }, (_, seed) => faulted(seed));
  const permanent = all.filter((uses) => uses.every(Boolean));
  const transient = all.filter((uses) => !uses.every(Boolean));
  expect(permanent.length).toBeGreaterThan(75);
  expect(permanent.length).toBeLessThan(125);
  for (const uses of transient) expect(uses).toEqual([true, true, false, false, false, true]);
});

test('with a rate, that share of the uses is faulted', () => {
  const all = Array.from({ length: 2000 }, (_, seed) => faulted(seed, 0.3)).flat();
  expect(all.filter(Boolean).length / all.length).toBeCloseTo(0.3, 1);
  expect(faulted(1, 1)).toEqual(uses.map(() => true));
});

test('the same seed faults the same uses, with the same random numbers', () => {
  const draw = () => {
    const schedule = createFaultSchedule({ seed: 7, kind: 'error', rate: 0.7 });
    return uses.map((tool) => schedule(tool)?.next());
  };
  expect(draw()).toEqual(draw());
});

test('two kinds of faults affect different uses', () => {
  const of = (kind: string) =>
    Array.from(
      { length: 50 },
      (_, seed) => createFaultSchedule({ seed, kind, rate: 0.5 })('search') !== undefined,
    );
  expect(of('timeout')).not.toEqual(of('empty'));
});
