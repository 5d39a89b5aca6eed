import type { Session } from '../../core/schema/account/account.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';
import { findPerson } from './accounts.ts';
import type { Principal } from './permissions.ts';
import { createSecret, hashSecret } from './secrets.ts';

const idleMs = 12 * 3_600_000;
const longestMs = 7 * 86_400_000;
const minuteMs = 60_000;

const sessionAt = (secret: string) => `sessions/${hashSecret(secret)}`;

/** Begins a session of a person in a project. Returns the secret of its cookie, which is not stored. */
export async function beginSession(
  { records }: AccountStore,
  { person, project }: Pick<Session, 'person' | 'project'>,
): Promise<string> {
  const secret = createSecret();
  await records.change<Session, undefined>(sessionAt(secret), (_, now) => ({
    value: { person, project, startedAt: now, usedAt: now },
    result: undefined,
  }));
  return secret;
}

/** Ends a session. */
export async function endSession({ records }: AccountStore, secret: string): Promise<void> {
  await records.remove(sessionAt(secret));
}

/** Ends all sessions of a person: at a change of the role or of the password. */
export async function endSessionsOf({ records }: AccountStore, person: string): Promise<void> {
  for (const { name, value } of await records.list<Session>('sessions/'))
    if (value.person === person) await records.remove(name);
}

/** Removes the sessions that are over. */
export async function removeOldSessions({ records }: AccountStore): Promise<void> {
  for (const { name } of await records.list('sessions/'))
    await records.change<Session, undefined>(name, (value, now) => ({
      value: value !== undefined && isOpen(value, now) ? value : undefined,
      result: undefined,
    }));
}

function isOpen({ startedAt, usedAt }: Session, now: number): boolean {
  return now - usedAt < idleMs && now - startedAt < longestMs;
}

/** Returns the person whose session a cookie belongs to, with the present role; undefined when the session is over. */
export async function findSession(store: AccountStore, secret: string): Promise<Principal | undefined> {
  const session = await store.records.change<Session, Session | undefined>(
    sessionAt(secret),
    (value, now) => {
      if (value === undefined || !isOpen(value, now)) return { value: undefined, result: undefined };
      // A write for every request would cost more than the request.
      return { value: now - value.usedAt < minuteMs ? value : { ...value, usedAt: now }, result: value };
    },
  );
  if (session === undefined) return undefined;
  const { person, project } = session;
  const account = await findPerson(store, person);
  const role =
    account !== undefined && Object.hasOwn(account.roles, project) ? account.roles[project] : undefined;
  return role === undefined ? undefined : { kind: 'person', name: person, project, role };
}
