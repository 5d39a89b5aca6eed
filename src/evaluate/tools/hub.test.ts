import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createSecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { Json } from '../../core/schema/json.ts';
import type { ToolCall } from '../../core/schema/message.ts';
import {
  type Reply,
  type Target,
  TargetFailure,
  type TargetRequest,
  type ToolRules,
} from '../targets/target.ts';
import { type Cassette, createCassetteWriter, readCassette } from './cassette.ts';
import { ToolHub } from './hub.ts';
import { toolsSettingSchema } from './tools-setting.ts';
import { withTools } from './with-tools.ts';

type Bot = (
  request: TargetRequest,
  use: (name: string, args: Json) => Promise<Json>,
) => Promise<Partial<Reply>>;

let uses = 0;

/** Calls a function as a program does: asks first, runs it itself, and says what came of it. */
async function useFunction(
  url: string,
  name: string,
  args: Json,
  headers: Record<string, string> = {},
): Promise<Json> {
  const send = async (path: string, method: string, body: Json) => {
    const reply = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: reply.status, body: (await reply.json()) as Record<string, Json> };
  };
  const asked = await send('/calls', 'POST', { name, arguments: args });
  if (asked.status !== 200 || asked.body['do'] !== 'run') return asked.body;
  uses += 1;
  const { body } = await send(`/calls/${String(asked.body['id'])}`, 'PUT', { result: { of: args } });
  return body['do'] === 'return-own' ? { of: args } : body;
}

function behindProxy(bot: Bot, setting: object = {}, cassette?: Cassette) {
  const redactor = createSecretRedactor([['ORDERS_TOKEN', 'hunter2-hunter2']], (name) => `«${name}»`);
  const parsed = toolsSettingSchema.parse(setting);
  const createDoor = () => {
    throw new Error('no server');
  };
  const hub = new ToolHub({ setting: parsed, cassette, redactor, environment: {}, createDoor });
  const plain: Target = {
    call: async (asked) => {
      const url = asked.tools?.addresses['functions'] ?? '';
      const reply = await bot(
        asked,
        async (name, args) => await useFunction(url, name, args, { ...asked.tools?.headers }),
      );
      return { answer: 'done', toolCalls: [], toolsUnknown: true, ...reply };
    },
  };
  const target = withTools(plain, hub);
  onTestFinished(async () => await target.close?.());
  const ask = async (caseId: string, rules: Partial<ToolRules> = {}) => {
    await target.open?.();
    const id = `${caseId}-session`;
    target.beginSession?.(id, { key: caseId, results: [], mustNot: [], ...rules });
    const session = { id, turn: 1, memory: {} };
    const messages = [{ role: 'user' as const, content: caseId }];
    const asked: TargetRequest = {
      key: caseId,
      caseId,
      input: caseId,
      messages,
      session,
      metadata: {},
      attempt: 1,
      seed: 1,
    };
    const call = async () => await target.call(asked, { signal: new AbortController().signal });
    try {
      return await call().catch(async (error: unknown) => {
        if (error instanceof TargetFailure && error.retryable) return await call();
        throw error;
      });
    } finally {
      await target.endSession?.(id);
    }
  };
  return { hub, ask, target };
}

const bare = (calls: readonly ToolCall[]) =>
  calls.map(({ startMs: _start, durationMs: _took, ...call }) => call);

test('a call is seen as it was made, with its result, by a bot that reports nothing', async () => {
  const { ask } = behindProxy(async (_, use) => {
    await use('get_order', { id: '4711', token: 'hunter2-hunter2' });
    return {};
  });
  const reply = await ask('a');
  const args = { id: '4711', token: '«ORDERS_TOKEN»' };
  expect(bare(reply.toolCalls)).toEqual([
    { name: 'get_order', arguments: args, observed: true, result: { of: args }, from: 'tool' },
  ]);
  expect(reply.toolsUnknown).toBeUndefined();
});

test('what is claimed, hidden or changed in a report is not believed', async () => {
  const { ask } = behindProxy(async (_, use) => {
    for (const name of ['search', 'refund', 'mail']) await use(name, { id: 1 });
    const toolCalls: ToolCall[] = [
      { name: 'search', arguments: { id: 1 } },
      { name: 'refund', arguments: { id: 2 } },
      { name: 'search', arguments: { id: 9 } },
      { name: 'elsewhere', arguments: {} },
    ];
    return { toolCalls, toolsUnknown: undefined };
  });
  const { toolCalls, reportedCalls } = await ask('a');
  expect(toolCalls.map(({ name, observed }) => [name, observed])).toEqual([
    ['search', true],
    ['elsewhere', undefined],
    ['refund', true],
    ['mail', true],
  ]);
  expect(reportedCalls?.map(({ name }) => name)).toEqual(['search', 'refund', 'search']);
});

