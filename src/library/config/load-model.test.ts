import { expect, test } from 'vitest';
import { loadModel } from './load-model.ts';

/** Returns the address that a model is asked at, by the fingerprint of the same model written out. */
async function isSame(name: string, written: { use: string; [option: string]: unknown }): Promise<boolean> {
  const [one, other] = await Promise.all([loadModel(name, '.'), loadModel(written, '.')]);
  return one.fingerprint === other.fingerprint && one.name === other.name;
}

test.each([
  ['mistral:7b', 'ollama', 'mistral:7b'],
  ['mistral:latest', 'ollama', 'mistral:latest'],
  ['mistral:7b-instruct-v0.3-q4_K_M', 'ollama', 'mistral:7b-instruct-v0.3-q4_K_M'],
  ['mistral:instruct', 'ollama', 'mistral:instruct'],
  ['qwen3:4b', 'ollama', 'qwen3:4b'],
  ['qwen2.5:0.5b', 'ollama', 'qwen2.5:0.5b'],
  ['gemma3:270m', 'ollama', 'gemma3:270m'],
  ['mixtral:8x7b', 'ollama', 'mixtral:8x7b'],
  ['ollama:mistral:7b', 'ollama', 'mistral:7b'],
  ['ollama:qwen3', 'ollama', 'qwen3'],
  ['mistral:mistral-small-latest', 'mistral', 'mistral-small-latest'],
  ['mistral:open-mixtral-8x7b', 'mistral', 'open-mixtral-8x7b'],
  ['groq:openai/gpt-oss-120b', 'groq', 'openai/gpt-oss-120b'],
  ['openrouter:qwen/qwen3-8b:free', 'openrouter', 'qwen/qwen3-8b:free'],
  ['anthropic:claude-haiku-4-5', 'anthropic', 'claude-haiku-4-5'],
  ['openai-chat:gpt-5-mini', 'openai-chat', 'gpt-5-mini'],
  ['claude-haiku-4-5', 'anthropic', 'claude-haiku-4-5'],
  ['gemini-2.5-flash', 'gemini', 'gemini-2.5-flash'],
  ['gpt-5-mini', 'openai-chat', 'gpt-5-mini'],
  ['ft:gpt-4o-mini:acme::9abc', 'openai-chat', 'ft:gpt-4o-mini:acme::9abc'],
])('%s is a model of %s', async (name, use, model) => {
  expect(await isSame(name, { use, model })).toBe(true);
});

test.each([
  [
    'mistrl:mistral-small-latest',
    'there is no model "mistrl". Did you mean "mistral"?',
    'mistral:mistral-small-latest',
  ],
  ['olama:qwen3', 'Did you mean "ollama"?', 'ollama:qwen3'],
])('%s is answered with the near name', async (name, message, remedy) => {
  await expect(loadModel(name, '.')).rejects.toMatchObject({
    code: 'extension-unknown',
    message: expect.stringContaining(message),
    remedy: `Write ${remedy}.`,
  });
});
