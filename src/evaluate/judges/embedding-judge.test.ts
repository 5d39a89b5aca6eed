import { getEventListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Embedder, EmbedReply } from '../models/embedder.ts';
import { ModelFailure } from '../models/model-failure.ts';
import { judgementSchema } from '../../core/schema/judgement.ts';
import { createJudgementMemory } from '../../library/testing/build-records.ts';
import { createEmbeddingJudge, type EmbeddingJudgeSettings } from './embedding-judge.ts';
import type { JudgeQuestion } from './judge.ts';

type Embed = Embedder['embed'];

function createJudge(
  embed: Embed,
  settings: Partial<EmbeddingJudgeSettings> = {},
  parts: Partial<Embedder> = {},
) {
  const embedder: Embedder = { name: 'embed-1', fingerprint: 'embed-1', embed, ...parts };
  return createEmbeddingJudge(embedder, { timeLimitMs: 60_000, environment: {}, ...settings });
}

const about = (expected: string, answer: string, sample = 1): JudgeQuestion<'score'> => ({
  id: 'semantic-similarity@1',
  instructions: 'How near in meaning they are.',
  material: [
    { title: 'expected answer', text: expected },
    { title: 'answer', text: answer },
  ],
  shape: 'score',
  sample,
});

const right: Embed = async (texts) => ({ vectors: texts.map((_, index) => [1, index]) });

test('texts, tokens, cost and every request are kept', async () => {
  const attempts = [
    { startedAt: '2026-01-01T00:00:00.000Z', waitedMs: 0, latencyMs: 5, status: 429 },
    { startedAt: '2026-01-01T00:00:01.000Z', waitedMs: 1000, latencyMs: 7, status: 200 },
  ];
  const usage = { inputTokens: 12, outputTokens: 0 };
  const judge = createJudge(async (texts, context) => ({
    ...(await right(texts, context)),
    usage,
    cost: 0.25,
    model: 'embed-1-2026',
    attempts,
  }));
  const { context, kept } = await createJudgementMemory();
  expect(await judge.ask(about('b', 'a'), context())).toMatchObject({
    status: 'answered',
    ballots: [
      { judge: 'embed-1', answer: { score: expect.closeTo(Math.SQRT1_2, 12), reason: 'cosine 0.7071' } },
    ],
  });
  expect(judgementSchema.parse(kept[0])).toEqual(kept[0]);
  expect(kept[0]?.calls).toMatchObject([
    {
      model: 'embed-1',
      answeredBy: 'embed-1-2026',
      prompt: [{ content: 'b' }, { content: 'a' }],
      reply: '2 vectors of 2 numbers',
      usage,
      cost: 0.25,
      latencyMs: 7,
      attempts,
    },
  ]);
});

test('opposite texts have a score of 0, and the measured cosine', async () => {
  const judge = createJudge(async () => ({
    vectors: [
      [1, 0],
      [-1, 0],
    ],
  }));
  const { context } = await createJudgementMemory();
  expect(await judge.ask(about('b', 'a'), context())).toMatchObject({
    ballots: [{ answer: { score: 0, reason: 'cosine -1.0000' } }],
  });
});

test('no secret of the environment is sent or kept', async () => {
  const sent: string[] = [];
  const judge = createJudge(
    async (texts, context) => {
      sent.push(...texts);
      return await right(texts, context);
    },
    { environment: { BOT_TOKEN: 'tok-0123456789abcdef' } },
  );
  const { context, kept } = await createJudgementMemory();
  await judge.ask(about('b', 'it is tok-0123456789abcdef'), context());
  expect(sent).toEqual(['b', 'it is [BOT_TOKEN]']);
  expect(JSON.stringify(kept)).not.toContain('0123456789');
});

test("no secret in the error of a user's own embedder is kept", async () => {
  const judge = createJudge(
    async () => {
      throw new Error('tok-0123456789abcdef was refused');
    },
    { environment: { BOT_TOKEN: 'tok-0123456789abcdef' } },
  );
  const { context, kept } = await createJudgementMemory();
  const answer = await judge.ask(about('b', 'a'), context());
  expect(answer).toMatchObject({ status: 'failed', reason: '[BOT_TOKEN] was refused' });
  expect(JSON.stringify([answer, kept])).not.toContain('0123456789');
});

test('vectors that cannot be compared are not an outage', async () => {
  let calls = 0;
  const judge = createJudge(async (texts) => {
    calls += 1;
    return { vectors: texts.map(() => [0, 0]) };
  });
  const { context } = await createJudgementMemory();
  for (let round = 1; round <= 25; round += 1) await judge.ask(about('b', `answer ${round}`), context());
  expect(calls).toBe(25);
});

test('every thrown error becomes an answer with its reason; after 20 in a row the embedder is not asked any more', async () => {
  let calls = 0;
  const judge = createJudge(async () => {
    calls += 1;
    throw calls === 1 ? new ModelFailure('unauthorized', '401: wrong key') : new Error('gone');
  });
  const { context } = await createJudgementMemory();
  const ask = async (answer: string) => await judge.ask(about('b', answer), context());
  expect(await ask('a')).toMatchObject({
    status: 'failed',
    code: 'judge-unauthorized',
    reason: '401: wrong key',
  });
  expect(await ask('c')).toMatchObject({ code: 'judge-model-threw', reason: 'gone' });
  for (let round = 3; round <= 30; round += 1) await ask(`answer ${round}`);
  expect(calls).toBe(20);
  expect(await ask('d')).toMatchObject({ code: 'judge-given-up', reason: expect.stringContaining('gone') });
});

