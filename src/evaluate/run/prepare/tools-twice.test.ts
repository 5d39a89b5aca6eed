import { expect, test } from 'vitest';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { RunTools } from '../../../core/schema/tools/run-tools.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { createLocalExecutor } from '../../executors/local.ts';
import type { EvaluationTools } from '../evaluation.ts';
import { run } from '../run.ts';
import { neverStopped } from '../run-needs.ts';

const record: RunTools = { mode: 'observe', servers: ['orders'], fingerprint: 'f' };
const tools: EvaluationTools = {
  record,
  mayAct: true,
  isKeyed: true,
  fixedPorts: [],
  learn: async () => [],
  problemOf: () => undefined,
  acting: () => [],
  describe: () => 'orders',
  list: async () => [],
  report: () => ({ late: [], unattributed: [], unusedMocks: [], unusedResults: {}, isUntouched: false }),
  finish: async () => record,
};

test.for([
  { what: 'has no key', isKeyed: false, server: 'orders', isWarned: true },
  { what: 'has a key', isKeyed: true, server: 'orders', isWarned: false },
  { what: 'is a function of the bot', isKeyed: true, server: undefined, isWarned: true },
])('a resumed run says that a tool may act twice, unless it has a key: one that $what', async (row) => {
  const { isKeyed, server, isWarned } = row;
  const store = createMemoryStore();
  const call: ToolCall = { name: 'pay', arguments: {}, observed: true, from: 'tool' };
  if (server !== undefined) call.server = server;
  const bot = buildTarget(() => ({ answer: 'yes', toolCalls: [call] }));
  const cases = [{ id: 'q', input: 'Pay.', expected: { keywords: ['yes'] } }];
  const evaluation = buildEvaluation(cases, [resolvedTarget('bot', bot)], { tools: { ...tools, isKeyed } });
  const notices: string[] = [];
  const observer = { onNotice: ({ message }: { readonly message: string }) => void notices.push(message) };
  const needs = { store, executor: createLocalExecutor(), observer, signals: neverStopped };
  // A process that is killed leaves its run so.
  await store.updateRun({ ...(await run(evaluation, needs)), status: 'running' });
  const [head] = await store.listRuns();
  await run(evaluation, needs, await store.readRun(head?.id ?? ''));
  expect(notices.some((notice) => notice.includes('their tools may act twice'))).toBe(isWarned);
});
