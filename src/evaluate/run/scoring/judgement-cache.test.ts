import { expect, onTestFinished, test, vi } from 'vitest';
import type { JudgeContext, JudgementCache } from '../../judges/judge.ts';
import type { Judgement, JudgementDraft } from '../../../core/schema/judgement.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { createJudgementCache } from './judgement-cache.ts';

const draft = (key: string, second = 0): JudgementDraft => ({
  key,
  judge: { name: 'judge', fingerprint: 'f' },
  question: { id: 'relevance@1', shape: 'score', sample: 1 },
  askedAt: `2026-01-02T03:04:0${second}.000Z`,
  outcome: { status: 'answered', answer: { reason: 'so', score: 1 } },
  calls: [],
});

async function createTwoRuns() {
  const store = createMemoryStore();
  for (const id of ['first', 'second']) await store.createRun(buildRun({ id }));
  return store;
}

test('judgements of one turn are written at once, each with its own id', async () => {
  const store = await createTwoRuns();
  const writes: number[] = [];
  const listening = {
    ...store,
    addJudgements: async (runId: string, judgements: readonly Judgement[]) => {
      writes.push(judgements.length);
      await store.addJudgements(runId, judgements);
    },
  };
  const keeper = createJudgementCache('first', { store: listening, reuses: true });
  const kept = await Promise.all(['a', 'b', 'c'].map(async (key) => await keeper.keep(draft(key))));
  await keeper.keep(draft('d'));
  expect(writes).toEqual([3, 1]);
  expect(new Set(kept.map(({ id }) => id)).size).toBe(3);
  expect(kept[0]).toMatchObject({ key: 'a', askedIn: 'first' });
});

const noAnswer = async () => 'asked' as const;
const never = { signal: new AbortController().signal };

/**
 * Asks a question whose answer takes until the test releases it, in a claimed run, and the same question in another
 * run.
 */
