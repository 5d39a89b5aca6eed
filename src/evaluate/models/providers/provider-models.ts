import { z } from 'zod';
import { defineModel } from '../model.ts';
import { createOpenaiChat, openaiChat, openaiOptions } from '../openai-chat.ts';
import { addressOf, parametersOf, type Provider, providers } from './table.ts';

/** Examples of the parts of an address. */
const examples: Readonly<Record<string, string>> = {
  resource: 'contoso',
  region: 'eu-west-1',
  location: 'europe-west1',
  project: 'my-project',
};

function modelOf(provider: Provider) {
  const { name, title, address, apiKeyEnv, isKeyOptional, model, note } = provider;
  const parameters = parametersOf(provider);
  const key =
    apiKeyEnv === undefined ? 'no key' : `key in ${apiKeyEnv}${isKeyOptional === true ? ', if any' : ''}`;
  const [, host = ''] = /^https?:\/\/([^/]+)/.exec(address) ?? [];
  return defineModel({
    name,
    version: openaiChat.definition.version,
    summary: `${title}: ${host}, ${key}.${note === undefined ? '' : ` ${note}`}`,
    words: `${title}, provider, ${apiKeyEnv === undefined ? 'local, ' : ''}compatible API`,
    example: { ...Object.fromEntries(parameters.map((each) => [each, examples[each] ?? ''])), model },
    options: () => optionsOf(provider, parameters),
    create: ({ baseUrl, ...options }, needs) => {
      const given = Object.entries(options).filter(([each]) => !parameters.includes(each));
      const written = { ...Object.fromEntries(given), baseUrl: baseUrl ?? addressOf(provider, options) };
      return createOpenaiChat(openaiOptions().parse(written), needs, provider);
    },
  });
}

/** Returns the options of `openai-chat`, with those in the address, or with the address as the default of `baseUrl`. */
function optionsOf(provider: Provider, parameters: readonly string[]) {
  const { baseUrl: _, ...others } = openaiOptions().shape;
  const isOpen = parameters.length === 0;
  return z.strictObject({
    ...Object.fromEntries(parameters.map((name) => [name, partOfAddress()])),
    ...others,
    ...(isOpen && {
      baseUrl: z
        .url()
        .default(provider.address)
        .describe('Where the API is, if elsewhere. No key goes there, unless `apiKeyEnv` names it.'),
    }),
  }) as unknown as z.ZodType<Readonly<Record<string, unknown>>>;
}

/** Returns the schema of a part of an address: it cannot end a host or a path, or begin another. */
function partOfAddress() {
  return z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i, 'must be of letters, digits and hyphens')
    .describe('Part of the address of the API.');
}

/**
 * A model for each provider of the table, by its name. It is `openai-chat` at the address of the provider, and has the
 * fingerprint of that: both share their judgements.
 */
export const providerModels = Object.fromEntries(
  providers.map((provider) => [provider.name, modelOf(provider)]),
);
