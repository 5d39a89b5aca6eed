import { argon2, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { TouchstoneError } from '../../core/errors.ts';

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

/** The passwords that are hashed at once. One core, and one thread of Node.js, which has four for this and for files, stay free for other work. */
const mostAtOnce = Math.max(1, Math.min(availableParallelism(), 4) - 1);

/** The passwords that wait for their turn; with more, the last would wait for seconds. */
const mostWaiting = 32;

const waiting: (() => void)[] = [];
let hashing = 0;

/**
 * Throws `server-busy` when as many passwords wait to be hashed as may. Called before a password is looked at, so that a sign-in that is
 * refused for this reason counts as no attempt.
 */
export function requireTurn(): void {
  if (waiting.length >= mostWaiting)
    throw new TouchstoneError('server-busy', 'Too many people are signing in at this moment.', {
      remedy: 'Wait a few seconds, and try again.',
    });
}

/** Does work once fewer than `mostAtOnce` others are under way, in the order of the calls. Throws `server-busy` when too many wait. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (hashing < mostAtOnce) hashing += 1;
  else {
    requireTurn();
    // The one that ends hands its place on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) hashing -= 1;
    else next();
  }
}

/** Hashes a password with a new salt, or with the one given. Throws `server-busy` when too many wait for that. */
export async function hashPassword(
  password: string,
  salt = randomBytes(16).toString('base64url'),
): Promise<PasswordHash> {
  const message = password.normalize('NFKC');
  const nonce = Buffer.from(salt, 'base64url');
  const tag = await inTurn(
    async () => await promisify(argon2)('argon2id', { message, nonce, ...parameters }),
  );
  return { salt, hash: tag.toString('base64url') };
}

const noPassword = { salt: randomBytes(16).toString('base64url'), hash: '' };

/** Returns whether a password is the one that was hashed. Without a hash it takes as long, so that the time does not show who has an account. */
export async function isPassword(password: string, kept: PasswordHash | null): Promise<boolean> {
  const { salt, hash: expected } = kept ?? noPassword;
  const given = await hashPassword(password, salt);
  return isSameSecret(given.hash, expected) && kept !== null;
}