test('it scores two texts and nothing else', async () => {
  const judge = createJudge(right);
  const { context } = await createJudgementMemory();
  const one = { ...about('b', 'a'), material: [{ title: 'answer', text: 'a' }] };
  const failed = { status: 'failed', code: 'judge-not-comparable' };
  expect(await judge.ask(one, context())).toMatchObject(failed);
  expect(await judge.ask({ ...about('b', 'a'), shape: 'verdict' }, context())).toMatchObject(failed);
});

test('an embedder that ignores its signal is given up; waiting for a turn does not count as time', async () => {
  const { context } = await createJudgementMemory();
  const hanging = createJudge(() => new Promise(() => {}), { timeLimitMs: 20 });
  expect(await hanging.ask(about('b', 'a'), context())).toMatchObject({
    status: 'failed',
    code: 'judge-timeout',
    reason: 'no vectors within 20 ms',
  });
  const waiting = createJudge(
    async (texts, { onWaiting, signal }) => {
      onWaiting?.(true);
      await wait(100);
      onWaiting?.(false);
      return await right(texts, { signal });
    },
    { timeLimitMs: 50 },
  );
  expect(await waiting.ask(about('b', 'c'), context())).toMatchObject({ status: 'answered' });
  const aborted = new AbortController();
  const asked = createJudge(() => new Promise(() => {})).ask(about('b', 'd'), context(aborted.signal));
  setTimeout(() => aborted.abort(new Error('at once')), 20);
  await expect(asked).rejects.toThrow('at once');
});

test('a question that waits when the run is stopped is not asked, and not kept', async () => {
  const { context, kept } = await createJudgementMemory();
  const stop = new AbortController();
  let notAsked = 0;
  const judge = createJudge(async (_texts, { onWaiting, signal }) => {
    onWaiting?.(true);
    setTimeout(() => stop.abort(), 20);
    return await new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new ModelFailure('cancelled', 'the call was stopped')));
    });
  });
  const patient = { ...context(), stop: stop.signal, onNotAsked: () => (notAsked += 1) };
  expect(await judge.ask(about('b', 'a'), patient)).toMatchObject({ code: 'judge-not-asked' });
  expect([notAsked, kept]).toEqual([1, []]);
});

test('an estimate counts each text of a trial once, and is unknown without a price', async () => {
  const questions = [about('one expected', 'an answer.'), about('another one.', 'an answer.')];
  const priceOf = async ({ inputTokens = 0 }) => inputTokens / 2;
  const priced = await createJudge(right, {}, { priceOf }).estimate(questions);
  expect(priced).toEqual({ calls: 1, inputTokens: 9, outputTokens: 0, cost: 4.5 });
  expect(await createJudge(right).estimate(questions)).toMatchObject({ calls: 1, cost: undefined });
});

test('an estimate counts the answer beside the expected answer, even when a dry run uses the same text for both', async () => {
  const estimate = await createJudge(right).estimate([about('Two cats.', 'Two cats.')]);
  expect(estimate).toMatchObject({ calls: 1, inputTokens: Math.ceil(18 / 4) });
});

test('a finished call no longer listens to any signal, so none of it stays in memory', async () => {
  const signals: AbortSignal[] = [];
  const judge = createJudge(async (texts, context) => {
    signals.push(context.signal);
    return await right(texts, context);
  });
  const { context } = await createJudgementMemory();
  await judge.ask(about('b', 'a'), context());
  expect(signals.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[]]);
});

test.each([
  ['cost', { cost: Number.NaN }],
  ['cost', { cost: -5 }],
  ['usage.inputTokens', { usage: { inputTokens: '12' } }],
  ['answeredBy', { model: 5 }],
  ['attempts.0.startedAt', { attempts: [{}] }],
])('a %s that cannot be stored or counted is not a reply', async (field, parts) => {
  const judge = createJudge(
    async (texts, context) => ({ ...(await right(texts, context)), ...parts }) as EmbedReply,
  );
  const { context, kept } = await createJudgementMemory();
  const answer = await judge.ask(about('b', 'a'), context());
  expect(answer).toMatchObject({
    code: 'judge-invalid-reply',
    reason: expect.stringContaining(`the ${field} that the model reports is unusable`),
  });
  expect(kept.map((judgement) => judgementSchema.safeParse(judgement).success)).toEqual([true]);
});

test('requests made before a call was given up are kept', async () => {
  const attempts = [{ startedAt: '2026-01-01T00:00:00.000Z', waitedMs: 0, latencyMs: 5, status: 429 }];
  const stop = new AbortController();
  const refused: Embed = async (_texts, { signal, onWaiting }) => {
    onWaiting?.(true);
    setTimeout(() => stop.abort());
    await wait(10_000, undefined, { signal }).catch(() => {});
    throw new ModelFailure('cancelled', 'the call was stopped', { attempts });
  };
  const { context, kept } = await createJudgementMemory();
  const patient = { ...context(), stop: stop.signal };
  expect(await createJudge(refused).ask(about('b', 'a'), patient)).toMatchObject({ code: 'judge-not-asked' });
  const slow: Embed = async (texts, { signal }) => await refused(texts, { signal });
  const hurried = createJudge(slow, { timeLimitMs: 20 });
  expect(await hurried.ask(about('b', 'c'), context())).toMatchObject({
    code: 'judge-timeout',
    reason: 'no vectors within 20 ms',
  });
  expect(kept.flatMap(({ calls }) => calls)).toMatchObject([
    { attempts, error: { code: 'not-asked' } },
    { attempts, error: { code: 'timeout' } },
  ]);
});

test('the model is opened and closed with the judge', async () => {
  const done: string[] = [];
  const open = async () => void done.push('open');
  const close = async () => void done.push('close');
  const judge = createJudge(right, {}, { open, close });
  await judge.open?.();
  await judge.close?.();
  expect(done).toEqual(['open', 'close']);
});
