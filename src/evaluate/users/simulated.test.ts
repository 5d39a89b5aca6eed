import { afterAll, expect, test } from 'vitest';
import type { ChatModel } from '../models/model.ts';
import { scripted } from '../models/scripted.ts';
import { type CaseUser, playedUserSchema } from '../../core/schema/conversation.ts';
import type { Message } from '../../core/schema/message.ts';
import { buildCase } from '../../library/testing/build-records.ts';
import { type ModelServer, startModelServer } from '../../library/testing/model-server/model-server.ts';
import type { ModelScript } from '../../library/testing/model-server/script.ts';
import { modelAt, prepare, protocols } from '../../../test/support/prepare-target.ts';
import { contractGoodbye, contractSaying, testUserContract } from '../../library/testing/user-contract.ts';
import { simulatedUser } from './simulated.ts';
import type { Move, Part } from './user.ts';

const unbounded = { signal: new AbortController().signal };
const { definition } = simulatedUser;

const turn = (message: string, status = message === '' ? 'goal-met' : 'goes-on') =>
  JSON.stringify({ reason: 'So it stands.', status, message });

/** Creates a simulated user whose model answers by a script. */
function play(model: ChatModel, options: object = {}) {
  const needs = { folder: '.', environment: {}, resolveModel: () => model };
  return definition.create(definition.options.parse({ model: 'the one', ...options }), needs);
}

const byRules = (...rules: { when?: string; reply: string }[]): ChatModel =>
  scripted.definition.create(scripted.definition.options.parse({ rules }), { folder: '.', environment: {} });

testUserContract(
  'simulated-user',
  () => play(byRules({ when: contractGoodbye, reply: turn('') }, { reply: turn(contractSaying) })),
  { test, expect },
);

const conversation: Message[] = [
  { role: 'system', content: 'SYSTEM OF THE TARGET' },
  { role: 'user', content: 'Hello.' },
  {
    role: 'assistant',
    content: null,
    reasoning: 'A THOUGHT',
    toolCalls: [{ name: 'a_tool', result: 'A RESULT' }],
  },
  { role: 'assistant', content: 'What do you need?' },
];

const partOf = (user: CaseUser, expected = {}): Part => ({
  user,
  case: buildCase({ user, expected }),
  attempt: 1,
  seed: 3_000_000_001,
});

const server: ModelServer = await startModelServer();
const surroundings = await prepare({});
afterAll(async () => {
  await surroundings[Symbol.asyncDispose]();
  await server.close();
});

/** Returns one move of a user whose model is called over HTTP, and its record. */
async function moveOver(
  modelScript: ModelScript,
  parts: { user?: CaseUser; expected?: object; options?: object; protocol?: (typeof protocols)[number] } = {},
) {
  server.play(modelScript);
  const { user = { goal: 'A room.' }, expected, options = {}, protocol } = parts;
  const model = surroundings.resolveModel(modelAt(server.url, protocol));
  const speaker = play(model, options).begin(partOf(user, expected));
  const move = await speaker.next(conversation, unbounded);
  return { move, played: playedUserSchema.parse(speaker.played?.()), requests: [...server.requests] };
}

test.each(protocols)(
  '%s: the model receives its part and the conversation, and the call is recorded',
  async (protocol) => {
    const usage = { inputTokens: 200, outputTokens: 20 };
    const user = {
      goal: 'A room on Tuesday.',
      persona: 'Ana, in a hurry.',
      knowledge: ['The meeting takes an hour.'],
      secrets: ['ROOM-77'],
      patience: 4,
      language: 'Swiss German',
    };
    const { move, played, requests } = await moveOver(
      { text: turn('A room, please.'), reasoning: 'Hm.', usage },
      { user, protocol },
    );
    expect(move).toEqual({ type: 'says', message: 'A room, please.' });
    const [request] = requests;
    for (const part of [
      'A room on Tuesday.',
      'Ana, in a hurry.',
      'The meeting takes an hour.',
      'After 4 answers',
      'Swiss German',
    ]) {
      expect(request?.system).toContain(part);
    }
    expect(request?.prompt).toMatch(
      /<<<[0-9a-f]{16} you 1>>>\nHello\.\n[^]*<<<[0-9a-f]{16} other side 2>>>\nWhat do you need\?\n/,
    );
    const sent = JSON.stringify(request?.body);
    for (const hidden of ['ROOM-77', 'SYSTEM OF THE TARGET', 'A THOUGHT', 'A RESULT', 'a_tool'])
      expect(sent).not.toContain(hidden);
    expect(played).toMatchObject({
      model: 'test-model',
      system: request?.system,
      promptVersion: 1,
      usage,
      calls: [{ reply: turn('A room, please.'), reasoning: 'Hm.', usage, latencyMs: expect.any(Number) }],
    });
    expect(played.cost).toBeUndefined();
  },
);

test("the trial's seed goes to the model in 31 bits, unless the option is off", async () => {
  const seeded = await moveOver(turn('x y'));
  expect(seeded.requests[0]?.body['seed']).toBe(3_000_000_001 & 0x7fff_ffff);
  const unseeded = await moveOver(turn('x y'), {
    options: { seed: false, temperature: 0.3, maxTokens: 300 },
  });
  expect(unseeded.requests[0]?.body).not.toHaveProperty('seed');
  expect(unseeded.requests[0]?.body).toMatchObject({ temperature: 0.3 });
});

