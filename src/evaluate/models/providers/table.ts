import type { AttachmentKind } from '../../../core/schema/message.ts';
import type { JsonMode, MaxTokensField } from '../http/asking-form.ts';
import type { SchemaLimits } from '../http/simplify-schema.ts';
import type { ModelNeeds } from '../model.ts';

/** A provider with the API of OpenAI's chat completions: all that differs from one to another. */
export interface Provider {
  /** The name after `use:`. */
  readonly name: string;
  /** The name of the provider in texts. */
  readonly title: string;
  /** The address of its API. Each `{name}` in it is an option that has to be given. */
  readonly address: string;
  /** The address in place of it when there is an `apiVersion`. */
  readonly addressOfVersion?: string;
  /** Other hosts of the provider, which get the key, too. */
  readonly otherHosts?: RegExp;
  /** The environment variable with the key; absent for a server that needs none. */
  readonly apiKeyEnv?: string;
  /** True when the server works without its key as well. */
  readonly isKeyOptional?: true;
  readonly keyHeader?: 'api-key';
  readonly maxTokensField?: MaxTokensField;
  readonly seedField?: 'random_seed';
  /** The ways of asking for JSON that it may take, the best first; all of them by default. */
  readonly jsonModes?: readonly JsonMode[];
  /** The kinds of files that its models take, as a rule; none by default. */
  readonly takes?: readonly AttachmentKind[];
  /** Set when the provider compiles each new JSON Schema, which takes seconds. */
  readonly schemaLimits?: SchemaLimits;
  /** The API of its batches, where it has some, and the share of the usual price, where that is certain. */
  readonly batch?: 'openai-files' | 'mistral-jobs';
  readonly batchPrice?: number;
  /** The name of a model, for the example. */
  readonly model: string;
  /** A sentence with what else one has to know. */
  readonly note?: string;
}

