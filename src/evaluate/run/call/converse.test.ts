import { expect, test } from 'vitest';
import type { Case } from '../../../core/schema/case.ts';
import type { Message } from '../../../core/schema/message.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import { type Target, TargetFailure, type TargetRequest } from '../../targets/target.ts';
import { buildCase } from '../../../library/testing/build-records.ts';
import { scriptedUser } from '../../users/scripted.ts';
import type { Move, User } from '../../users/user.ts';
import { converse } from './converse.ts';
import type { CallLimits } from './within-limits.ts';

const needs = {
  folder: '.',
  environment: {},
  resolveModel: () => expect.fail('no model is used'),
};

const scripted: User = scriptedUser.definition.create({}, needs);

/** Creates a user who makes these moves one after the other. */
function moves(...list: (Move | (() => Promise<Move>))[]): User {
  return {
    begin: () => {
      let place = 0;
      return {
        next: async () => {
          const move = list[Math.min(place++, list.length - 1)] as Move | (() => Promise<Move>);
          return typeof move === 'function' ? await move() : move;
        },
      };
    },
  };
}

const says = (message: string): Move => ({ type: 'says', message });

function specOf(parts: Partial<Case> = {}): TrialSpec {
  const base = { ordinal: 0, key: 'k'.repeat(32), caseHash: 'h', target: 'bot', attempt: 1, seed: 7 };
  return { ...base, case: buildCase({ input: 'one', user: { goal: 'all' }, ...parts }) };
}

const script = (...turns: string[]) => ({
  input: turns[0] as string,
  user: { script: turns.map((say) => ({ say })) },
});

async function talk(
  call: Target['call'],
  { parts, user = scripted, target = {}, limits = {} }: TalkParts = {},
) {
  const requests: TargetRequest[] = [];
  const watched: Target = {
    ...target,
    call: async (request, context) => {
      requests.push(structuredClone({ ...request, messages: [...request.messages] }));
      return await call(request, context);
    },
  };
  const all = { timeLimitMs: 60_000, maxRetries: 0, abort: new AbortController().signal, ...limits };
  const { trial } = await converse(specOf(parts), { target: watched, user }, all);
  return { trial, requests };
}

interface TalkParts {
  readonly parts?: Partial<Case>;
  readonly user?: User;
  readonly target?: Partial<Target>;
  readonly limits?: Partial<CallLimits>;
}

const echo: Target['call'] = async ({ input }) => ({ answer: `echo: ${input}`, toolCalls: [] });

test('user and target take turns, and each turn is asked with the whole conversation so far', async () => {
  const { trial, requests } = await talk(echo, { parts: script('one', 'two', 'three') });
  const said = (...contents: string[]): Message[] =>
    contents.flatMap((content) => [
      { role: 'user', content },
      { role: 'assistant', content: `echo: ${content}` },
    ]);
  expect(requests.map(({ messages }) => messages)).toEqual([
    said('one').slice(0, 1),
    said('one', 'two').slice(0, 3),
    said('one', 'two', 'three').slice(0, 5),
  ]);
  expect(requests.map(({ input }) => input)).toEqual(['one', 'two', 'three']);
  expect(trial).toMatchObject({
    status: 'completed',
    answer: 'echo: three',
    transcript: said('one', 'two', 'three'),
    conversation: {
      ended: 'script-over',
      turns: [
        { from: 0, script: 0 },
        { from: 2, script: 1 },
        { from: 4, script: 2 },
      ],
    },
  });
  expect(trial.spoilt).toBeUndefined();
});

