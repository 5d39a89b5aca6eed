import { createHmac } from 'node:crypto';
import { TouchstoneError } from '../../core/errors.ts';

/** A message as it is sent. */
export interface SignedParts {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

const prefix = 'whsec_';

/**
 * Reads a secret of Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. Throws `config-invalid`.
 * @param name - The name of the environment variable that holds it; the secret itself is in no message.
 */
export function readWebhookSecret(secret: string, name: string): Uint8Array {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const isBase64 =
    key.toString('base64').replaceAll('=', '') === secret.slice(prefix.length).replaceAll('=', '');
  if (secret.startsWith(prefix) && isBase64 && key.length >= 24 && key.length <= 64) return key;
  const found = secret.startsWith(prefix)
    ? 'no base64 of 24 to 64 bytes after `whsec_`'
    : 'no `whsec_` at its beginning';
  throw new TouchstoneError('config-invalid', `The secret in ${name} has ${found}.`, {
    remedy: `Put the signing secret of the receiver there, or make one: \`echo "whsec_$(openssl rand -base64 32)"\`.`,
  });
}

/**
 * Returns the headers that sign a message.
 *
 * Method: Standard Webhooks 1.0.0: `v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`.
 */
export function signWebhook({ id, timestamp, body }: SignedParts, key: Uint8Array): Record<string, string> {
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
