import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { http } from '../../targets/http.ts';
import { type Target, TargetFailure } from '../../targets/target.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import type { Evaluation } from '../evaluation.ts';
import { run } from '../run.ts';
import { neverStopped, type RunNeeds } from '../run-needs.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/**
 * Starts a bot behind HTTP that receives the name of its question: `q0`, `q1`, …. The returned function creates a
 * target for it.
 */
async function serveBot(answer: (caseId: string, reply: ServerResponse) => unknown): Promise<() => Target> {
  const server = createServer((request, reply) => {
    request.resume().on('end', () => answer(request.headers['x-case'] as string, reply));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { definition } = http;
  const options = definition.options.parse({ url, headers: { 'x-case': '{{caseId}}' } });
  return () =>
    definition.create(options, {
      folder: '.',
      environment: {},
      readRows: () => expect.fail('no rows are read'),
      resolveModel: () => expect.fail('no model is used'),
    });
}

const yes = JSON.stringify({ answer: 'yes' });
const refuse = (reply: ServerResponse) => reply.writeHead(429, { 'retry-after': '60' }).end();

function prepare() {
  const stop = new AbortController();
  const needs: RunNeeds = {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: {},
    signals: { ...neverStopped, stop: stop.signal },
  };
  return { needs, stop };
}

function evaluationOf(bot: Target, cases: readonly object[], settings: Partial<Evaluation['settings']> = {}) {
  const drafts = cases.map((parts, index) => ({ id: `q${index}`, input: 'Is it?', ...parts }));
  const all = { concurrency: 4, timeLimitMs: 60_000, maxRetries: 3, ...settings };
  return buildEvaluation(drafts, [resolvedTarget('bot', bot)], { settings: all });
}

const fewCases = [{}, {}, {}, {}];

test('refused calls that wait when a run is stopped are not run; calls in flight are finished, and the rest is resumed', async () => {
  const { needs, stop } = prepare();
  const asked: string[] = [];
  let isOpen = false;
  const bot = await serveBot(async (caseId, reply) => {
    asked.push(caseId);
    if (!isOpen && caseId !== 'q0') return refuse(reply);
    // The last question to be sent: all others have been refused by then.
    while (asked.length < 4) await wait(5);
    if (!isOpen) setTimeout(() => stop.abort(), 50);
    await wait(isOpen ? 0 : 300);
    return reply.end(yes);
  });
  const first = await run(evaluationOf(bot(), fewCases), needs);
  // After a minute, they would be asked again.
  expect(asked).toHaveLength(4);
  const counts = { measured: 1, notRun: 3, errors: 0, cancelled: 0 };
  expect(first).toMatchObject({ status: 'interrupted', summary: { targets: [{ counts }] } });
  isOpen = true;
  const again = { ...needs, signals: neverStopped };
  const second = await run(evaluationOf(bot(), fewCases), again, first);
  expect(second.summary?.targets[0]?.counts).toMatchObject({ measured: 4, notRun: 0 });
  expect(asked.filter((caseId) => caseId === 'q0')).toHaveLength(1);
});

test('a call that is refused after its run was stopped is not awaited', async () => {
  const { needs } = prepare();
  const asked: string[] = [];
  const bot = await serveBot(async (caseId, reply) => {
    asked.push(caseId);
    await wait(200);
    return refuse(reply);
  });
  const finished = await run(evaluationOf(bot(), [{}], { maxDurationMs: 100 }), needs);
  expect(asked.length).toBeLessThan(2);
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ notRun: 1, errors: 0, cancelled: 0 });
});

test('the pause before a repeat ends with the run: the trial is not run, and can be resumed', async () => {
  const { needs, stop } = prepare();
  let isBroken = true;
  const bot = buildTarget(() => {
    if (!isBroken) return 'yes';
    setTimeout(() => stop.abort(), 50);
    throw new TargetFailure('server-error', 'broken', { retryable: true, retryAfterMs: 60_000 });
  });
  const first = await run(evaluationOf(bot, [{}]), needs);
  expect(bot.calls).toHaveLength(1);
  expect(first).toMatchObject({
    status: 'interrupted',
    summary: { targets: [{ counts: { notRun: 1, errors: 0 } }] },
  });
  isBroken = false;
  const second = await run(evaluationOf(bot, [{}]), { ...needs, signals: neverStopped }, first);
  expect(second.summary?.targets[0]?.counts).toMatchObject({ measured: 1, notRun: 0 });
});

test('a conversation with an answer is finished, also when a later turn is refused', async () => {
  const { needs, stop } = prepare();
  const turns: string[] = [];
  const bot = await serveBot((caseId, reply) => {
    turns.push(caseId);
    if (turns.length !== 2) return reply.end(yes);
    setTimeout(() => stop.abort(), 50);
    return reply.writeHead(429, { 'retry-after-ms': '300' }).end();
  });
  const talk = [{ user: { script: [{ say: 'Is it?' }, { say: 'Really?' }, { say: 'Sure?' }] } }];
  const finished = await run(evaluationOf(bot(), talk), needs);
  expect(turns).toHaveLength(4);
  const [result] = await Array.fromAsync(needs.store.readResults(finished.id));
  expect(result?.trial).toMatchObject({ status: 'completed', conversation: { ended: 'script-over' } });
});

test('a call that was answered once continues when it is refused later', async () => {
  const { needs, stop } = prepare();
  const bot = buildTarget(async (_request, { onWaiting, signal }) => {
    const waitInTurn = async (milliseconds: number, isRepeat?: boolean) => {
      onWaiting?.(true, isRepeat);
      await wait(milliseconds, undefined, { signal }).finally(() => onWaiting?.(false));
    };
    await waitInTurn(0);
    await waitInTurn(0, true); // The first request was refused once, and then answered.
    await waitInTurn(0);
    stop.abort();
    await waitInTurn(100, true);
    return 'yes';
  });
  const finished = await run(evaluationOf(bot, [{}]), needs);
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ measured: 1, notRun: 0 });
});