test('all turns share one session with a memory of its own, and every attempt has a fresh one', async () => {
  const remember: Target['call'] = async ({ session }) => {
    session.memory['count'] = Number(session.memory['count'] ?? 0) + 1;
    return { answer: `${session.turn}: ${String(session.memory['count'])}`, toolCalls: [] };
  };
  const ended: string[] = [];
  const target = { endSession: async (id: string) => void ended.push(id) };
  const tries = [];
  for (let round = 0; round < 2; round += 1) {
    tries.push(await talk(remember, { parts: script('one', 'two', 'three'), target }));
  }
  const ids = tries.map(({ requests }) => new Set(requests.map(({ session }) => session.id)));
  expect(ids.map(({ size }) => size)).toEqual([1, 1]);
  expect(new Set(ids.flatMap((each) => [...each])).size).toBe(2);
  expect(ended).toEqual(ids.flatMap((each) => [...each]));
  for (const { trial, requests } of tries) {
    expect(trial.answer).toBe('3: 3');
    expect(new Set(requests.map(({ key }) => key)).size).toBe(3);
  }
});

test('tool calls go back to the target as it made them, without annotations of faults', async () => {
  const call = { id: '1', name: 'look', arguments: { a: 1 }, result: [] };
  const { trial, requests } = await talk(
    async () => ({ answer: 'done', toolCalls: [{ ...call, fault: 'empty', withheld: [1, 2] }] }),
    { parts: script('one', 'two') },
  );
  expect(requests[1]?.messages[1]).toEqual({ role: 'assistant', content: 'done', toolCalls: [call] });
  expect(trial.transcript[1]?.toolCalls?.[0]).toMatchObject({ fault: 'empty', withheld: [1, 2] });
});

test('only the new part of a reported transcript counts, and the instructions of the target come first, once', async () => {
  const { trial, requests } = await talk(
    async ({ messages, input }) => ({
      answer: `re ${input}`,
      toolCalls: [],
      transcript: [
        { role: 'system', content: 'Be kind.' },
        ...messages,
        { role: 'assistant', content: null, toolCalls: [{ name: 'look' }] },
        { role: 'assistant', content: `re ${input}` },
      ],
    }),
    { parts: script('one', 'two') },
  );
  expect(trial.transcript.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Be kind.'],
    ['user', 'one'],
    ['assistant', null],
    ['assistant', 're one'],
    ['user', 'two'],
    ['assistant', null],
    ['assistant', 're two'],
  ]);
  expect(trial.conversation?.turns.map(({ from }) => from)).toEqual([1, 4]);
  expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'user']);
});

test('usage of all turns is added up; what one turn does not report is unknown, never 0', async () => {
  const { trial } = await talk(
    async ({ session: { turn } }) => ({
      answer: 'x',
      toolCalls: [],
      usage: turn === 2 ? { inputTokens: 10 } : { inputTokens: 1, outputTokens: 2 },
      cost: 0.5,
      finishReason: turn === 3 ? 'length' : 'stop',
      retries: turn,
      latency: turn === 3 ? { totalMs: 30, stepsMs: [10, 20] } : { totalMs: turn },
      documents: [{ id: 'a', score: turn }, { id: `d${turn}` }],
      ...(turn === 2 && { state: { turn } }),
    }),
    { parts: script('one', 'two', 'three') },
  );
  expect(trial).toMatchObject({
    usage: { inputTokens: 12 },
    cost: 1.5,
    finishReason: 'length',
    retries: 6,
    latency: { totalMs: 33, stepsMs: [1, 2, 10, 20] },
    documents: [{ id: 'a', score: 1 }, { id: 'd1' }, { id: 'd2' }, { id: 'd3' }],
    state: { turn: 2 },
  });
  expect(trial.usage).not.toHaveProperty('outputTokens');
  expect(trial.conversation?.turns.map(({ documents }) => documents)).toEqual([
    ['a', 'd1'],
    ['a', 'd2'],
    ['a', 'd3'],
  ]);
});

