import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '../../core/schema/json.ts';
import type { ReceivedRequest, ScriptedReply } from '../../library/testing/index.ts';
import { type ModelServer, startModelServer } from '../../library/testing/model-server/model-server.ts';
import { modelAt, prepare, protocols, requestOf, unbounded } from '../../../test/support/prepare-target.ts';
import {
  contractAnswer,
  contractScenarios,
  largeAnswer,
  nulAnswer,
  sessionOf,
  testTargetContract,
} from '../../library/testing/target-contract.ts';
import { chat } from './chat.ts';
import type { ToolInterceptor, TargetNeeds } from './target.ts';

type Options = Omit<Parameters<typeof chat>[0], 'model'>;

const tools = `
let open = 0;
export const peak = { value: 0 };
const cities = { Berne: 12, Oslo: 3 };
export const weather = {
  name: 'weather',
  description: 'The temperature of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  async run({ city }, { caseId, signal }) {
    open += 1;
    peak.value = Math.max(peak.value, open);
    await new Promise((resolve) => setTimeout(resolve, 20));
    open -= 1;
    if (!(city in cities)) throw new RangeError('no such city: ' + city);
    return { city, celsius: cities[city], peak: peak.value, caseId, aborted: signal.aborted };
  },
};
export default [{ name: 'hang', run: () => new Promise(() => {}) }, { name: 'exit', run: () => process.exit(0) }, { name: 'nothing', run: () => {} }];
`;

function create(
  server: ModelServer,
  needs: TargetNeeds,
  options: Options = {},
  more: { protocol?: (typeof protocols)[number]; model?: object } = {},
) {
  const { definition } = chat;
  const model = modelAt(server.url, more.protocol, more.model);
  return definition.create(definition.options.parse({ model, ...options }), needs);
}

/** Asks for the tools, one list a step; then answers. */
function usesTools(...steps: { name: string; arguments?: Json }[][]) {
  return ({ index }: ReceivedRequest): ScriptedReply => {
    const toolCalls = steps[index];
    const usage = { inputTokens: 10, outputTokens: 5 };
    return toolCalls === undefined
      ? { text: 'Done.', reasoning: 'I have it all.', usage }
      : { toolCalls, usage };
  };
}

const contractServer = await startModelServer(({ prompt }): ScriptedReply => {
  if (prompt === contractScenarios.silence) return { fault: 'hang' };
  if (prompt === contractScenarios.null) return '';
  if (prompt === contractScenarios.large) return largeAnswer;
  if (prompt === contractScenarios.nul) return nulAnswer;
  if (prompt === contractScenarios.html) return { fault: 'raw', body: '<html><body>Gateway</body></html>' };
  return contractAnswer(prompt);
});
const contractNeeds = await prepare({ 'tools.mjs': tools });
afterAll(async () => {
  await contractNeeds[Symbol.asyncDispose]();
  await contractServer.close();
});
testTargetContract(
  'chat',
  () => create(contractServer, contractNeeds, { tools: 'tools.mjs', system: 'Be kind.' }),
  {
    test,
    expect,
    without: {
      'not-a-number': 'a model answers in text',
      'invalid-utf8': 'the client of the model decodes its reply',
    },
  },
);

