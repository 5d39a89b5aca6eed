import { connect } from 'node:net';
import { messageOf } from '../../errors.ts';
import { portOf, type Proxy, proxyFor } from './proxy.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name server does not answer',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed before the reply was complete',
};

/** The codes of certificates that an authority has signed which is not known here, as many companies have. */
const ofUnknownAuthority = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)/;

/** The codes of certificates that are not trusted, for whatever reason. */
const ofCertificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

/** Describes why a connection failed. */
export function describeConnectionError(error: unknown): string {
  const code = connectionErrorCode(error);
  const known = code === undefined ? undefined : reasons[code];
  if (known !== undefined) return `${known} (${code})`;
  // `fetch` itself says only that it failed; its cause says why, such as an expired certificate.
  if (error instanceof TypeError && error.cause instanceof Error) return describeConnectionError(error.cause);
  const message = error instanceof Error ? error.message || error.name : String(error);
  if (code === undefined || !ofUnknownAuthority.test(code)) return message;
  return `${message} (${code}); if your own authority has signed its certificate, set NODE_EXTRA_CA_CERTS=/path/ca.pem`;
}

/**
 * Returns the code of a connection error, from the system or undici. When several addresses were tried, it is the first
 * one's.
 */
export function connectionErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return connectionErrorCode(error instanceof AggregateError ? error.errors[0] : error.cause);
}

/** A request that has got no reply, or none that is HTTP. */
export interface ConnectionFault {
  /**
   * `proxy-refused`: the proxy does not let it through; `untrusted`: the certificate of the server is not; `unsendable`: it is no request that can be sent; `garbled`: what came is
   * not HTTP; `failed`: all else.
   */
  readonly kind: 'proxy-refused' | 'untrusted' | 'unsendable' | 'garbled' | 'failed';
  /** The code of the system or of undici; empty when there is none. */
  readonly code: string;
  readonly message: string;
  /** The message without the host, for a text that has just named it. */
  readonly reason: string;
  /** True when the same request would fail again. */
  readonly isPermanent: boolean;
}

/** Explains why a request to an address has got no reply. Of a proxy, only its host and port are named. */
export function explainConnectionFault(error: unknown, to: URL): ConnectionFault {
  const code = connectionErrorCode(error) ?? '';
  const proxy = proxyFor(to);
  const refused = proxy && explainProxy(error, to, proxy);
  if (refused !== undefined) return { ...refused, reason: refused.message, code };
  if (/^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|ERR_INVALID)/.test(code)) {
    const message = `The request cannot be sent: ${messageOf(error)}`;
    return { kind: 'unsendable', code, message, reason: message, isPermanent: true };
  }
  const isParserError = error instanceof Error && error.name === 'HTTPParserError';
  if (isParserError || /^UND_ERR_(HEADERS_OVERFLOW|RES_|REQ_)/.test(code)) {
    const message = `${to.host} answered with something that is not HTTP: ${messageOf(error)}`;
    return { kind: 'garbled', code, message, reason: message, isPermanent: false };
  }
  const through = proxy === undefined ? '' : ` (through the proxy ${proxy.host})`;
  const reason = describeConnectionError(error);
  return {
    kind: ofCertificate.test(code) ? 'untrusted' : 'failed',
    code,
    message: `${to.host}${through}: ${reason}`,
    reason: `${reason}${through}`,
    isPermanent: /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code),
  };
}

/** The texts by which undici says what a proxy has answered: in place of a tunnel, and to a request. */
const answersOfProxies = [/^Proxy response \((\d+)\) !== 200/, /^Proxy Authentication Required \((407)\)/];

/** Explains what a proxy has answered in place of the server; undefined when it has not. */
function explainProxy(
  error: unknown,
  to: URL,
  proxy: Proxy,
): Omit<ConnectionFault, 'code' | 'reason'> | undefined {
  const texts = [error, Object(error).cause].map(messageOf);
  const status = texts
    .flatMap((text) => answersOfProxies.map((pattern) => pattern.exec(text)?.[1]))
    .find((each) => each !== undefined);
  if (status === undefined) return undefined;
  const where = `${to.hostname}:${portOf(to)}`;
  if (Number(status) >= 500) {
    const message = `The proxy ${proxy.host} cannot reach ${where} (${status}).`;
    return { kind: 'failed', message, isPermanent: false };
  }
  return { kind: 'proxy-refused', message: describeRefusal(status, where, proxy), isPermanent: true };
}

function describeRefusal(status: string, where: string, { host, url, variable }: Proxy): string {
  if (status !== '407') return `The proxy ${host} refuses to connect to ${where} (${status}).`;
  return url.username === ''
    ? `The proxy ${host} wants a user name and a password (407): write them into ${variable}, as in http://USER:PASSWORD@${host}.`
    : `The proxy ${host} refuses the user name and the password in ${variable} (407).`;
}

const timeLimitMs = 5000;

/**
 * Connects to the host of a URL, or to the proxy through which it is reached, and closes the connection. Returns a sentence with
 * host, port and reason when it cannot connect. Throws `proxy-invalid`.
 */
export async function findUnreachable(url: URL): Promise<string | undefined> {
  const proxy = proxyFor(url);
  const to = proxy?.url ?? url;
  const host = to.hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port: portOf(to), timeout: timeLimitMs });
  socket.once('connect', resolve).once('error', reject);
  // In a process that was busy for as long, the connection may be there and wait to be seen.
  const refuse = () => reject(new Error(`no answer within ${timeLimitMs / 1000} s`));
  socket.once('timeout', () => setImmediate(() => setImmediate(refuse)));
  try {
    await promise;
    return undefined;
  } catch (error) {
    const reason = describeConnectionError(error);
    return proxy === undefined
      ? `Nothing can be reached at ${host}:${portOf(to)}: ${reason}.`
      : `The proxy ${proxy.host} (${proxy.variable}), through which ${url.host} is asked, cannot be reached: ${reason}.`;
  } finally {
    socket.destroy();
  }
}
