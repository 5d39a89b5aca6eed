import { isSecretSetting } from '../../../../core/lib/literal-secrets.ts';
import { parametersOf, providers } from '../../../../evaluate/models/providers/table.ts';
import { toJson } from '../../../../evaluate/targets/reply/to-json.ts';
import type { JsonObject } from '../../importer.ts';
import type { Ledger } from '../../ledger.ts';
import { asNumber, asText, type Fields } from '../../values.ts';

/** A provider of a config: an id such as `openai:chat:gpt-5-mini`, with its settings. */
export interface FoundProvider {
  readonly id: string;
  readonly label: string;
  readonly config: Fields;
  /** The prompts that it is asked with, by label or id; all when undefined. */
  readonly prompts: readonly string[] | undefined;
  /** Settings that change the reply: code. */
  readonly transform: string | undefined;
}

/** Returns the model of a provider; undefined for one that is no model that we know how to ask. */
export function modelOf({ id, config }: FoundProvider, ledger: Ledger): JsonObject | undefined {
  const [kind = '', ...rest] = id.split(':');
  const withoutForm = ['chat', 'completion', 'responses', 'messages'].includes(rest[0] ?? '')
    ? rest.slice(1)
    : rest;
  const model = withoutForm.join(':');
  if (model === '' || /^(?:embedding|embeddings|moderation|realtime|image|assistant)/.test(rest[0] ?? ''))
    return undefined;
  const base = baseOf(kind);
  return base === undefined ? undefined : { ...base, model, ...settingsOf(config, { place: id, ledger }) };
}

function baseOf(kind: string): JsonObject | undefined {
  if (kind === 'openai') return { use: 'openai-chat' };
  if (kind === 'anthropic') return { use: 'anthropic' };
  if (kind === 'google') return { use: 'gemini' };
  const provider = providers.find(({ name }) => name === kind);
  return provider === undefined || parametersOf(provider).length > 0 ? undefined : { use: kind };
}

/** Returns the embedding model of a provider; undefined when it is none of OpenAI's protocol. */
export function embedderOf({ id, config }: FoundProvider, ledger: Ledger): JsonObject | undefined {
  const match = /^openai:embeddings?:(.+)$/.exec(id);
  if (match === null) return undefined;
  const { temperature: _, ...settings } = settingsOf(config, { place: id, ledger });
  return { use: 'openai-embeddings', model: match[1] ?? '', ...settings };
}

/** The settings of providers that models of ours have under another name. */
const numbers: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  max_output_tokens: 'maxTokens',
  top_p: 'topP',
  seed: 'seed',
};

function settingsOf(config: Fields, { place, ledger }: { place: string; ledger: Ledger }): JsonObject {
  const settings: JsonObject = {};
  for (const [key, value] of Object.entries(config)) {
    const own = Object.hasOwn(numbers, key) ? numbers[key] : undefined;
    if (own !== undefined && asNumber(value) !== undefined) settings[own] = asNumber(value) as number;
    else if (key === 'apiBaseUrl' && asText(value) !== undefined) settings['baseUrl'] = value as string;
    else if (key === 'apiKeyEnvar' && asText(value) !== undefined) settings['apiKeyEnv'] = value as string;
    else if (key === 'stop' && Array.isArray(value)) settings['stop'] = toJson(value);
    else if (isSecretSetting(key) && variableOf(value) !== undefined)
      settings['apiKeyEnv'] = variableOf(value) as string;
    else if (isSecretSetting(key)) refuseSecret(key, { place, ledger });
    else ledger.leaveOut(`provider setting ${key}`, { note: 'It has no equivalent that is known.', place });
  }
  return settings;
}

/** Returns the environment variable that a value such as `{{env.KEY}}` refers to. */
function variableOf(value: unknown): string | undefined {
  return /^\{\{\s*env\.(\w+)\s*\}\}$/.exec(asText(value) ?? '')?.[1];
}

/** Counts a secret that is not copied: its value is in no file, not even in the list of what was dropped. */
export function refuseSecret(name: string, { place, ledger }: { place: string; ledger: Ledger }): void {
  ledger.leaveOut('key in the config', {
    note: `The value of \`${name}\` is not copied. Give it in an environment variable.`,
    place,
  });
}