test.each(protocols)(
  '%s: tools are used together, and every call is kept with arguments, result or error',
  async (protocol) => {
    const steps = usesTools(
      [
        { name: 'weather', arguments: { city: 'Berne' } },
        { name: 'weather', arguments: { city: 'Oslo' } },
        { name: 'weather', arguments: { city: 'Atlantis' } },
      ],
      [
        { name: 'wether', arguments: {} },
        { name: 'nothing', arguments: {} },
      ],
    );
    await using server = await startModelServer(steps);
    await using needs = await prepare({ 'tools.mjs': tools });
    const target = create(
      server,
      needs,
      { tools: 'tools.mjs', system: 'You are in {{metadata.country}}.' },
      { protocol },
    );
    await target.open?.();
    const reply = await target.call(requestOf('How warm?', { metadata: { country: 'Europe' } }), unbounded);
    expect(reply).toMatchObject({
      answer: 'Done.',
      usage: { inputTokens: 30, outputTokens: 15 },
      finishReason: 'stop',
      latency: { stepsMs: [expect.any(Number), expect.any(Number), expect.any(Number)] },
    });
    expect(new Set(reply.toolCalls.slice(0, 3).map(({ id }) => id)).size).toBe(3);
    const [berne, oslo, atlantis, unknown, nothing] = reply.toolCalls.map(({ id: _id, ...call }) => call);
    const result = { caseId: 'case-1', aborted: false };
    expect(berne).toEqual({
      name: 'weather',
      arguments: { city: 'Berne' },
      result: expect.objectContaining({ ...result, celsius: 12 }),
    });
    expect(oslo).toMatchObject({ arguments: { city: 'Oslo' }, result: { celsius: 3, peak: 3 } });
    expect(atlantis).toEqual({
      name: 'weather',
      arguments: { city: 'Atlantis' },
      error: 'no such city: Atlantis',
    });
    expect(unknown).toEqual({
      name: 'wether',
      arguments: {},
      error: 'There is no tool "wether". Did you mean "weather"?',
    });
    expect(nothing).toEqual({ name: 'nothing', arguments: {}, result: null });
    expect(
      reply.transcript?.map(({ role, content, toolCalls = [], reasoning }) => [
        role,
        content,
        toolCalls.length,
        reasoning,
      ]),
    ).toEqual([
      ['system', 'You are in Europe.', 0, undefined],
      ['user', 'How warm?', 0, undefined],
      ['assistant', null, 3, undefined],
      ['assistant', null, 2, undefined],
      ['assistant', 'Done.', 0, 'I have it all.'],
    ]);
    expect(JSON.stringify(reply.transcript)).not.toContain('continuation');
    expect(server.requests[0]?.system).toBe('You are in Europe.');
    const second = JSON.stringify(server.requests[1]?.body);
    expect(second).toContain('celsius');
    expect(second).toContain('no such city: Atlantis');
    await target.close?.();
  },
);

test('arguments that are not a JSON object are reported to the model, and kept as they came', async () => {
  await using server = await startModelServer(usesTools([{ name: 'weather', arguments: '{"city": "Ber' }]));
  await using needs = await prepare({ 'tools.mjs': tools });
  const { toolCalls, answer } = await create(server, needs, { tools: 'tools.mjs' }).call(
    requestOf('q'),
    unbounded,
  );
  expect(answer).toBe('Done.');
  expect(toolCalls).toMatchObject([
    {
      name: 'weather',
      arguments: '{"city": "Ber',
      error: 'The arguments are not a JSON object; the tool was not used.',
    },
  ]);
  expect(server.requests[1]?.prompt).toContain('not a JSON object');
});

test('a tool that ends the program fails only itself', async () => {
  await using server = await startModelServer(usesTools([{ name: 'exit' }]));
  await using needs = await prepare({ 'tools.mjs': tools });
  const target = create(server, needs, { tools: 'tools.mjs' });
  await target.open?.();
  const { toolCalls } = await target.call(requestOf('q'), unbounded);
  expect(toolCalls).toMatchObject([{ name: 'exit', error: expect.stringContaining('process.exit(0)') }]);
  await target.close?.();
});

test('a model that never stops asking for tools fails at the step limit, with its transcript and cost', async () => {
  const usage = { inputTokens: 10, outputTokens: 5 };
  await using server = await startModelServer({ toolCalls: [{ name: 'nothing' }], usage });
  await using needs = await prepare({ 'tools.mjs': tools });
  const prices = { input: 1, output: 2 };
  const target = create(server, needs, { tools: 'tools.mjs', maxSteps: 3 }, { model: { prices } });
  await expect(target.call(requestOf('q'), unbounded)).rejects.toMatchObject({
    code: 'step-limit',
    message: 'no answer after 3 steps: the model went on asking for tools',
    partial: {
      usage: { inputTokens: 30, outputTokens: 15 },
      cost: expect.closeTo(60e-6, 12),
      transcript: [
        { role: 'user' },
        { toolCalls: [{ result: null }] },
        { toolCalls: [{}] },
        { toolCalls: [{}] },
      ],
    },
    latency: { stepsMs: { length: 3 } },
  });
});

