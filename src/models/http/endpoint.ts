import type { Socket } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { TouchstoneError } from '../../errors.ts';
import { findUnreachable } from '../../lib/connection-error.ts';
import { isSecretName, type SecretRedactor } from '../../lib/redact-secrets.ts';
import { createEnvironmentRedactor, type Environment } from './common-options.ts';

/** The address and the key of a provider, as options give them. */
export interface EndpointSettings {
  readonly baseUrl: string;
  /** Name of the environment variable that holds the key; undefined for a server that wants none. */
  readonly apiKeyEnv: string | undefined;
  /** The headers that carry the key. */
  readonly keyHeaders: (key: string) => Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers whose values are in environment variables: header name → variable. */
  readonly headersFromEnv: Readonly<Record<string, string>>;
  /** Added to every URL. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** Where requests go and what goes with them. */
export interface Endpoint {
  /** Origin, path and key name: what one account's limits belong to. */
  readonly account: string;
  readonly origin: string;
  readonly redactor: SecretRedactor;
  /** Path and query of a request. */
  readonly pathOf: (path: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  /** The same headers as they may be kept. */
  readonly shownHeaders: Readonly<Record<string, string>>;
}

/** Checks what can be checked without the environment. Throws `model-invalid` for a key or a secret written out. */
export function checkEndpoint({ baseUrl, apiKeyEnv, headers, headersFromEnv }: EndpointSettings): void {
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

/** Takes keys from the environment. Throws `environment-missing`. */
export function openEndpoint(settings: EndpointSettings, environment: Environment): Endpoint {
  const { baseUrl, apiKeyEnv, keyHeaders, headers, headersFromEnv, query = {} } = settings;
  const key = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv] || undefined;
  if (apiKeyEnv !== undefined && key === undefined) throw missing([apiKeyEnv]);
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
    account: `${url.origin}${base} ${apiKeyEnv ?? ''}`,
    origin: url.origin,
    redactor,
    pathOf: (path) => `${base}${path}${joinQuery(path, parameters)}`,
    headers: { ...plain, ...lowerKeys(secretHeaders) },
    shownHeaders: {
      ...mapValues(plain, redactor.text),
      ...mapValues(lowerKeys(secretHeaders), () => '[redacted]'),
    },
  };
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

function missing(names: readonly string[]): TouchstoneError {
  return new TouchstoneError(
    'environment-missing',
    `The model needs ${names.join(', ')}, which ${names.length === 1 ? 'is' : 'are'} not set in the environment.`,
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
    '`apiKeyEnv` and `headersFromEnv` hold names of environment variables; what is written there is none.',
    { remedy: 'Put the key into an environment variable, such as OPENAI_API_KEY, and write that name.' },
  );
}

type Connector = buildConnector.connector;

/** The most that an informational reply may measure while it is not over. */
const mostBytes = 16 * 1024;

/**
 * Makes connections on which informational replies, such as `100 Continue`, are passed over: a client must be able to read
 * any number of them, asked for or not (RFC 9110, section 15.2). undici closes the connection at a `100`.
 */
function passOverInformational(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      passOverOn(socket);
      callback(null, socket);
    });
}

/** undici reads a reply with `read`, and sends a request when the last reply is over: whatever comes first after it is a head. */
function passOverOn(socket: Socket): void {
  const read = socket.read.bind(socket);
  let bytesAnswered = 0;
  let held: Buffer = Buffer.alloc(0);
  socket.read = (size) => {
    const chunk = read(size) as Buffer | null;
    if (chunk === null || socket.bytesWritten === bytesAnswered) return chunk;
    const bytes = skipInformational(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
    const isHeld = bytes.length < mostBytes && mayBeInformational(bytes);
    held = isHeld ? bytes : Buffer.alloc(0);
    if (isHeld) return null;
    bytesAnswered = socket.bytesWritten;
    return bytes;
  };
}

/** Informational replies that are whole; one that changes the protocol (101) is none. */
const informational = /^(?:HTTP\/1\.1 1(?!01)\d\d(?=\s)[^]*?\n\r?\n)*/;

/** What comes after all informational replies that are whole. */
function skipInformational(bytes: Buffer): Buffer {
  if (!mayBeInformational(bytes)) return bytes;
  const [heads = ''] = informational.exec(bytes.toString('latin1')) ?? [];
  return bytes.subarray(heads.length);
}

/** Whether it begins like one, as far as it has come: also when nothing has. */
function mayBeInformational(bytes: Buffer): boolean {
  const line = bytes.toString('latin1', 0, 13);
  return /^HTTP\/1\.1 1(?!01)\d\d\s/.test(line + 'HTTP/1.1 100 '.slice(line.length));
}

const agents = new Map<string, Promise<Agent>>();

/**
 * The connections of an account: kept open between calls, and shared by all models that use it. They are no more than
 * its calls in flight, and idle ones neither stay long nor hold up the end of the process.
 */
export async function agentFor(account: string): Promise<Agent> {
  const known = agents.get(account);
  if (known !== undefined) return await known;
  const created = createAgent();
  agents.set(account, created);
  return await created;
}

/**
 * Makes connections without limits of time: every call has its own.
 * @param connections - Most to one server; null for as many as there are calls in flight.
 */
export async function createAgent(connections: number | null = null): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici'); // Loading it takes as long as a small run.
  const connect = passOverInformational(buildConnector({}));
  return new Agent({ headersTimeout: 0, bodyTimeout: 0, connections, connect });
}

/** Throws `model-unreachable` naming host, port and reason when nothing listens where a URL points. */
export async function checkReachable(url: URL): Promise<void> {
  const reason = await findUnreachable(url);
  if (reason !== undefined) throw new TouchstoneError('model-unreachable', reason);
}