test.each<[string, string, Move]>([
  ['goal-met', turn('Thanks!', 'goal-met'), { type: 'ends', ended: 'goal-met', reason: 'So it stands.' }],
  ['gave-up', turn('', 'gave-up'), { type: 'ends', ended: 'gave-up', reason: 'So it stands.' }],
  ['in a code fence', `\`\`\`json\n${turn('Yes.')}\n\`\`\``, { type: 'says', message: 'Yes.' }],
])('%s: reads a reply', async (_, reply, move) => {
  expect((await moveOver(reply)).move).toEqual(move);
});

const invalidates = (kind: string, reason: RegExp) => ({
  type: 'invalidates',
  kind,
  reason: expect.stringMatching(reason),
});

test.each<[string, ModelScript, object]>([
  ['no JSON', 'I need a room.', invalidates('broke-format', /not one JSON object/)],
  ['words around it', `Sure: ${turn('x')}`, invalidates('broke-format', /not one JSON object/)],
  ['another status', turn('x', 'done'), invalidates('broke-format', /"status"/)],
  [
    'another key',
    '{"reason":"","status":"goes-on","message":"x","score":1}',
    invalidates('broke-format', /score/),
  ],
  ['no text', '{"reason":"","status":"goes-on","message":1}', invalidates('broke-format', /"message"/)],
  ['cut off', { text: '{"reason":"', finishReason: 'length' }, invalidates('broke-format', /cut off/)],
  ['too long', turn('word '.repeat(5000)), invalidates('broke-format', /25000 characters/)],
  ['nothing said', turn('', 'goes-on'), invalidates('empty-message', /without saying/)],
  ['nothing to be seen', turn('\u200b\u0000 \n', 'goes-on'), invalidates('empty-message', /without saying/)],
  ['a tool', { toolCalls: [{ name: 'book', arguments: {} }] }, invalidates('played-assistant', /tool book/)],
  [
    'the words of the other side',
    turn('How can I help you today?'),
    invalidates('played-assistant', /How can I help you/),
  ],
])(
  '%s: informs the model of the first fault, and the second one invalidates the conversation',
  async (_, reply, expected) => {
    const { move, played, requests } = await moveOver(reply);
    expect(move).toEqual(expected);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.prompt).toMatch(/^That cannot stand: as the user you /);
    expect(played.calls.map(({ error }) => error?.code)).toEqual([
      (expected as { kind: string }).kind,
      (expected as { kind: string }).kind,
    ]);
  },
);

test('a corrected fault is recorded and invalidates nothing', async () => {
  const { move, played } = await moveOver(['I need a room.', turn('I need a room.')]);
  expect(move).toEqual({ type: 'says', message: 'I need a room.' });
  expect(played.calls.map(({ error }) => error?.code)).toEqual(['broke-format', undefined]);
});

test("the model's reply is data: recorded as received and said unchanged", async () => {
  for (const message of [
    '\u001b[31mred\u001b[0m',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '${process.exit()}',
    'nul \u0000 in it',
  ]) {
    const { move, played } = await moveOver(turn(message));
    expect(move).toEqual({ type: 'says', message });
    expect(played.calls[0]?.reply).toBe(turn(message));
  }
  const { move } = await moveOver(`{"reason": "", "status": "goes-on", "message": "lone \\ud800 half"}`);
  expect(move).toEqual({ type: 'says', message: 'lone \ufffd half' });
});

test('a model that does not answer is a failure, with its calls recorded', async () => {
  server.play({ fault: 'error', status: 401 });
  const speaker = play(surroundings.resolveModel(modelAt(server.url))).begin(partOf({ goal: 'A room.' }));
  await expect(speaker.next(conversation, unbounded)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(speaker.played?.().calls).toMatchObject([{ reply: null, error: { code: 'unauthorized' } }]);
  expect(speaker.played?.().cost).toBeUndefined();
});

test('a conversation ends early only when the checks allow it', async () => {
  const user = { goal: 'A room.', patience: 3 };
  expect((await moveOver(turn('', 'gave-up'), { user })).move).toEqual(
    invalidates('stopped-early', /gave up after 1 of at least 3/),
  );
});

test('does not say a value of the solution that was never given', async () => {
  const expected = { state: { booking: { code: 'QX-7781' } } };
  const { move } = await moveOver(turn('My code is QX-7781.'), { expected });
  expect(move).toEqual(invalidates('leaked', /said "QX-7781"/));
});

test('another model or temperature makes another user', async () => {
  const identities = await Promise.all(
    [play(byRules()), play(byRules({ reply: 'x' })), play(byRules(), { temperature: 1 })].map(async (user) =>
      JSON.stringify(await user.identity?.()),
    ),
  );
  expect(new Set(identities).size).toBe(3);
});

test('a model that is asked in batches plays no user', () => {
  const batched = { ...byRules(), batch: {} } as ChatModel;
  expect(() => play(batched)).toThrow('A simulated user cannot be asked in batches.');
});
