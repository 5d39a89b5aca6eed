import { expect, test } from 'vitest';
import { contractReply, silentQuestion, testModelContract } from '../../library/testing/model-contract.ts';
import { ask, failureOf, modelKey, weatherTool } from '../../../test/support/model-harness.ts';
import { aiSdk } from './ai-sdk.ts';
import type { LanguageModel } from './ai-sdk/language-model.ts';

type CallOptions = {
  readonly prompt: readonly { readonly content: unknown }[];
  readonly abortSignal: AbortSignal;
};
type Generated = Record<string, unknown>;

/** A language model like the models of the SDK's packages. */
function createLanguageModel(
  answer: (prompt: string, options: CallOptions) => Generated | Promise<Generated>,
  specificationVersion = 'v4',
): LanguageModel & { readonly calls: CallOptions[] } {
  const calls: CallOptions[] = [];
  const doGenerate = async (given: object) => {
    const options = given as CallOptions;
    calls.push(options);
    const [part] = (options.prompt.at(-1)?.content ?? []) as { readonly text?: string }[];
    return await answer(part?.text ?? '', options);
  };
  return {
    specificationVersion,
    provider: 'test.chat',
    modelId: 'test-model',
    calls,
    doGenerate,
    doStream: async (given) => ({ stream: toStream(await doGenerate(given)) }),
  };
}

function toStream({ content, finishReason, usage }: Generated): ReadableStream<unknown> {
  const parts = (content as { type: string; text?: string }[]).flatMap((part, index): unknown[] => {
    if (part.type === 'tool-call') return [part];
    const pieces = part.text?.match(/\s*\S+/g) ?? [];
    return [
      { type: `${part.type}-start`, id: `${index}` },
      ...pieces.map((delta) => ({ type: `${part.type}-delta`, id: `${index}`, delta })),
      { type: `${part.type}-end`, id: `${index}` },
    ];
  });
  return ReadableStream.from([
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason, usage },
  ]);
}

function create(model: LanguageModel, options: object = {}) {
  const { definition } = aiSdk;
  const { use: _use, ...given } = aiSdk({ model, ...options });
  return definition.create(definition.options.parse(given), {
    folder: '.',
    environment: { TEST_KEY: modelKey },
  });
}

const stop = { finishReason: { unified: 'stop', raw: 'stop' } };

testModelContract(
  'ai-sdk',
  () =>
    create(
      createLanguageModel(async (prompt, { abortSignal }) => {
        if (prompt === silentQuestion)
          await new Promise((_resolve, reject) =>
            abortSignal.addEventListener('abort', () => reject(new Error('aborted'))),
          );
        return { content: [{ type: 'text', text: contractReply(prompt) }], ...stop };
      }),
    ),
  { test, expect },
);

test.each([
  ['v2', 'stop', { inputTokens: 10, outputTokens: 4, cachedInputTokens: 3, reasoningTokens: 2 }],
  [
    'v4',
    stop.finishReason,
    { inputTokens: { total: 10, cacheRead: 3 }, outputTokens: { total: 4, reasoning: 2 } },
  ],
])('tokens, reasoning and reasons of a %s model', async (version, finishReason, usage) => {
  const content = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'yes' },
  ];
  const model = create(
    createLanguageModel(() => ({ content, finishReason, usage }), version),
    { prices: { input: 1, output: 1 } },
  );
  for (const stream of [false, true]) {
    expect(await ask(model, { stream })).toMatchObject({
      text: 'yes',
      reasoning: 'hm',
      finishReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 4, cachedTokens: 3, reasoningTokens: 2 },
      cost: 14 / 1_000_000,
    });
  }
});

/** Asks a model that first makes a call, and then says that it rains. */
async function askForWeather(call: object) {
  const replies: Generated[] = [
    { content: [call], finishReason: { unified: 'tool-calls' } },
    { content: [{ type: 'text', text: 'Rain.' }], ...stop },
  ];
  const languageModel = createLanguageModel(() => replies.shift() ?? {});
  const model = create(languageModel);
  const question = { role: 'user' as const, content: 'Weather?' };
  const first = await ask(model, { messages: [question], tools: [weatherTool] });
  return { languageModel, model, question, first };
}

