import { expect, test } from 'vitest';
import { isSecretName } from '../../../core/lib/redact-secrets.ts';
import { addressOf, findProvider, keyVariableOf, parametersOf, providers } from './table.ts';

const parts = { resource: 'contoso', region: 'eu-west-1', location: 'europe-west1', project: 'my-project' };

test.each([
  ['openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY'],
  ['lmstudio', 'http://localhost:1234/v1', undefined],
  ['ollama', 'http://localhost:11434/v1', undefined],
  ['vllm', 'http://localhost:8000/v1', 'VLLM_API_KEY'],
  ['llama-server', 'http://localhost:8080/v1', undefined],
  ['groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
  ['mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'],
  ['openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
  ['together', 'https://api.together.ai/v1', 'TOGETHER_API_KEY'],
  ['deepseek', 'https://api.deepseek.com', 'DEEPSEEK_API_KEY'],
  ['fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'],
  ['xai', 'https://api.x.ai/v1', 'XAI_API_KEY'],
  ['cerebras', 'https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'],
  ['perplexity', 'https://api.perplexity.ai', 'PERPLEXITY_API_KEY'],
  ['nvidia', 'https://integrate.api.nvidia.com/v1', 'NVIDIA_NIM_API_KEY'],
  ['sambanova', 'https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY'],
  ['moonshot', 'https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'],
  ['github', 'https://models.github.ai/inference', 'GITHUB_TOKEN'],
  ['vercel', 'https://ai-gateway.vercel.sh/v1', 'AI_GATEWAY_API_KEY'],
  ['azure', 'https://contoso.openai.azure.com/openai/v1', 'AZURE_OPENAI_API_KEY'],
  ['bedrock', 'https://bedrock-mantle.eu-west-1.api.aws/v1', 'AWS_BEARER_TOKEN_BEDROCK'],
  [
    'vertex',
    'https://europe-west1-aiplatform.googleapis.com/v1/projects/my-project/locations/europe-west1/endpoints/openapi',
    'GOOGLE_OAUTH_ACCESS_TOKEN',
  ],
])('%s is at %s, and is found there', (name, address, variable) => {
  const provider = providers.find((each) => each.name === name);
  if (provider === undefined) throw new Error(`no row ${name}`);
  expect(addressOf(provider, parts)).toBe(address);
  expect(findProvider(address)).toBe(provider);
  expect(keyVariableOf(provider, { VLLM_API_KEY: 'k' })).toBe(variable);
});

test('every row has another name, another address, and a key that no record shows', () => {
  expect(providers).toHaveLength(22);
  expect(new Set(providers.map(({ name }) => name)).size).toBe(22);
  expect(new Set(providers.map(({ address }) => address)).size).toBe(22);
  for (const { apiKeyEnv } of providers)
    if (apiKeyEnv !== undefined) expect(isSecretName(apiKeyEnv)).toBe(true);
});

test('an API of a version, and the one of no region in particular, have addresses of their own', () => {
  const [azure, vertex] = ['azure', 'vertex'].map((name) => providers.find((each) => each.name === name));
  if (azure === undefined || vertex === undefined) throw new Error('a row is missing');
  const dated = { ...parts, model: 'my-gpt', apiVersion: '2024-10-21' };
  expect(addressOf(azure, dated)).toBe('https://contoso.openai.azure.com/openai/deployments/my-gpt');
  const everywhere = addressOf(vertex, { ...parts, location: 'global' });
  expect(everywhere).toBe(
    'https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/endpoints/openapi',
  );
  expect(findProvider(everywhere)).toBe(vertex);
  expect(parametersOf(vertex)).toEqual(['location', 'project']);
});

test.each([
  'https://api.groq.com.evil.example/openai/v1',
  'https://evil.example/api.groq.com',
  'http://api.groq.com/openai/v1',
  'https://api.groq.com:8443/openai/v1',
  'https://xapi.groq.com/v1',
  'https://openai.azure.com.evil.example/openai/v1',
  'https://a.b.bedrock-mantle.eu-west-1.api.aws.example/v1',
  'http://localhost:8001/v1',
])('%s is no provider, so no key goes there', (address) => {
  expect(findProvider(address)).toBeUndefined();
});

test.each([
  ['https://bedrock-mantle.us-east-1.api.aws/openai/v1', 'bedrock'],
  ['https://contoso.cognitiveservices.azure.com/openai/v1', 'azure'],
  ['https://api.together.xyz/v1', 'together'],
])('%s, which a config writes out, is an address of %s', (address, name) => {
  expect(findProvider(address)?.name).toBe(name);
});

test('a server that needs no key gets one only where it is set', () => {
  const provider = findProvider('http://localhost:8000/v1');
  expect(keyVariableOf(provider, {})).toBeUndefined();
  expect(keyVariableOf(provider, { VLLM_API_KEY: 'k' })).toBe('VLLM_API_KEY');
});
