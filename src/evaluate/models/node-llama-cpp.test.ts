import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ChatModel } from './model.ts';
import { nodeLlamaCpp } from './node-llama-cpp.ts';
import { toGrammarSchema, toHistory } from './node-llama-cpp/local-model.ts';

function create(folder: string, options: Parameters<typeof nodeLlamaCpp>[0]) {
  const { definition } = nodeLlamaCpp;
  return definition.create(definition.options.parse(options), { folder, environment: {} });
}

test('without its package the error says what to install; without its file, which one is missing', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-gguf-'));
  try {
    const model = create(folder, { path: 'tiny.gguf' });
    await expect(model.open?.()).rejects.toMatchObject({ code: 'model-invalid' });
    writeFileSync(path.join(folder, 'tiny.gguf'), '');
    await expect(create(folder, { path: 'tiny.gguf' }).open?.()).rejects.toMatchObject({
      code: 'package-missing',
      remedy: expect.stringContaining('npm install --save-dev node-llama-cpp@3'),
    });
    await model.close?.();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/**
 * A package of that name that needs no file of weights: it takes 50 ms to say "yes", word by word to "all". As in the
 * real one, a sequence keeps its conversation until it is cleared, and a disposed one frees its place later.
 */
const quickPackage = `
  const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  exports.made = [];
  const createContext = async ({ contextSize, sequences, threads }) => {
    let left = sequences;
    exports.made.push({ contextSize, sequences, threads });
    const getSequence = () => {
      if (left === 0) throw new Error('No sequences left');
      left -= 1;
      const used = { usedInputTokens: 0, usedOutputTokens: 0 };
      const sequence = {
        used,
        nextTokenIndex: 0,
        tokenMeter: {
          getState: () => ({ ...used }),
          diff: (before) => ({
            usedInputTokens: used.usedInputTokens - before.usedInputTokens,
            usedOutputTokens: used.usedOutputTokens - before.usedOutputTokens,
          }),
        },
        clearHistory: async () => {
          await later(1);
          sequence.nextTokenIndex = 0;
        },
        dispose: async () => {
          await later(30);
          left += 1;
        },
      };
      return sequence;
    };
    return { contextSize: 64, getSequence, dispose: async () => {} };
  };
  const dispose = async () => {};
  const loadModel = async ({ modelPath }) => {
    if (modelPath.endsWith('broken.gguf')) throw new Error('Invalid GGUF magic');
    if (modelPath.endsWith('large.gguf')) throw new Error('A context size of 8192 is too large for the available VRAM');
    return { createContext, dispose };
  };
  exports.getLlama = async () => ({
    cpuMathCores: 4,
    loadModel,
    createGrammarForJsonSchema: async (schema) => schema,
    dispose,
  });
  exports.LlamaChat = class {
    constructor({ contextSequence }) {
      this.sequence = contextSequence;
    }
    dispose({ disposeSequence = false } = {}) {
      if (disposeSequence) this.sequence.dispose();
    }
    async generateResponse(history, { signal, stopOnAbortSignal, onToken, contextShift }) {
      const { text } = history.findLast(({ type }) => type === 'user');
      if (this.sequence.nextTokenIndex > 0) throw new Error('the sequence holds what was said before');
      if (text.length > 60) await contextShift.size();
      this.sequence.used.usedInputTokens += 3;
      this.sequence.nextTokenIndex = 3;
      await later(50);
      const said = [];
      while (said.length < (text === 'all' ? 1000 : 1)) {
        if (signal.aborted && stopOnAbortSignal && said.length > 0) break;
        signal.throwIfAborted();
        said.push('yes');
        this.sequence.nextTokenIndex += 1;
        this.sequence.used.usedOutputTokens += 1;
        onToken([1]);
        if (text === 'all') await later(1);
      }
      const stopReason = signal.aborted ? 'abort' : 'eogToken';
      return { response: said.join(' '), fullResponse: said, metadata: { stopReason } };
    }
  };
`;

/** Runs work with a model of the package above, in a folder that is removed afterwards. */
async function withQuickModel(
  options: Partial<Parameters<typeof nodeLlamaCpp>[0]>,
  run: (model: ChatModel, folder: string) => Promise<void>,
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-gguf-'));
  try {
    const inside = path.join(folder, 'node_modules', 'node-llama-cpp');
    mkdirSync(inside, { recursive: true });
    writeFileSync(path.join(inside, 'package.json'), '{"version":"3.22.1"}');
    writeFileSync(path.join(inside, 'index.js'), quickPackage);
    for (const name of ['tiny', 'broken', 'large']) writeFileSync(path.join(folder, `${name}.gguf`), '');
    const model = create(folder, { path: 'tiny.gguf', ...options });
    await run(model, folder);
    await model.close?.();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ask = async (model: ChatModel, content: string, signal = new AbortController().signal) =>
  await model.generate({ messages: [{ role: 'user', content }] }, { signal });

test.each([1, 4, 8])(
  'ten questions have ten answers, %d at a time, each with its own tokens',
  async (most) => {
    await withQuickModel({ maxConcurrency: most }, async (model) => {
      await model.open?.();
      const replies = await Promise.all(Array.from({ length: 10 }, () => ask(model, 'Is it?')));
      expect(replies.map(({ text, usage }) => ({ text, usage }))).toEqual(
        Array.from({ length: 10 }, () => ({ text: 'yes', usage: { inputTokens: 3, outputTokens: 1 } })),
      );
    });
  },
);

test('an aborted call frees its place for the next', async () => {
  await withQuickModel({}, async (model) => {
    await expect(ask(model, 'all', AbortSignal.timeout(70))).rejects.toMatchObject({ code: 'cancelled' });
    expect((await ask(model, 'Is it?')).text).toBe('yes');
  });
});

test('a conversation that does not fit into the context is refused, and an answer that fills it is cut off there', async () => {
  await withQuickModel({}, async (model) => {
    await expect(ask(model, 'long '.repeat(30))).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining('`contextSize`'),
    });
    const { finishReason, usage } = await ask(model, 'all');
    expect(finishReason).toBe('length');
    expect(usage?.outputTokens).toBeLessThan(64);
  });
});

test('threads and context size reach the package, and threads change no answer', async () => {
  await withQuickModel({ threads: 2, contextSize: 512, maxConcurrency: 3 }, async (model, folder) => {
    await model.open?.();
    const { made } = createRequire(path.join(folder, 'x.js'))('node-llama-cpp') as { made: unknown[] };
    expect(made).toEqual([{ contextSize: 512, sequences: 3, threads: 2 }]);
    const other = create(folder, { path: 'tiny.gguf', threads: 8, contextSize: 512 });
    expect(other.fingerprint).toBe(model.fingerprint);
    await other.open?.();
    await create(folder, { path: 'tiny.gguf' }).open?.();
    expect(made.at(-1)).toEqual({ contextSize: { max: 8192 }, sequences: 1, threads: 3 });
  });
});

test('a file that cannot be loaded is reported with the remedy', async () => {
  await withQuickModel({}, async (_model, folder) => {
    await expect(create(folder, { path: 'broken.gguf' }).open?.()).rejects.toMatchObject({
      code: 'model-invalid',
      message: 'broken.gguf cannot be loaded: Invalid GGUF magic',
      remedy: expect.stringContaining('whole GGUF file'),
    });
    await expect(create(folder, { path: 'large.gguf' }).open?.()).rejects.toMatchObject({
      remedy: expect.stringContaining('smaller `contextSize`'),
    });
  });
});

test('calls report when they begin and end to wait for their turn: one conversation at a time', async () => {
  await withQuickModel({}, async (model) => {
    await model.open?.();
    const events: string[] = [];
    const askAs = async (name: string) => {
      const onWaiting = (isWaiting: boolean) => events.push(`${name} ${isWaiting ? 'waits' : 'is sent'}`);
      const { signal } = new AbortController();
      const messages = [{ role: 'user' as const, content: 'Is it?' }];
      const { text } = await model.generate({ messages }, { signal, onWaiting });
      events.push(`${name} says ${text}`);
    };
    await Promise.all([askAs('first'), askAs('second')]);
    expect(events.slice(0, 3)).toEqual(['first waits', 'second waits', 'first is sent']);
    expect(events.slice(3).toSorted()).toEqual(['first says yes', 'second is sent', 'second says yes']);
  });
});

test('the values of a bounded number are listed for the grammar, and a text has a maximum length', () => {
  const { properties } = toGrammarSchema({
    type: 'object',
    properties: {
      reason: { type: 'string' },
      score: { type: 'number', minimum: 0, maximum: 1 },
      grade: { type: 'integer', minimum: 1, maximum: 5 },
      free: { type: 'number', minimum: 0 },
      list: { type: 'array', items: { type: 'string' } },
    },
  }) as { properties: { score: { enum: number[] } } & Record<string, unknown> };
  expect(properties.score.enum).toHaveLength(21);
  expect(properties.score.enum.slice(0, 4)).toEqual([0, 0.05, 0.1, 0.15]);
  expect(properties).toMatchObject({
    reason: { type: 'string', maxLength: 2000 },
    grade: { enum: [1, 2, 3, 4, 5] },
    free: { type: 'number', minimum: 0 },
    list: { type: 'array', items: { maxLength: 2000 } },
  });
});

test('the conversation is written as a history in which calls contain their results', () => {
  const history = toHistory({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'Wait.',
        toolCalls: [{ id: 'a', name: 'look', arguments: { city: 'Bonn' } }],
      },
      { role: 'tool', content: 'rain', toolCallId: 'a' },
    ],
  });
  const call = {
    type: 'functionCall',
    name: 'look',
    params: { city: 'Bonn' },
    result: 'rain',
    startsNewChunk: true,
  };
  expect(history).toEqual([
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: 'Weather?' },
    { type: 'model', response: ['Wait.', call] },
  ]);
});
