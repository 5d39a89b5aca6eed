import { TouchstoneError } from '../errors.ts';

/** Where spans are sent to, and what goes with them. */
export interface Collector {
  /** The whole address, such as `http://localhost:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a command line or a config says of the collector. */
export interface CollectorSettings {
  /** Its address, with or without `/v1/traces`; that of the environment, or of this machine, when left out. */
  readonly otlp?: string | undefined;
  /** Headers whose values are secret: the header and the environment variable that holds its value. */
  readonly headersFromEnv?: Readonly<Record<string, string>> | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a collector listens when nobody says anything, see the OpenTelemetry specification of exporters. */
const usualAddress = 'http://localhost:4318';

/**
 * The collector that is meant. The variables OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, or those with
 * TRACES in their names, count where no other address is given: the headers together with the address beside them, and not
 * without one.
 * Throws `usage-invalid` for what is no address, and `environment-missing` for a header without its value.
 */
export function findCollector(
  { otlp, headersFromEnv = {} }: CollectorSettings,
  environment: Environment,
): Collector {
  const headers = readSecretHeaders(headersFromEnv, environment);
  if (otlp !== undefined) return toCollector(tracesUrl(otlp), headers);
  const [ofTraces, ofAll] = ['OTEL_EXPORTER_OTLP_TRACES_', 'OTEL_EXPORTER_OTLP_'];
  const given = environment[`${ofTraces}HEADERS`] ?? environment[`${ofAll}HEADERS`];
  const all = { ...parseHeaders(given ?? ''), ...headers };
  const exact = environment[`${ofTraces}ENDPOINT`];
  if (exact) return toCollector(parseUrl(exact), all);
  const base = environment[`${ofAll}ENDPOINT`];
  if (!base) return toCollector(tracesUrl(usualAddress), headers);
  return toCollector(parseUrl(`${base.replace(/\/$/, '')}/v1/traces`), all);
}

/** An address that names no path means the usual one. */
function tracesUrl(address: string): URL {
  const url = parseUrl(address);
  return url.pathname === '/' ? new URL('/v1/traces', url) : url;
}

/** A user and a password in the address go into a header, so that no message shows them, and no request is refused for them. */
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
      remedy: 'Give one such as http://localhost:4318.',
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
      const message = `The header ${header} for the OpenTelemetry collector is in ${variable}, which is not set.`;
      throw new TouchstoneError('environment-missing', message);
    }),
  );
}

/** `name=value,name=value`, with percent signs as in URLs. */
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
    return value; // Not encoded, then.
  }
}
