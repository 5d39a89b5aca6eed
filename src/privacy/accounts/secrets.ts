import { argon2, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns 256 random bits as base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a secret of 256 random bits, which needs no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares two texts without revealing, by the time it takes, how much of a guess is right. */
export function isSameSecret(given: string, kept: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(hashSecret(kept)));
}

/** A password as it is stored. */
export interface PasswordHash {
  readonly salt: string;
  readonly hash: string;
}

/** The parameters of argon2id that OWASP recommends: 19 MiB, two passes, one lane. */
const parameters = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

/** Hashes a password with a new salt, or with the one given. */
export async function hashPassword(
  password: string,
  salt = randomBytes(16).toString('base64url'),
): Promise<PasswordHash> {
  const message = password.normalize('NFKC');
  return await new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: Buffer.from(salt, 'base64url'), ...parameters }, (error, tag) => {
      if (error === null) resolve({ salt, hash: tag.toString('base64url') });
      else reject(error);
    });
  });
}

const noPassword = { salt: randomBytes(16).toString('base64url'), hash: '' };

/** Returns whether a password is the one that was hashed. Without a hash it takes as long, so that the time does not show who has an account. */
export async function isPassword(password: string, kept: PasswordHash | null): Promise<boolean> {
  const { salt, hash: expected } = kept ?? noPassword;
  const given = await hashPassword(password, salt);
  return isSameSecret(given.hash, expected) && kept !== null;
}