/** The providers that a config can name: one row each. A key is sent to the hosts of its row and to no others. */
export const providers: readonly Provider[] = [
  {
    name: 'openai',
    title: 'OpenAI',
    address: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
    maxTokensField: 'max_completion_tokens',
    schemaLimits: {},
    batch: 'openai-files',
    batchPrice: 0.5,
    takes: ['image', 'pdf'],
    model: 'gpt-5-mini',
  },
  {
    name: 'lmstudio',
    title: 'LM Studio',
    address: 'http://localhost:1234/v1',
    jsonModes: ['json-schema', 'none'],
    model: 'qwen3-8b',
  },
  { name: 'ollama', title: 'Ollama', address: 'http://localhost:11434/v1', model: 'qwen3:8b' },
  {
    name: 'vllm',
    title: 'vLLM',
    address: 'http://localhost:8000/v1',
    apiKeyEnv: 'VLLM_API_KEY',
    isKeyOptional: true,
    model: 'Qwen/Qwen3-8B',
  },
  {
    name: 'llama-server',
    title: 'The server of llama.cpp',
    address: 'http://localhost:8080/v1',
    model: 'qwen3-8b',
  },
  {
    name: 'groq',
    title: 'Groq',
    address: 'https://api.groq.com/openai/v1',
    apiKeyEnv: 'GROQ_API_KEY',
    batch: 'openai-files',
    model: 'openai/gpt-oss-120b',
  },
  {
    name: 'mistral',
    title: 'Mistral',
    address: 'https://api.mistral.ai/v1',
    apiKeyEnv: 'MISTRAL_API_KEY',
    seedField: 'random_seed',
    batch: 'mistral-jobs',
    batchPrice: 0.5,
    model: 'mistral-small-latest',
  },
  {
    name: 'openrouter',
    title: 'OpenRouter',
    address: 'https://openrouter.ai/api/v1',
    otherHosts: /^[a-z0-9-]+\.openrouter\.ai$/,
    apiKeyEnv: 'OPENROUTER_API_KEY',
    model: 'qwen/qwen3-8b',
  },
  {
    name: 'together',
    title: 'Together AI',
    address: 'https://api.together.ai/v1',
    otherHosts: /^api\.together\.xyz$/,
    apiKeyEnv: 'TOGETHER_API_KEY',
    model: 'openai/gpt-oss-120b',
  },
  {
    name: 'deepseek',
    title: 'DeepSeek',
    address: 'https://api.deepseek.com',
    apiKeyEnv: 'DEEPSEEK_API_KEY',
    jsonModes: ['json-object', 'none'],
    model: 'deepseek-chat',
    note: 'It takes no JSON Schema, so JSON is asked for without one.',
  },
  {
    name: 'fireworks',
    title: 'Fireworks AI',
    address: 'https://api.fireworks.ai/inference/v1',
    apiKeyEnv: 'FIREWORKS_API_KEY',
    model: 'accounts/fireworks/models/gpt-oss-120b',
  },
  { name: 'xai', title: 'xAI', address: 'https://api.x.ai/v1', apiKeyEnv: 'XAI_API_KEY', model: 'grok-4' },
  {
    name: 'cerebras',
    title: 'Cerebras',
    address: 'https://api.cerebras.ai/v1',
    apiKeyEnv: 'CEREBRAS_API_KEY',
    model: 'gpt-oss-120b',
  },
  {
    name: 'perplexity',
    title: 'Perplexity',
    address: 'https://api.perplexity.ai',
    apiKeyEnv: 'PERPLEXITY_API_KEY',
    model: 'sonar',
  },
  {
    name: 'nvidia',
    title: 'NVIDIA NIM',
    address: 'https://integrate.api.nvidia.com/v1',
    apiKeyEnv: 'NVIDIA_NIM_API_KEY',
    model: 'openai/gpt-oss-120b',
  },
  {
    name: 'sambanova',
    title: 'SambaNova',
    address: 'https://api.sambanova.ai/v1',
    apiKeyEnv: 'SAMBANOVA_API_KEY',
    model: 'gpt-oss-120b',
  },
  {
    name: 'moonshot',
    title: 'Moonshot AI (Kimi)',
    address: 'https://api.moonshot.ai/v1',
    apiKeyEnv: 'MOONSHOT_API_KEY',
    model: 'kimi-k2-0905-preview',
  },
  {
    name: 'github',
    title: 'GitHub Models',
    address: 'https://models.github.ai/inference',
    apiKeyEnv: 'GITHUB_TOKEN',
    model: 'openai/gpt-4o-mini',
  },
  {
    name: 'vercel',
    title: 'The AI gateway of Vercel',
    address: 'https://ai-gateway.vercel.sh/v1',
    apiKeyEnv: 'AI_GATEWAY_API_KEY',
    model: 'openai/gpt-5-mini',
  },
  {
    name: 'azure',
    title: 'Azure OpenAI',
    address: 'https://{resource}.openai.azure.com/openai/v1',
    addressOfVersion: 'https://{resource}.openai.azure.com/openai/deployments/{model}',
    otherHosts: /(^|\.)(azure\.com|azure-api\.net)$/,
    apiKeyEnv: 'AZURE_OPENAI_API_KEY',
    keyHeader: 'api-key',
    maxTokensField: 'max_completion_tokens',
    schemaLimits: { bounds: true },
    batch: 'openai-files',
    batchPrice: 0.5,
    model: 'my-deployment',
    note: '`model` is the name of the deployment.',
  },
  {
    name: 'bedrock',
    title: 'Amazon Bedrock',
    address: 'https://bedrock-mantle.{region}.api.aws/v1',
    apiKeyEnv: 'AWS_BEARER_TOKEN_BEDROCK',
    model: 'openai.gpt-oss-120b',
    note: 'Its models with the API of OpenAI (some at `/openai/v1`: `openai-chat` with that `baseUrl`); others go through `ai-sdk`.',
  },
  {
    name: 'vertex',
    title: 'Google Vertex AI',
    address:
      'https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}/endpoints/openapi',
    otherHosts: /^aiplatform\.googleapis\.com$/,
    apiKeyEnv: 'GOOGLE_OAUTH_ACCESS_TOKEN',
    model: 'google/gemini-2.5-flash',
    note: 'Or `keyCommand: gcloud auth print-access-token`, whose token is good for an hour.',
  },
];

/** Returns the names of the options in an address: `resource`. */
export function parametersOf({ address }: Provider): string[] {
  return [...new Set(Array.from(address.matchAll(/\{(\w+)\}/g), ([, name = '']) => name))];
}

/** Returns the address of a provider's API with its options filled in. */
export function addressOf(
  { address, addressOfVersion = address }: Provider,
  options: Readonly<Record<string, unknown>>,
): string {
  const written = options['apiVersion'] === undefined ? address : addressOfVersion;
  const filled = written.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(options[name])),
  );
  return filled.replace(/^https:\/\/global-/, 'https://'); // Google's host for no region in particular.
}

/**
 * Returns the provider at an address; undefined when there is none. Only an encrypted connection counts, but for
 * a server on this machine.
 */
export function findProvider(baseUrl: string): Provider | undefined {
  const { protocol, host } = new URL(baseUrl);
  return providers.find(({ address, otherHosts }) => {
    const pattern = /^(https?:)\/\/([^/]+)/.exec(address);
    const own = (pattern?.[2] ?? '').replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[a-z0-9-]+');
    return (
      pattern?.[1] === protocol && (new RegExp(`^${own}$`).test(host) || otherHosts?.test(host) === true)
    );
  });
}

/** Returns the variable with a provider's key; undefined when it has none, or can do without and none is set. */
export function keyVariableOf(
  { apiKeyEnv, isKeyOptional }: Pick<Provider, 'apiKeyEnv' | 'isKeyOptional'> = {},
  environment: ModelNeeds['environment'],
): string | undefined {
  if (apiKeyEnv === undefined || (isKeyOptional === true && !environment[apiKeyEnv])) return undefined;
  return apiKeyEnv;
}