test('a failed turn ends the conversation, and earlier messages and costs are kept', async () => {
  const { trial, requests } = await talk(
    async ({ session: { turn }, messages }) => {
      if (turn === 1) return { answer: 'well', toolCalls: [], cost: 0.25, logs: 'first' };
      const transcript: Message[] = [
        ...messages,
        { role: 'assistant', content: null, toolCalls: [{ name: 'look' }] },
      ];
      throw new TargetFailure('step-limit', 'no answer', {
        partial: { transcript, cost: 0.5 },
        logs: 'second',
      });
    },
    { parts: script('one', 'two', 'three') },
  );
  expect(requests).toHaveLength(2);
  expect(trial).toMatchObject({
    status: 'failed',
    answer: null,
    cost: 0.75,
    error: { code: 'step-limit', message: 'turn 2: no answer' },
    conversation: { ended: 'failed', turns: [{ from: 0 }, { from: 2 }] },
    logs: 'first\nsecond',
  });
  expect(trial.transcript.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
});

test('a transient failure is repeated within its turn, and the other turns are not asked twice', async () => {
  let lost = 2;
  const { trial, requests } = await talk(
    async (request, context) => {
      if (request.session.turn === 2 && lost-- > 0) {
        throw new TargetFailure('connection-lost', 'reset', { retryable: true, retryAfterMs: 1 });
      }
      return await echo(request, context);
    },
    { parts: script('one', 'two', 'three'), limits: { maxRetries: 2 } },
  );
  expect(requests.map(({ session }) => session.turn)).toEqual(
    [1, 2, 3, 4, 5].map((call) => [1, 2, 2, 2, 3][call - 1]),
  );
  expect(trial).toMatchObject({ status: 'completed', retries: 2, answer: 'echo: three' });
});

test('the time limit applies to each call, not to the conversation', async () => {
  const slow: Target['call'] = async (request, context) => {
    await new Promise((resolve) => setTimeout(resolve, request.session.turn === 3 ? 10_000 : 60));
    return await echo(request, context);
  };
  const { trial } = await talk(slow, { parts: script('one', 'two', 'three'), limits: { timeLimitMs: 150 } });
  expect(trial.error).toEqual({ code: 'timeout', message: 'turn 3: no answer within 150 ms' });
  expect(trial.conversation?.turns).toHaveLength(3);
});

test('the turn limit ends the conversation, and is not an error of the target', async () => {
  const { trial, requests } = await talk(echo, {
    parts: { user: { goal: 'all', turnLimit: 3 } },
    user: moves(says('and?')),
  });
  expect(requests.map(({ input }) => input)).toEqual(['one', 'and?', 'and?']);
  expect(trial).toMatchObject({
    status: 'completed',
    answer: 'echo: and?',
    conversation: { ended: 'turn-limit' },
  });
  const unlimited = await talk(echo, { user: moves(says('and?')) });
  expect(unlimited.requests).toHaveLength(20);
});

test('a user who is satisfied after the last turn can say so', async () => {
  const { trial } = await talk(echo, {
    parts: { user: { goal: 'all', turnLimit: 1 } },
    user: moves({ type: 'ends', ended: 'goal-met', reason: 'it is done' }),
  });
  expect(trial.conversation).toMatchObject({ ended: 'goal-met', reason: 'it is done' });
});

test('a user who writes the first message is asked before the target, and the goal is not sent', async () => {
  const { requests } = await talk(echo, {
    parts: { input: 'the goal', user: { goal: 'the goal', opens: true } },
    user: moves(says('hello'), { type: 'ends', ended: 'gave-up' }),
  });
  expect(requests.map(({ messages }) => messages)).toEqual([[{ role: 'user', content: 'hello' }]]);
});

test('an earlier conversation in the case comes before the first turn', async () => {
  const input: Message[] = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello' },
    { role: 'user', content: 'one' },
  ];
  const { trial, requests } = await talk(echo, {
    parts: { input, user: { script: [{ say: 'one' }, { say: 'two' }] } },
  });
  expect(requests[0]).toMatchObject({ input: 'one', messages: input });
  expect(requests[1]?.messages).toHaveLength(5);
  expect(trial.conversation?.turns.map(({ from }) => from)).toEqual([2, 4]);
});