test('a value that one step does not report is unknown for the whole reply', async () => {
  const replies = [
    { toolCalls: [{ name: 'nothing' }], usage: { inputTokens: 10, outputTokens: 1 } },
    { text: 'ok', usage: null },
  ];
  await using server = await startModelServer(replies);
  await using needs = await prepare({ 'tools.mjs': tools });
  const reply = await create(
    server,
    needs,
    { tools: 'tools.mjs' },
    { model: { prices: { input: 1, output: 2 } } },
  ).call(requestOf('q'), unbounded);
  expect(reply).not.toHaveProperty('usage');
  expect(reply).not.toHaveProperty('cost');
});

test('a stop during a step or a tool ends the call at once, and keeps the conversation so far', async () => {
  await using server = await startModelServer(({ index, prompt }): ScriptedReply => {
    if (prompt === 'step') return { fault: 'hang' };
    return index % 2 === 0 ? { toolCalls: [{ name: 'hang' }] } : 'unused';
  });
  await using needs = await prepare({ 'tools.mjs': tools });
  const target = create(server, needs, { tools: 'tools.mjs' });
  for (const question of ['tool', 'step']) {
    const controller = new AbortController();
    const call = target.call(requestOf(question), { signal: controller.signal });
    await expect.poll(() => server.requests.at(-1)?.prompt).toBe(question);
    await wait(50);
    controller.abort();
    await expect(call).rejects.toMatchObject({
      code: 'cancelled',
      partial: { transcript: [{ content: question }, ...(question === 'tool' ? [{}] : [])] },
    });
  }
  await expect.poll(() => server.openRequests).toBe(0);
});

test('the time to the first token includes everything before the answer', async () => {
  await using server = await startModelServer(
    ({ index }): ScriptedReply =>
      index === 0
        ? { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }], delayMs: 60 }
        : { text: 'three degrees or so', pieceDelayMs: 20 },
  );
  await using needs = await prepare({ 'tools.mjs': tools });
  const { latency } = await create(server, needs, { tools: 'tools.mjs' }, { model: { stream: true } }).call(
    requestOf('q'),
    unbounded,
  );
  const [first = 0, second = 0] = latency?.stepsMs ?? [];
  expect(latency?.firstTokenMs).toBeGreaterThan(first + 15);
  expect(latency?.firstTokenMs).toBeLessThan(latency?.totalMs ?? 0);
  expect(latency?.totalMs).toBeGreaterThanOrEqual(first + second + 15);
});

test('waiting for a turn is reported, and is not part of the latency', async () => {
  await using server = await startModelServer({ text: 'ok', delayMs: 100 });
  await using needs = await prepare({});
  const target = create(server, needs, {}, { model: { maxConcurrency: 1 } });
  const waits: boolean[] = [];
  const context = { ...unbounded, onWaiting: (isWaiting: boolean) => waits.push(isWaiting) };
  const start = performance.now();
  const replies = await Promise.all(
    Array.from({ length: 5 }, async () => await target.call(requestOf('q'), context)),
  );
  const elapsedMs = performance.now() - start;
  const latencies = replies.map(({ latency }) => latency?.totalMs ?? 0);
  expect(elapsedMs).toBeGreaterThan(480);
  expect(latencies.reduce((sum, each) => sum + each, 0)).toBeLessThan(elapsedMs * 1.2);
  expect(waits.filter(Boolean)).toHaveLength(5);
  expect(waits).toHaveLength(10);
});

