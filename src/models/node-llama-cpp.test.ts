import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { nodeLlamaCpp } from './node-llama-cpp.ts';
import { toHistory } from './node-llama-cpp/to-history.ts';

function create(folder: string, options: Parameters<typeof nodeLlamaCpp>[0]) {
  const { definition } = nodeLlamaCpp;
  return definition.create(definition.options.parse(options), { folder, environment: {} });
}

test('without its package it says what to install; without its file, which one is missing', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-gguf-'));
  try {
    const model = create(folder, { path: 'tiny.gguf' });
    await expect(model.open?.()).rejects.toMatchObject({ code: 'model-invalid' });
    writeFileSync(path.join(folder, 'tiny.gguf'), '');
    await expect(create(folder, { path: 'tiny.gguf' }).open?.()).rejects.toMatchObject({
      code: 'package-missing',
      remedy: expect.stringContaining('npm install node-llama-cpp'),
    });
    await model.close?.();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A package of that name that needs no file of weights: it takes 50 ms to say "yes". */
const quickPackage = `
  const dispose = async () => {};
  const getSequence = () => ({ tokenMeter: { usedInputTokens: 3, usedOutputTokens: 1 }, dispose });
  const createContext = async () => ({ getSequence, dispose });
  exports.getLlama = async () => ({ loadModel: async () => ({ createContext, dispose }), dispose });
  exports.LlamaChat = class {
    dispose() {}
    async generateResponse() {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { response: 'yes', fullResponse: ['yes'], metadata: { stopReason: 'eogToken' } };
    }
  };
`;

test('calls tell when they begin and end to wait for their turn: one conversation at a time', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-gguf-'));
  try {
    const inside = path.join(folder, 'node_modules', 'node-llama-cpp');
    mkdirSync(inside, { recursive: true });
    writeFileSync(path.join(inside, 'index.js'), quickPackage);
    writeFileSync(path.join(folder, 'tiny.gguf'), '');
    const model = create(folder, { path: 'tiny.gguf' });
    await model.open?.();
    const told: string[] = [];
    const askAs = async (name: string) => {
      const onWaiting = (isWaiting: boolean) => told.push(`${name} ${isWaiting ? 'waits' : 'is sent'}`);
      const { signal } = new AbortController();
      const messages = [{ role: 'user' as const, content: 'Is it?' }];
      const { text } = await model.generate({ messages }, { signal, onWaiting });
      told.push(`${name} says ${text}`);
    };
    await Promise.all([askAs('first'), askAs('second')]);
    expect(told.slice(0, 3)).toEqual(['first waits', 'second waits', 'first is sent']);
    expect(told.slice(3).toSorted()).toEqual(['first says yes', 'second is sent', 'second says yes']);
    await model.close?.();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the conversation is written as a history in which calls hold their results', () => {
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