test('mocks answer, and what is refused never reaches the tool', async () => {
  const before = uses;
  const replies: Json[] = [];
  const { ask } = behindProxy(
    async (_, use) => {
      for (const name of ['send_mail', 'send_mail', 'delete_all', 'get', 'get', 'one_more'])
        replies.push(await use(name, { to: 'x' }));
      return {};
    },
    { mocks: [{ name: 'send_*', result: 'queued' }], deny: ['delete_*'], maxCalls: 5, denyMustNot: true },
  );
  const results = [{ name: 'send_mail', error: 'full', status: 409, times: 1 }];
  const { toolCalls } = await ask('a', { results, mustNot: [{ name: 'get', arguments: { to: 'x' } }] });
  expect(toolCalls.map(({ from }) => from)).toEqual([
    'mock',
    'mock',
    'refused',
    'refused',
    'refused',
    'refused',
  ]);
  expect(replies[0]).toMatchObject({ do: 'raise', error: { message: 'full', status: 409 } });
  expect(replies[1]).toMatchObject({ do: 'return', result: 'queued' });
  expect(uses).toBe(before);
});

test('a recorded attempt is replayed without the tool, and twice recorded it is the same file', async () => {
  const bot: Bot = async ({ caseId }, use) => {
    for (const id of [2, 1, 2]) await use('get', { id, case: caseId });
    return {};
  };
  const record = async () => {
    const writer = createCassetteWriter({ match: {} });
    const { ask } = behindProxy(bot, { mode: 'record', cassette: 'c.jsonl' });
    for (const caseId of ['b', 'a']) {
      const { toolCalls } = await ask(caseId);
      writer.add({ caseId, attempt: 1, transcript: [{ role: 'assistant', content: null, toolCalls }] });
    }
    return writer.finish();
  };
  const text = await record();
  expect(await record()).toBe(text);
  expect(text.split('\n')).toHaveLength(8);
  const before = uses;
  const cassette = readCassette(text, 'c.jsonl', {});
  const { ask } = behindProxy(bot, { mode: 'replay', cassette: 'c.jsonl' }, cassette);
  const { toolCalls } = await ask('a');
  expect(toolCalls.map(({ from, result }) => [from, result])).toEqual(
    [2, 1, 2].map((id) => ['cassette', { of: { id, case: 'a' } }]),
  );
  await expect(ask('other')).rejects.toMatchObject({ code: 'not-recorded' });
  await expect(ask('other')).rejects.toBeInstanceOf(TargetFailure);
  expect(uses).toBe(before);
  const again = [...text.trim().split('\n'), text.trim().split('\n')[1]].join('\n');
  expect(() => readCassette(again, 'c.jsonl', {})).toThrow(
    'c.jsonl:8: an earlier line records the same call',
  );
});

test.each(['address', 'baggage', 'header:X-Request-Id'])(
  'of 400 calls of 8 attempts at a time, none is in a wrong attempt (%s)',
  async (trial) => {
    const { ask, hub } = behindProxy(
      async ({ caseId }, use) => {
        await Promise.all(
          Array.from({ length: 50 }, async (_, number) => await use('note', { caseId, number })),
        );
        return {};
      },
      { trial, mocks: [{ name: 'note', result: 1 }] },
    );
    const replies = await Promise.all(
      Array.from({ length: 8 }, async (_, number) => ({ number, reply: await ask(`case-${number}`) })),
    );
    const wrong = replies.flatMap(({ number, reply }) =>
      reply.toolCalls.filter((call) => (call.arguments as { caseId: string }).caseId !== `case-${number}`),
    );
    expect(wrong).toEqual([]);
    expect(replies.map(({ reply }) => reply.toolCalls.length)).toEqual(Array.from({ length: 8 }, () => 50));
    expect(hub.report().unattributed).toEqual([]);
  },
);

