import { TouchstoneError } from '../../core/errors.ts';

/** The address and the headers of a collector of spans. */
export interface Collector {
  /** The full address, such as `http://localhost:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The most milliseconds for a request, and for all that is left at the end; 10,000 by default. */
  readonly timeLimitMs?: number;
}

/** The settings of a collector on the command line or in a config. */
export interface CollectorSettings {
  /** Its address, with or without `/v1/traces`; by default the one in the environment, else the one on this machine. */
  readonly otlp?: string;
  /** Headers with secret values: the name of each, and the environment variable with its value. */
  readonly headersFromEnv?: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The default address of a collector, from the OpenTelemetry specification of exporters. */
const defaultAddress = 'http://localhost:4318';

/**
 * Returns the collector for some settings. Without an address in them, the variables OTEL_EXPORTER_OTLP_ENDPOINT and
 * OTEL_EXPORTER_OTLP_HEADERS apply, or those with TRACES in their names. Headers of the environment are only sent to an
 * address of the environment. Throws `usage-invalid` for an invalid address, and `environment-missing` for a header whose
 * variable is not set.
 */
export function findCollector(
  { otlp, headersFromEnv = {} }: CollectorSettings,
  environment: Environment,
): Collector {
  const headers = readSecretHeaders(headersFromEnv, environment);
  if (otlp !== undefined) return toCollector(tracesUrl(otlp), headers);
  const [ofTraces, ofAll] = ['OTEL_EXPORTER_OTLP_TRACES_', 'OTEL_EXPORTER_OTLP_'];
  const headersText = environment[`${ofTraces}HEADERS`] ?? environment[`${ofAll}HEADERS`];
  const all = { ...parseHeaders(headersText ?? ''), ...headers };
  const exact = environment[`${ofTraces}ENDPOINT`];
  if (exact) return toCollector(parseUrl(exact), all);
  const base = environment[`${ofAll}ENDPOINT`];
  if (!base) return toCollector(tracesUrl(defaultAddress), headers);
  return toCollector(parseUrl(`${base.replace(/\/$/, '')}/v1/traces`), all);
}

/** Returns the address for traces. An address without a path gets the default path. */
function tracesUrl(address: string): URL {
  const url = parseUrl(address);
  return url.pathname === '/' ? new URL('/v1/traces', url) : url;
}

/**
 * Returns the collector at an address. A user name and a password in the address are moved into a header, since `fetch`
 * refuses such addresses and messages would show them.
 */
function toCollector(url: URL, headers: Collector['headers']): Collector {
  const { username, password } = url;
  if (username + password === '') return { url: url.href, headers };
  const plain = new URL(url);
  [plain.username, plain.password] = ['', ''];
  const pair = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64');
  return { url: plain.href, headers: { authorization: `Basic ${pair}`, ...headers } };
}

function parseUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new TouchstoneError(
    'usage-invalid',
    `"${address.replace(/\/\/.*@/, '//')}" is not the address of an OpenTelemetry collector.`,
    {
      remedy: 'Use an address such as http://localhost:4318.',
    },
  );
}

function readSecretHeaders(
  headersFromEnv: Readonly<Record<string, string>>,
  environment: Environment,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersFromEnv).map(([header, variable]) => {
      const value = environment[variable];
      if (value) return [header, value];
      const message = `The header ${header} for the OpenTelemetry collector is read from ${variable}, which is not set.`;
      throw new TouchstoneError('environment-missing', message);
    }),
  );
}

/** Parses headers written as `name=value,name=value`, percent-encoded as in URLs. */
function parseHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair): [string, string][] => {
      const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      return name === undefined || value === undefined ? [] : [[name, decode(value)]];
    }),
  );
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // The value was not percent-encoded.
  }
}
