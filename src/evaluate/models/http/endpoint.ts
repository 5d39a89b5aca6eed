import { TouchstoneError } from '../../../core/errors.ts';
import { findUnreachable } from '../../../core/lib/network/connection-error.ts';
import { isSecretName, type SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import {
  openSecretCommand,
  type SecretCommand,
  type SecretCommandSettings,
} from '../../../core/lib/programs/secret-command.ts';
import type { ModelNeeds } from '../model.ts';
import { createEnvironmentRedactor } from './common-options.ts';

/** The address and the key of a provider, as the options give them. */
export interface EndpointSettings {
  readonly baseUrl: string;
  /** The name of the environment variable with the key; undefined for a server that needs none. */
  readonly apiKeyEnv: string | undefined;
  /** The command that prints the key, in place of the variable. */
  readonly keyCommand?: Pick<SecretCommandSettings, 'command' | 'forMs'>;
  /** Returns the headers that carry the key. */
  readonly keyHeaders: (key: string) => Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers whose values are in environment variables: header name → variable. */
  readonly headersFromEnv: Readonly<Record<string, string>>;
  /** Parameters that are added to every URL. */
  readonly query?: Readonly<Record<string, string>>;
}

/** An endpoint: the address of requests, and their headers. */
export interface Endpoint {
  /** The origin, path and key name, which identify the account that limits apply to. */
  readonly account: string;
  readonly origin: string;
  readonly redactor: SecretRedactor;
  /** Returns the path and query of a request. */
  readonly pathOf: (path: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  /** The key that a command prints, which is sent with the headers. */
  readonly printedKey?: PrintedKey;
  /** The same headers without secrets, as they may be stored. */
  readonly shownHeaders: Readonly<Record<string, string>>;
}

/** The key that a command prints, and the headers that carry it. */
export interface PrintedKey extends SecretCommand {
  readonly headersOf: (key: string) => Readonly<Record<string, string>>;
}

/**
 * Checks the settings as far as possible without the environment. Throws `model-invalid` for a key or a secret that is
 * written out.
 */
export function checkEndpoint(settings: EndpointSettings): void {
  const { baseUrl, apiKeyEnv, headers, headersFromEnv } = settings;
  openKeyCommand(settings, { folder: '.', environment: {} });
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TouchstoneError('model-invalid', `\`baseUrl\` is not an http or https address: ${baseUrl}`);
  }
  const parameters = [...url.searchParams.keys()];
  if (url.username !== '' || url.password !== '' || parameters.some(isSecretName))
    throw writtenOut('baseUrl');
  for (const name of [apiKeyEnv, ...Object.values(headersFromEnv)]) {
    if (name !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw notAName();
  }
  const secret = Object.keys(headers).find(isSecretName);
  if (secret !== undefined) throw writtenOut(`headers.${secret}`);
}

/** Opens an endpoint with keys from the environment. Throws `environment-missing`. */
export function openEndpoint(settings: EndpointSettings, needs: ModelNeeds): Endpoint {
  const { baseUrl, keyCommand, keyHeaders, headers, headersFromEnv, query = {} } = settings;
  const { environment } = needs;
  const apiKeyEnv = keyCommand === undefined ? settings.apiKeyEnv : undefined;
  const printedKey = openKeyCommand(settings, needs);
  const key = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv] || undefined;
  if (apiKeyEnv !== undefined && key === undefined) throw missing([apiKeyEnv], keyRemedy);
  const unset = Object.values(headersFromEnv).filter((name) => !environment[name]);
  if (unset.length > 0) throw missing(unset);
  const secretHeaders = {
    ...(key !== undefined && keyHeaders(key)),
    ...mapValues(headersFromEnv, (name) => environment[name] ?? ''),
  };
  const url = new URL(baseUrl);
  const parameters = new URLSearchParams([...url.searchParams, ...Object.entries(query)]).toString();
  const base = url.pathname.replace(/\/+$/, '');
  const plain = { 'content-type': 'application/json', ...lowerKeys(headers) };
  const redactor = createEnvironmentRedactor(environment, [apiKeyEnv, ...Object.values(headersFromEnv)]);
  return {
    account: `${url.origin}${base} ${apiKeyEnv ?? [keyCommand?.command ?? []].flat().join(' ')}`,
    origin: url.origin,
    redactor,
    pathOf: (path) => `${base}${path}${joinQuery(path, parameters)}`,
    headers: { ...plain, ...lowerKeys(secretHeaders) },
    ...(printedKey && { printedKey }),
    shownHeaders: {
      ...mapValues(plain, redactor.text),
      ...mapValues({ ...printedKey?.headersOf(''), ...lowerKeys(secretHeaders) }, () => '[redacted]'),
    },
  };
}

/** Returns the key that a command prints; undefined where the settings name none. Throws `model-invalid`. */
function openKeyCommand(
  { keyCommand, keyHeaders }: EndpointSettings,
  { folder, environment }: Omit<ModelNeeds, 'rateLimiter'>,
): PrintedKey | undefined {
  if (keyCommand === undefined) return undefined;
  const settings = { ...keyCommand, setting: 'keyCommand', folder, environment };
  return { ...openSecretCommand(settings, 'model-invalid'), headersOf: (key) => lowerKeys(keyHeaders(key)) };
}

function joinQuery(path: string, parameters: string): string {
  if (parameters === '') return '';
  return `${path.includes('?') ? '&' : '?'}${parameters}`;
}

function lowerKeys(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

const keyRemedy =
  'Set it and run again, or let a command print the key: `keyCommand: …` in the settings of the model.';

function missing(names: readonly string[], remedy?: string): TouchstoneError {
  return new TouchstoneError(
    'environment-missing',
    `The model needs ${names.join(', ')}, which ${names.length === 1 ? 'is' : 'are'} not set in the environment.`,
    remedy === undefined ? {} : { remedy },
  );
}

function writtenOut(setting: string): TouchstoneError {
  return new TouchstoneError(
    'model-invalid',
    `\`${setting}\` of the model looks like a secret that is written out.`,
    {
      remedy: 'Keep it in an environment variable, and name that in `apiKeyEnv` or `headersFromEnv`.',
    },
  );
}

function notAName(): TouchstoneError {
  return new TouchstoneError(
    'model-invalid',
    '`apiKeyEnv` and `headersFromEnv` are for names of environment variables; what is written there is not one.',
    { remedy: 'Put the key into an environment variable, such as OPENAI_API_KEY, and write that name.' },
  );
}

/** Throws `model-unreachable` with host, port and reason when no server listens at a URL. */
export async function checkReachable(url: URL): Promise<void> {
  const reason = await findUnreachable(url);
  if (reason !== undefined) throw new TouchstoneError('model-unreachable', reason);
}
