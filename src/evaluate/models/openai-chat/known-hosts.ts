import type { SchemaLimits } from '../http/simplify-schema.ts';

/** The particulars of a well-known provider. */
export interface KnownHost {
  readonly pattern: RegExp;
  readonly apiKeyEnv: string;
  readonly keyHeader?: 'api-key';
  readonly maxTokensField?: string;
  /** Set when the provider compiles each new JSON Schema, which takes seconds. */
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

/** Returns the well-known provider at an address; undefined when there is none. */
export function findHost(baseUrl: string): KnownHost | undefined {
  const { hostname } = new URL(baseUrl);
  return knownHosts.find(({ pattern }) => pattern.test(hostname));
}