test('a fault of the user invalidates the trial, is not sent to the target, and is not its failure', async () => {
  const { trial, requests } = await talk(echo, {
    user: moves(says('two'), { type: 'invalidates', kind: 'leaked', reason: 'said "ABC123"' }),
  });
  expect(requests.map(({ input }) => input)).toEqual(['one', 'two']);
  expect(trial).toMatchObject({
    status: 'completed',
    answer: 'echo: two',
    conversation: { ended: 'spoilt' },
    spoilt: { kind: 'leaked', reason: 'said "ABC123"' },
  });
});

test.each([
  ['throws', async () => await Promise.reject(new Error('no key')), 'no key'],
  ['never answers', async () => await new Promise<never>(() => {}), 'no answer within 30 ms'],
])('a user who %s invalidates the trial', async (_, move, reason) => {
  const { trial } = await talk(echo, { user: moves(move), limits: { timeLimitMs: 30 } });
  expect(trial).toMatchObject({
    status: 'completed',
    answer: 'echo: one',
    spoilt: { kind: 'user-failed', reason },
  });
});

test.each(['user', 'target'])(
  'a run that is stopped while the %s is working leaves a cancelled trial',
  async (who) => {
    const controller = new AbortController();
    const hang = async () => {
      setTimeout(() => controller.abort(), 10);
      return await new Promise<never>(() => {});
    };
    const { trial } = await talk(who === 'target' ? hang : echo, {
      user: moves(hang),
      limits: { abort: controller.signal },
    });
    expect(trial).toMatchObject({ status: 'cancelled', conversation: { ended: 'cancelled' } });
    expect(trial.spoilt).toBeUndefined();
  },
);

test('a session that cannot be ended is logged, and changes no answer', async () => {
  const target = { endSession: async () => await Promise.reject(new Error('gone')) };
  const { trial } = await talk(echo, { parts: script('one'), target });
  expect(trial).toMatchObject({ status: 'completed', logs: 'The session could not be ended: gone' });
});

test.each([
  ['an empty answer', { answer: '' }],
  ['a refusal', { refusal: true }],
])('a silent turn in the middle is right where the script expects %s of it', async (_what, expected) => {
  const spoken = script('one', 'two', 'three');
  const turns = spoken.user.script.map((turn, index) => (index === 1 ? { ...turn, expected } : turn));
  const parts = { ...spoken, user: { script: turns } };
  const { trial, requests } = await talk(
    async ({ input }) => ({ answer: input === 'two' ? ' ' : `${input}!`, toolCalls: [] }),
    { parts },
  );
  expect([trial.status, trial.answer]).toEqual(['completed', 'three!']);
  expect(trial.transcript.map(({ content }) => content)).toEqual([
    'one',
    'one!',
    'two',
    '',
    'three',
    'three!',
  ]);
  // What was not said is not sent again: some providers refuse empty messages.
  expect(requests[2]?.messages.map(({ content }) => content)).toEqual(['one', 'one!', 'two', 'three']);
});

test('silence is an error in a turn of which nothing, or words, are expected, and right in the last one of a case that expects it', async () => {
  const spoken = script('one', 'two', 'three');
  const silentIn = async (silent: string, parts: Partial<Case>) =>
    (
      await talk(async ({ input }) => ({ answer: input === silent ? '' : 'yes', toolCalls: [] }), {
        parts: { ...spoken, ...parts },
      })
    ).trial;
  expect(await silentIn('two', {})).toMatchObject({
    status: 'failed',
    error: { code: 'no-answer', message: expect.stringMatching(/^turn 2: The target gave no answer/) },
  });
  expect((await silentIn('two', { expected: { refusal: true } })).status).toBe('failed');
  expect(await silentIn('three', { expected: { refusal: true } })).toMatchObject({
    status: 'completed',
    answer: '',
  });
  const own = spoken.user.script.map((turn) => ({ ...turn, expected: { keywords: ['yes'] } }));
  expect((await silentIn('three', { expected: { refusal: true }, user: { script: own } })).status).toBe(
    'failed',
  );
});