test('tool calls are read, and their results are sent', async () => {
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: '{"city":"Bonn"}' };
  const { languageModel, model, question, first } = await askForWeather(call);
  expect(first).toMatchObject({
    text: null,
    finishReason: 'tool-calls',
    toolCalls: [{ id: 'a', arguments: { city: 'Bonn' } }],
  });
  const result = { role: 'tool' as const, content: '12 °C', toolCallId: 'a' };
  expect((await ask(model, { messages: [question, first.message, result] })).text).toBe('Rain.');
  expect(languageModel.calls[1]?.prompt).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
    { role: 'assistant', content: [{ ...call, input: { city: 'Bonn' } }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'weather',
          output: { type: 'text', value: '12 °C' },
        },
      ],
    },
  ]);
});

test('long numbers in the arguments of calls keep their digits, as they are read and as they are sent back', async () => {
  const call = {
    type: 'tool-call',
    toolCallId: 'a',
    toolName: 'weather',
    input: '{"city":12345678901234567891}',
  };
  const { languageModel, model, question, first } = await askForWeather(call);
  expect(JSON.stringify(first.toolCalls)).toContain('12345678901234567891');
  const result = { role: 'tool' as const, content: '98765432109876543219', toolCallId: 'a' };
  await ask(model, { messages: [question, first.message, result] });
  // A provider writes what it is given as JSON.
  const sent = JSON.stringify(languageModel.calls[1]?.prompt);
  expect(sent).toContain('"input":{"city":12345678901234567891}');
  expect(sent).toContain('98765432109876543219');
});

test("the SDK's errors are repeated or not according to their status", async () => {
  let calls = 0;
  const fail = (statusCode: number) => {
    calls += 1;
    throw Object.assign(new Error('failed'), { statusCode, responseHeaders: { 'retry-after-ms': '1' } });
  };
  const model = create(
    createLanguageModel(() =>
      calls < 2 ? fail(429) : { content: [{ type: 'text', text: 'yes' }], ...stop },
    ),
  );
  expect((await ask(model)).attempts.map(({ error }) => error?.code)).toEqual([
    'rate-limited',
    'rate-limited',
    undefined,
  ]);
  calls = 0;
  expect((await failureOf(ask(create(createLanguageModel(() => fail(401)))))).code).toBe('unauthorized');
  expect(calls).toBe(1);
});

test('calls report when they wait for their turn and for a repeat, and when the wait ends', async () => {
  let calls = 0;
  const languageModel = createLanguageModel(async () => {
    calls += 1;
    if (calls === 1) throw Object.assign(new Error('busy'), { statusCode: 429 });
    return { content: [{ type: 'text', text: 'yes' }], ...stop };
  });
  const model = create({ ...languageModel, provider: 'one at a time' }, { maxConcurrency: 1 });
  const events: string[] = [];
  const askAs = async (name: string) => {
    const onWaiting = (isWaiting: boolean, isRepeat?: boolean) => {
      events.push(`${name} ${isWaiting ? 'waits' : 'is sent'}${isRepeat ? ' again' : ''}`);
    };
    const { signal } = new AbortController();
    await model.generate({ messages: [{ role: 'user', content: 'Is it?' }] }, { signal, onWaiting });
  };
  await Promise.all([askAs('first'), askAs('second')]);
  expect(events.filter((line) => line.startsWith('first'))).toEqual([
    'first waits',
    'first is sent',
    'first waits again',
    'first is sent',
  ]);
  expect(events.slice(0, 3)).toEqual(['first waits', 'second waits', 'first is sent']);
  expect(events.at(-1)).toMatch(/is sent$/);
});

test.each([{ statusCode: 401 }, { isRetryable: false }])(
  'secrets in errors are kept by name only: %j',
  async (parts) => {
    const model = createLanguageModel(() => {
      throw Object.assign(new Error(`wrong key ${modelKey}`), parts);
    });
    const failure = await failureOf(ask(create(model)));
    expect([failure.message, failure.attempts[0]?.error?.message].join()).not.toContain(modelKey);
    expect(failure.message).toContain('[TEST_KEY]');
  },
);

test('a file contains only the name of the model, not its inside', () => {
  const model = Object.assign(
    createLanguageModel(() => ({})),
    { apiKey: modelKey },
  );
  expect(JSON.parse(JSON.stringify(aiSdk({ model, temperature: 0 })))).toEqual({
    use: 'ai-sdk',
    temperature: 0,
    model: { specificationVersion: 'v4', provider: 'test.chat', modelId: 'test-model' },
  });
});

test('a value that is not a model object is refused', () => {
  expect(() => aiSdk({ model: 'gpt-5' as never })).toThrow(/model object/);
  expect(aiSdk.definition.options.safeParse({ model: 'gpt-5' }).success).toBe(false);
});