test('a call without an attempt, or after its end, is not carried out', async () => {
  const before = uses;
  let url = '';
  const { ask, hub } = behindProxy(
    async ({ tools }) => {
      url = tools?.addresses['functions'] ?? '';
      return {};
    },
    { trial: 'baggage' },
  );
  await ask('a');
  expect(await useFunction(url, 'send_mail', {})).toMatchObject({
    error: expect.stringContaining('belongs to no attempt'),
  });
  expect(hub.report().unattributed).toEqual([{ name: 'send_mail', calls: 1 }]);
  const late = behindProxy(async ({ tools }) => {
    url = tools?.addresses['functions'] ?? '';
    return {};
  });
  await late.ask('a');
  expect(await useFunction(url, 'send_mail', {})).toMatchObject({ code: 'conversation-over' });
  expect(late.hub.report().late).toEqual([{ name: 'send_mail', calls: 1 }]);
  expect(uses).toBe(before);
});

test('other hosts, origins, tokens and ways out of the address are refused', async () => {
  const statuses: number[] = [];
  const { ask } = behindProxy(async ({ tools }) => {
    const url = new URL(tools?.addresses['functions'] ?? '');
    const tryPath = async (path: string, headers: Record<string, string> = {}) =>
      await new Promise<void>((resolve, reject) => {
        const sent = request(
          { host: url.hostname, port: url.port, path, method: 'POST', headers },
          (reply) => {
            statuses.push(reply.statusCode ?? 0);
            reply.resume().on('end', resolve);
          },
        );
        sent.on('error', reject).end('{"name":"x"}');
      });
    await tryPath(`${url.pathname}/calls`, { host: 'example.org' });
    await tryPath(`${url.pathname}/calls`, { origin: 'http://example.org' });
    await tryPath(`/t/${'0'.repeat(32)}/functions/calls`);
    await tryPath(`${url.pathname}/../functions/calls`);
    await tryPath(`${url.href}/calls`);
    await tryPath(`${url.pathname}/calls`, { 'transfer-encoding': 'chunked', 'content-length': '12' });
    return {};
  });
  const { toolCalls } = await ask('a');
  expect(statuses).toEqual([403, 403, 404, 404, 404, 400]);
  expect(toolCalls).toEqual([]);
});

test('the calls of a try that was given up stay with it, take no prepared result, and count as calls', async () => {
  let isFirst = true;
  const { ask } = behindProxy(
    async (_, use) => {
      await use('send_mail', { to: 'a' });
      if (!isFirst) return {};
      isFirst = false;
      throw new TargetFailure('overloaded', 'try again', { retryable: true });
    },
    { maxCalls: 2 },
  );
  const results = [
    { name: 'send_mail', result: 'first' },
    { name: 'send_mail', result: 'second' },
  ];
  const { tries, toolCalls } = await ask('a', { results });
  expect(tries?.map((each) => each.toolCalls.map(({ result }) => result))).toEqual([['first']]);
  expect(toolCalls.map(({ result }) => result)).toEqual(['first']);
});

test('one at a time, a call needs nothing to find its attempt, and the next question waits until it is quiet', async () => {
  const asked: number[] = [];
  const answered: number[] = [];
  const { ask, target } = behindProxy(
    async ({ caseId, tools }) => {
      asked.push(performance.now());
      expect(tools?.addresses['functions']).toContain('/k/');
      await useFunction(tools?.addresses['functions'] ?? '', 'note', { caseId });
      answered.push(performance.now());
      return {};
    },
    { trial: 'one-at-a-time', quietMs: 200, mocks: [{ name: 'note', result: 1 }] },
  );
  expect(target.maxConcurrency).toBe(1);
  const replies = [await ask('a'), await ask('b')];
  expect(replies.map(({ toolCalls }) => toolCalls.map(({ arguments: args }) => args))).toEqual([
    [{ caseId: 'a' }],
    [{ caseId: 'b' }],
  ]);
  expect((asked[1] ?? 0) - (answered[0] ?? 0)).toBeGreaterThan(190);
});

test('a call that breaks the protocol of its server gets the error of that in place of a mock, and a result that answered nothing is named', async () => {
  const { hub } = behindProxy(async () => ({}), { mocks: [{ name: 'note', result: 1 }] });
  const results = [{ name: 'other', result: 1 }];
  const conversation = hub.converse({}, 'a', { key: 'a', results, mustNot: [] });
  const unfit = { error: 'headers and body disagree' };
  const use = { name: 'note', arguments: {}, server: 'shop' };
  expect(await conversation.use({ ...use, unfit }, async () => ({ result: 'real' }))).toBe(unfit);
  expect(await conversation.use(use, async () => ({ result: 'real' }))).toMatchObject({ result: 1 });
  await hub.end(conversation);
  expect(hub.report()).toMatchObject({ unusedMocks: [], unusedResults: { a: ['tool_results[0] (other)'] } });
});
