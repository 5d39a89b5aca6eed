import type { SchemaLimits } from '../http/simplify-schema.ts';

/** What is particular to a well-known provider. */
export interface KnownHost {
  readonly pattern: RegExp;
  readonly apiKeyEnv: string;
  readonly keyHeader?: 'api-key';
  readonly maxTokensField?: string;
  /** It compiles each JSON Schema that it has not seen, which takes seconds. */
  readonly schemaLimits?: SchemaLimits;
}

const knownHosts: readonly KnownHost[] = [
  {
    pattern: /^api\.openai\.com$/,
    apiKeyEnv: 'OPENAI_API_KEY',
    maxTokensField: 'max_completion_tokens',
    schemaLimits: {},
  },
  {
    pattern: /(^|\.)(azure\.com|azure-api\.net)$/,
    apiKeyEnv: 'AZURE_OPENAI_API_KEY',
    keyHeader: 'api-key',
    maxTokensField: 'max_completion_tokens',
    schemaLimits: { bounds: true },
  },
  { pattern: /(^|\.)openrouter\.ai$/, apiKeyEnv: 'OPENROUTER_API_KEY' },
];

/** The well-known provider at an address, if it is one. */
export function findHost(baseUrl: string): KnownHost | undefined {
  const { hostname } = new URL(baseUrl);
  return knownHosts.find(({ pattern }) => pattern.test(hostname));
}
