import { randomBytes } from 'node:crypto';
import { TouchstoneError } from '../../core/errors.ts';
import { type MachineToken, projectNameSchema } from '../../core/schema/account/account.ts';
import type { TokenScope } from '../../core/schema/account/rights.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';
import { readRecord, requireName } from './accounts.ts';
import type { Principal } from './permissions.ts';
import { createSecret, hashSecret, isSameSecret } from './secrets.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The most days for which a token is valid. */
export const mostTokenDays = 365;

const tokenAt = (id: string) => `tokens/${id}`;

/** A token to be created. */
export interface NewToken extends Pick<MachineToken, 'name' | 'project' | 'createdBy'> {
  readonly scopes: readonly TokenScope[];
  readonly days: number;
}

/** Creates a token. Returns it with its text, which is shown once and not stored. */
export async function createToken(
  { records }: AccountStore,
  { days, name, ...given }: NewToken,
): Promise<{ readonly token: MachineToken; readonly text: string }> {
  if (!Number.isInteger(days) || days < 1 || days > mostTokenDays)
    throw new TouchstoneError(
      'request-invalid',
      `A token is valid for 1 to ${mostTokenDays} days, not ${days}.`,
    );
  requireName(projectNameSchema, given.project, 'project');
  if (given.scopes.length === 0) throw new TouchstoneError('request-invalid', 'A token needs a scope.');
  const [id, secret] = [randomBytes(6).toString('hex'), createSecret()];
  const token = await records.change<MachineToken, MachineToken>(tokenAt(id), (_, now) => {
    const value: MachineToken = {
      ...given,
      id,
      name: name.slice(0, 100),
      hash: hashSecret(secret),
      createdAt: now,
      expiresAt: now + days * dayMs,
      usedAt: null,
      revokedAt: null,
    };
    return { value, result: value };
  });
  return { token, text: `ts_${id}_${secret}` };
}

/** Lists the tokens of a project, the newest first. */
export async function listTokens({ records }: AccountStore, project: string): Promise<MachineToken[]> {
  const kept = await records.list<MachineToken>(tokenAt(''));
  return kept
    .map(({ value }) => value)
    .filter((token) => token.project === project)
    .toSorted((one, other) => other.createdAt - one.createdAt);
}

/** Revokes a token of a project, from its next use on. Throws `token-not-found`, also for a token of another project. */
export async function revokeToken(
  { records }: AccountStore,
  { id, project }: Pick<MachineToken, 'id' | 'project'>,
): Promise<void> {
  const isFound = await records.change<MachineToken, boolean>(tokenAt(id), (value, now) => {
    if (value === undefined || value.project !== project) return { value, result: false };
    return { value: { ...value, revokedAt: value.revokedAt ?? now }, result: true };
  });
  if (!isFound)
    throw new TouchstoneError('token-not-found', `There is no token ${JSON.stringify(id)} in ${project}.`);
}

/** Returns the program that a token belongs to; undefined when it is unknown, over or revoked. It is looked up each time. */
export async function findToken({ records }: AccountStore, text: string): Promise<Principal | undefined> {
  const [, id, secret] = /^ts_([0-9a-f]{12})_([\w-]{43})$/.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const token = await readRecord<MachineToken>(records, tokenAt(id));
  if (token === undefined || !isSameSecret(hashSecret(secret), token.hash)) return undefined;
  return await records.change<MachineToken, Principal | undefined>(tokenAt(id), (value, now) => {
    if (value === undefined || value.revokedAt !== null || value.expiresAt <= now)
      return { value, result: undefined };
    const isRecent = value.usedAt !== null && now - value.usedAt < minuteMs;
    const { project, scopes } = value;
    return {
      value: isRecent ? value : { ...value, usedAt: now },
      result: { kind: 'token', name: id, project, scopes },
    };
  });
}
