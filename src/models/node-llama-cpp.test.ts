import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
