import { createHmac } from 'node:crypto';

/**
 * Returns the HMAC-SHA-256 of a text, such as the id of a user, as 32 hexadecimal digits.
 * @param secret - The key, in hexadecimal digits.
 */
export function keyedHash(text: string, secret: string): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex').slice(0, 32);
}
