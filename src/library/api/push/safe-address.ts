import { TouchstoneError } from '../../../core/errors.ts';

/**
 * Returns the address of a server that a token may be sent to: with TLS, or of this machine. Throws `config-invalid` for any other.
 * @param name - The setting or option that names it.
 */
export function safeAddress(server: string, name: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? '');
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url;
  const fault = url?.protocol === 'http:' ? 'would send a token without TLS' : 'is no address of a server';
  throw new TouchstoneError('config-invalid', `\`${name}\` ${fault}: ${server}.`, {
    remedy: 'Name the https address of the server.',
  });
}