test('a conversation of several messages is continued, including tools of earlier turns', async () => {
  await using server = await startModelServer('Colder.');
  await using needs = await prepare({});
  const messages = [
    { role: 'user' as const, content: 'Berne?' },
    {
      role: 'assistant' as const,
      content: null,
      toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Berne' }, result: { celsius: 12 } }],
    },
    { role: 'assistant' as const, content: 'Twelve.' },
    { role: 'user' as const, content: 'And Oslo?' },
  ];
  const reply = await create(server, needs, { system: 'Be short.' }).call(
    requestOf('And Oslo?', { messages }),
    unbounded,
  );
  const roles = ['system', 'user', 'assistant', 'tool', 'assistant', 'user'];
  expect(server.requests[0]?.body['messages']).toMatchObject(roles.map((role) => ({ role })));
  expect(reply).toMatchObject({ answer: 'Colder.', toolCalls: [] });
  expect(reply.transcript).toHaveLength(6);
});

test('what a retrieving tool has found are the documents of the trial, each once', async () => {
  const search = `
    const hits = [{ id: 'a', text: 'A', score: 2 }, { id: 'b', text: 'B', score: 1 }];
    export const object = { name: 'search', run: () => ({ hits }) };
    export const text = { name: 'look_up', run: () => JSON.stringify([hits[1], { id: 'c' }]) };
    export const other = { name: 'other', run: () => ({ hits: [{ id: 'd' }] }) };`;
  const calls = [{ name: 'search' }, { name: 'look_up' }, { name: 'other' }];
  await using server = await startModelServer(usesTools(calls));
  await using needs = await prepare({ 'tools.mjs': search });
  const documents = { search: 'hits', look_up: '.' };
  const reply = await create(server, needs, { tools: 'tools.mjs', documents }).call(
    requestOf('q'),
    unbounded,
  );
  expect(reply.documents?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  server.play('no tool needed');
  expect(await create(server, needs, { documents }).call(requestOf('q'), unbounded)).toMatchObject({
    documents: [],
  });
  expect(await create(server, needs).call(requestOf('q'), unbounded)).not.toHaveProperty('documents');
});

test('the identity changes with the system prompt, the tools and what they import', async () => {
  await using server = await startModelServer('ok');
  await using needs = await prepare({
    'tools.mjs':
      "import { value } from './value.mjs'; export const tool = { name: 'tool', run: () => value };",
    'value.mjs': 'export const value = 1;',
    'system.md': 'Be kind.',
  });
  const options = { tools: 'tools.mjs', system: { path: 'system.md' } };
  const identify = async (more: Options = {}) =>
    JSON.stringify(await create(server, needs, { ...options, ...more }).identity?.());
  const seen = [await identify()];
  expect(await identify()).toBe(seen[0]);
  await writeFile(path.join(needs.folder, 'value.mjs'), 'export const value = 2;');
  seen.push(await identify());
  await writeFile(path.join(needs.folder, 'system.md'), 'Be brief.');
  seen.push(await identify(), await identify({ maxSteps: 3 }));
  expect(new Set(seen).size).toBe(4);
});

test.each([
  ["export const bot = { nam: 'x', run() {} };", 'The tool `bot` of tools.mjs has no usable `name`'],
  [
    "export const tools = [{ name: 'a b', run() {} }];",
    'The tool `tools[0]` of tools.mjs has no usable `name`: the text "a b"',
  ],
  ["export const tool = { name: 'x', run: 'y' };", 'has no usable `run`: the text "y"'],
  ['export const answer = 42;', 'tools.mjs exports no tool. It exports answer.'],
  [
    "export const a = { name: 'x', run() {} }, b = { name: 'x', run() {} };",
    'Both tools.mjs and tools.mjs have a tool `x`',
  ],
  ['export const x = ;', 'tools.mjs cannot be imported'],
])('the module %j is refused before anything is asked', async (source, message) => {
  await using server = await startModelServer('ok');
  await using needs = await prepare({ 'tools.mjs': source });
  await expect(create(server, needs, { tools: 'tools.mjs' }).open?.()).rejects.toThrow(message);
  expect(server.requests).toHaveLength(0);
});

test.each(protocols)(
  '%s: the tools of earlier turns go to the model with their results, and count for their own turn alone',
  async (protocol) => {
    await using server = await startModelServer(
      usesTools([{ name: 'weather', arguments: { city: 'Oslo' } }]),
    );
    await using needs = await prepare({ 'tools.mjs': tools });
    const target = create(server, needs, { tools: 'tools.mjs', system: 'Be kind.' }, { protocol });
    const calls = [
      { id: 'call_1', name: 'weather', arguments: { city: 'Berne' }, result: { celsius: 12 } },
      { id: 'call_2', name: 'weather', arguments: { city: 'Atlantis' }, error: 'no such city' },
    ];
    const messages = [
      { role: 'user' as const, content: 'How warm is Berne?' },
      { role: 'assistant' as const, content: null, reasoning: 'Let me look.', toolCalls: calls },
      { role: 'assistant' as const, content: 'It is 12 degrees.' },
      { role: 'user' as const, content: 'And Oslo?' },
    ];
    const reply = await target.call(requestOf('And Oslo?', { messages, session: sessionOf(2) }), unbounded);
    const sent = JSON.stringify(server.requests[0]?.body);
    for (const text of ['call_1', 'Berne', 'celsius', 'no such city', 'It is 12 degrees.', 'And Oslo?']) {
      if (protocol === 'gemini' && text === 'call_1') continue; // Ties results to calls by name and order.
      expect(sent).toContain(text);
    }
    expect(sent).not.toContain('not recorded');
    expect(sent).not.toContain('Let me look.');
    expect(reply.toolCalls.map(({ arguments: given }) => given)).toEqual([{ city: 'Oslo' }]);
    expect(reply.transcript?.slice(0, 5)).toEqual([{ role: 'system', content: 'Be kind.' }, ...messages]);
  },
);

test('faults are injected around every tool that runs, and the model does not see them', async () => {
  await using needs = await prepare({ 'tools.mjs': tools });
  await using server = await startModelServer(
    usesTools([
      { name: 'weather', arguments: { city: 'Berne' } },
      { name: 'nothing', arguments: {} },
      { name: 'unknown', arguments: {} },
    ]),
  );
  const uses: string[] = [];
  const interceptTool: ToolInterceptor = async ({ name }, run) => {
    uses.push(name);
    return name === 'nothing'
      ? { error: 'nothing: timed out', details: { code: 'ETIMEDOUT' }, fault: 'timeout' }
      : { ...(await run()), result: {}, fault: 'empty', withheld: { celsius: 12 } };
  };
  const target = create(server, needs, { tools: 'tools.mjs' });
  const reply = await target.call(requestOf('Weather?'), { ...unbounded, interceptTool });
  expect(uses).toEqual(['weather', 'nothing']);
  expect(reply.toolCalls).toMatchObject([
    { name: 'weather', result: {}, fault: 'empty', withheld: { celsius: 12 } },
    { name: 'nothing', error: 'nothing: timed out', fault: 'timeout' },
    { name: 'unknown', error: expect.stringContaining('There is no tool') },
  ]);
  expect(reply.toolCalls[1]).not.toHaveProperty('details');
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  expect(sent).toContain('nothing: timed out');
  expect(sent).not.toContain('withheld');
  expect(sent).not.toContain('celsius');
  expect(target.hasToolsInReach).toBe(true);
  expect(create(server, needs).hasToolsInReach).toBe(false);
});

test('a retrieved list that was broken on purpose gives no documents, and is not an error in the settings', async () => {
  await using needs = await prepare({ 'tools.mjs': tools });
  await using server = await startModelServer(usesTools([{ name: 'weather', arguments: { city: 'Oslo' } }]));
  const target = create(server, needs, { tools: 'tools.mjs', documents: { weather: 'hits' } });
  const broken = { result: { hits: 'NaN' }, fault: 'malformed' };
  const reply = await target.call(requestOf('Weather?'), { ...unbounded, interceptTool: async () => broken });
  expect(reply.documents).toEqual([]);
});