async function askTwice(
  limits: Pick<JudgeContext, 'signal' | 'stop'> = never,
  onNotice = (_notice: { readonly message: string }) => {},
) {
  const store = await createTwoRuns();
  const die = await store.claimRun('first');
  const [first, second] = ['first', 'second'].map((id) =>
    createJudgementCache(id, { store, reuses: true, onNotice }),
  ) as [JudgementCache, JudgementCache];
  const asked = Promise.withResolvers<JudgementDraft | 'nothing'>();
  const mine = first.findOrAsk(
    'a',
    async () => {
      const said = await asked.promise;
      return said === 'nothing' ? said : await first.keep(said);
    },
    never,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  let calls = 0;
  const ask = async () => {
    calls += 1;
    return 'asked again' as const;
  };
  const theirs = second.findOrAsk('a', ask, limits);
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { store, die, mine, theirs, say: asked.resolve, calls: () => calls, second };
}

test('a question that another run is asking is awaited, and not asked', async () => {
  const { mine, theirs, say, calls, store } = await askTwice();
  say(draft('a'));
  expect(await theirs).toEqual(await mine);
  expect(calls()).toBe(0);
  expect(await store.takeQuestions('second', ['a'])).toEqual([{ runId: 'second', part: '' }]);
});

test('questions of one turn are locked at once, so that no other run can come in between', async () => {
  const store = await createTwoRuns();
  const taken: (readonly string[])[] = [];
  const listening = {
    ...store,
    takeQuestions: async (runId: string, keys: readonly string[]) => {
      taken.push(keys);
      return await store.takeQuestions(runId, keys);
    },
  };
  const keeper = createJudgementCache('first', { store: listening, reuses: true });
  await Promise.all(['a', 'b', 'c'].map(async (key) => await keeper.findOrAsk(key, noAnswer, never)));
  expect(taken).toEqual([['a', 'b', 'c']]);
});

test('a question that another run has answered by the time it is locked is not asked', async () => {
  const store = await createTwoRuns();
  const other = createJudgementCache('first', { store, reuses: true });
  const answeredMeanwhile = {
    ...store,
    takeQuestions: async (runId: string, keys: readonly string[]) => {
      await other.keep(draft('a'));
      return await store.takeQuestions(runId, keys);
    },
  };
  const keeper = createJudgementCache('second', { store: answeredMeanwhile, reuses: true });
  expect(await keeper.findOrAsk('a', noAnswer, never)).toMatchObject({ askedIn: 'first' });
});

test('a long wait for the answer of another run gives one notice', async () => {
  const notices: string[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] });
  onTestFinished(() => void vi.useRealTimers());
  const asking = askTwice(never, ({ message }) => notices.push(message));
  await vi.advanceTimersByTimeAsync(4000);
  const { theirs, say } = await asking;
  expect(notices).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(notices).toEqual(['Run first is asking a judge the same questions. Waiting for its answers.']);
  say(draft('a'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(await theirs).toMatchObject({ askedIn: 'first' });
});

test('a question that another run asked without an answer is then asked by one run', async () => {
  const { mine, theirs, say, calls } = await askTwice();
  expect(calls()).toBe(0);
  say('nothing');
  expect([await mine, await theirs, calls()]).toEqual(['nothing', 'asked again', 1]);
});

test('a question that a dead process was asking is asked by the next run', async () => {
  const { theirs, die, calls } = await askTwice();
  expect(calls()).toBe(0);
  await die[Symbol.asyncDispose]();
  expect([await theirs, calls()]).toEqual(['asked again', 1]);
});

test('a wait for the answer of another run can be stopped, and a failed question is released', async () => {
  for (const signal of ['signal', 'stop'] as const) {
    const stop = new AbortController();
    const { theirs, calls } = await askTwice({ ...never, [signal]: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(theirs).rejects.toThrow('stopped');
    expect(calls()).toBe(0);
  }
  const { second, store } = await askTwice();
  const fail = async () => await Promise.reject(new Error('broken'));
  await expect(second.findOrAsk('b', fail, never)).rejects.toThrow('broken');
  expect(await store.takeQuestions('first', ['b'])).toEqual([{ runId: 'first', part: '' }]);
});

test('answers of other runs count only when reuse is on, answers of the same run always', async () => {
  const store = await createTwoRuns();
  const [before] = [await createJudgementCache('first', { store, reuses: true }).keep(draft('a'))];
  const find = async (keeper: JudgementCache) => await keeper.findOrAsk('a', noAnswer, never);
  expect(await find(createJudgementCache('second', { store, reuses: true }))).toEqual(before);
  const anew = createJudgementCache('second', { store, reuses: false });
  expect(await find(anew)).toBe('asked');
  const again = await anew.keep(draft('a', 1));
  expect(await find(anew)).toEqual(again);
  expect(await Array.fromAsync(store.readJudgements('first'))).toEqual([before]);
  await createJudgementCache('first', { store, reuses: false }).keep(draft('a', 2));
  expect(await find(anew)).toEqual(again);
});

test('judgements that cannot be written are not taken for kept', async () => {
  const store = createMemoryStore();
  const keeper = createJudgementCache('gone', { store, reuses: true });
  await expect(keeper.keep(draft('a'))).rejects.toMatchObject({ code: 'run-not-found' });
});

test('of two parts of one run that need the same answer, one asks, and the other one takes it', async () => {
  const store = await createTwoRuns();
  const parts = await Promise.all(
    ['bot.0', 'bot.200'].map(async (part) => await store.claimRun('first', part)),
  );
  const [one, other] = ['bot.0', 'bot.200'].map((part) =>
    createJudgementCache('first', { store, reuses: false, part }),
  ) as [JudgementCache, JudgementCache];
  const said = Promise.withResolvers<void>();
  let calls = 0;
  const askBy = (cache: JudgementCache) => async () => {
    calls += 1;
    await said.promise;
    return await cache.keep(draft('a'));
  };
  const mine = one.findOrAsk('a', askBy(one), never);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const theirs = other.findOrAsk('a', askBy(other), never);
  await new Promise((resolve) => setTimeout(resolve, 30));
  said.resolve();
  expect(await theirs).toEqual(await mine);
  expect(calls).toBe(1);
  for (const part of parts) await part[Symbol.asyncDispose]();
});

test('a question of a part whose process died is asked by another part', async () => {
  const store = await createTwoRuns();
  const dead = await store.claimRun('first', 'bot.0');
  await store.takeQuestions('first', ['a'], 'bot.0');
  const cache = createJudgementCache('first', { store, reuses: true, part: 'bot.200' });
  const answer = cache.findOrAsk('a', noAnswer, never);
  await new Promise((resolve) => setTimeout(resolve, 30));
  await dead[Symbol.asyncDispose]();
  expect(await answer).toBe('asked');
});
