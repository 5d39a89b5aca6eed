import { expect, test } from 'vitest';
import { ask, modelKey, serve } from '../../../../test/support/model-harness.ts';
import type { ChatModel } from '../model.ts';
import { createOpenaiChat, openaiChat, openaiOptions } from '../openai-chat.ts';
import { providerModels } from './provider-models.ts';
import { addressOf, parametersOf, providers } from './table.ts';

const parts = { resource: 'contoso', region: 'eu-west-1', location: 'europe-west1', project: 'my-project' };

function create(name: string, options: object, environment: Record<string, string> = {}): ChatModel {
  const definition = providerModels[name]?.definition;
  if (definition === undefined) throw new Error(`no provider ${name}`);
  return definition.create(definition.options.parse({ model: 'm', ...options }), {
    folder: '.',
    environment,
  });
}

test.each(providers.map((provider) => [provider.name, provider] as const))(
  '%s is `openai-chat` at its address, and asks for its own key',
  async (name, provider) => {
    const needed = Object.fromEntries(
      Object.entries(parts).filter(([each]) => parametersOf(provider).includes(each)),
    );
    const model = create(name, { ...needed, temperature: 0.5 });
    const { definition } = openaiChat;
    const written = { model: 'm', temperature: 0.5, baseUrl: addressOf(provider, parts) };
    const same = definition.create(definition.options.parse(written), { folder: '.', environment: {} });
    expect(model.fingerprint).toBe(same.fingerprint);
    for (const part of Object.keys(needed)) {
      expect(() => create(name, { ...needed, [part]: undefined })).toThrow();
      expect(() => create(name, { ...needed, [part]: 'evil.example/' })).toThrow(
        'letters, digits and hyphens',
      );
    }
    if (provider.apiKeyEnv === undefined || provider.isKeyOptional === true) return;
    await expect(model.open?.()).rejects.toMatchObject({
      code: 'environment-missing',
      message: `The model needs ${provider.apiKeyEnv}, which is not set in the environment.`,
    });
  },
);

test.each([
  ['azure', {}, 'api-key', modelKey, '/v1/chat/completions', 'max_completion_tokens'],
  [
    'azure',
    { apiVersion: '2024-10-21' },
    'api-key',
    modelKey,
    '/v1/chat/completions?api-version=2024-10-21',
    'max_completion_tokens',
  ],
  [
    'azure',
    { keyHeader: 'authorization' },
    'authorization',
    `Bearer ${modelKey}`,
    '/v1/chat/completions',
    'max_completion_tokens',
  ],
  ['bedrock', {}, 'authorization', `Bearer ${modelKey}`, '/v1/chat/completions', 'max_tokens'],
  ['vertex', {}, 'authorization', `Bearer ${modelKey}`, '/v1/chat/completions', 'max_tokens'],
] as const)(
  'a server is asked as %s is, with %j: the key in `%s`',
  async (name, options, header, key, path, field) => {
    const server = await serve('yes');
    const provider = providers.find((each) => each.name === name);
    const written = {
      model: 'my-deployment',
      baseUrl: server.url,
      apiKeyEnv: provider?.apiKeyEnv,
      ...options,
    };
    const environment = { [provider?.apiKeyEnv ?? '']: modelKey };
    await ask(createOpenaiChat(openaiOptions().parse(written), { folder: '.', environment }, provider), {
      maxTokens: 9,
    });
    const [received] = server.requests;
    expect(received?.headers[header]).toBe(key);
    expect([received?.path, received?.model]).toEqual([path, 'my-deployment']);
    expect(received?.body).toHaveProperty(field, 9);
  },
);

test.each(
  providers.filter((each) => parametersOf(each).length === 0).map(({ name, apiKeyEnv }) => [name, apiKeyEnv]),
)('the key of %s goes to no other server, unless the config names its variable', async (name, apiKeyEnv) => {
  const server = await serve('yes');
  const environment = Object.fromEntries(providers.map((each) => [each.apiKeyEnv ?? 'NO_KEY', modelKey]));
  await ask(create(name ?? '', { baseUrl: server.url }, environment));
  expect(JSON.stringify(server.requests[0]?.headers)).not.toContain(modelKey);
  if (apiKeyEnv === undefined) return;
  await ask(create(name ?? '', { baseUrl: server.url, apiKeyEnv }, environment));
  expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${modelKey}`);
});
