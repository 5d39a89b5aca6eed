import path from 'node:path';
import type { NamedUse } from '../../core/lib/define.ts';
import type { ChatModel } from '../../evaluate/models/model.ts';
import { explainProblems, type LocateSetting } from './config-problem.ts';
import { loadConfig } from './load-config.ts';
import { modelRegistry } from './registries.ts';
import { resolveUse } from './resolve-use.ts';

/**
 * Loads the model that a command or a call names: as a value, such as `openaiChat({ model: 'gpt-5-mini' })`; as a file with one,
 * in YAML, JSON, TypeScript or JavaScript; as its kind and name, such as `anthropic:claude-haiku-4-5`; or by its name alone,
 * whose beginning says whether it is one of Anthropic or Google, otherwise one of OpenAI. Throws `TouchstoneError` for a model
 * that cannot be used.
 * @param folder - The folder that relative paths start from.
 */
export async function loadModel(wanted: NamedUse | string, folder: string): Promise<ChatModel> {
  if (typeof wanted === 'string' && isFile(wanted)) {
    const { written, folder: home, locate } = await loadConfig(path.resolve(folder, wanted));
    return await create(written as NamedUse, home, locate);
  }
  return await create(
    typeof wanted === 'string' ? readName(wanted) : wanted,
    folder,
    async () => 'the model',
  );
}

async function create(use: NamedUse, folder: string, locate: LocateSetting): Promise<ChatModel> {
  const needs = { folder, environment: process.env };
  return await explainProblems(locate, async () => resolveUse(use, [], modelRegistry, needs).instance);
}

function isFile(name: string): boolean {
  return /\.(?:ya?ml|json|[cm]?[jt]s)$/.test(name);
}

/** Reads a name such as `openai-chat:gpt-5-mini` or `gpt-5-mini`. A colon may also be part of a name, as in `qwen3:4b`. */
function readName(name: string): NamedUse {
  const [, kind = '', rest = ''] = /^([a-z-]+):(.+)$/s.exec(name) ?? [];
  if (modelRegistry.definitions.some((definition) => definition.name === kind))
    return { use: kind, model: rest };
  if (name.startsWith('claude')) return { use: 'anthropic', model: name };
  return { use: name.startsWith('gemini') ? 'gemini' : 'openai-chat', model: name };
}
