import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import { didYouMean, nearestName } from '../../core/lib/text/nearest-name.ts';
import type { ChatModel } from '../../evaluate/models/model.ts';
import { explainProblems, type LocateSetting } from './config-problem.ts';
import { loadConfig } from './load-config.ts';
import { modelNames, modelRegistry } from './registries.ts';
import { resolveUse } from './resolve-use.ts';

/**
 * Loads the model that a command or a call names: as a value, such as `openaiChat({ model: 'gpt-5-mini' })`; as a file with one,
 * in YAML, JSON, TypeScript or JavaScript; as its provider and name, such as `groq:openai/gpt-oss-120b`; or by its name alone:
 * its beginning or its tag says whether it is one of Anthropic, Google or Ollama, otherwise it is one of OpenAI. Throws `TouchstoneError` for a model
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

/** The tags of models of Ollama: sizes, kinds and quantizations. No provider of ours calls a model so. */
const ollamaTag = /^(?:latest|(?:e?\d+(?:\.\d+)?(?:x\d+)?[bm]|instruct|text|chat|q\d|fp16)(?:-[\w.-]+)?)$/i;

/**
 * Reads a name such as `anthropic:claude-haiku-4-5` or `gpt-5-mini`. A colon may also stand before the tag of a model of Ollama:
 * `qwen3:4b`, and `mistral:7b`, which is not a model of Mistral. Throws `extension-unknown` for a provider that is nearly known.
 */
function readName(name: string): NamedUse {
  const [, kind = '', rest = ''] = /^([\w.-]+):(.+)$/s.exec(name) ?? [];
  if (ollamaTag.test(rest)) return { use: 'ollama', model: name };
  if (modelNames.includes(kind)) return { use: kind, model: rest };
  const near = kind.length < 4 ? undefined : nearestName(kind, modelNames);
  if (near !== undefined) {
    const message = `there is no model "${kind}".${didYouMean(kind, modelNames)}`;
    throw new TouchstoneError('extension-unknown', message, { remedy: `Write ${near}:${rest}.` });
  }
  if (name.startsWith('claude')) return { use: 'anthropic', model: name };
  return { use: name.startsWith('gemini') ? 'gemini' : 'openai-chat', model: name };
}
