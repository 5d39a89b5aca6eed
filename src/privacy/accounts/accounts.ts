import { TouchstoneError } from '../../core/errors.ts';
import {
  type Account,
  accountNameSchema,
  type Invitation,
  projectNameSchema,
} from '../../core/schema/account/account.ts';
import { type Role } from '../../core/schema/account/rights.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';
import type { SharedRecords } from '../../stores/shared/shared-records.ts';
import { createSecret, hashPassword, hashSecret, isPassword } from './secrets.ts';

/** The time for which an invitation can be accepted. */
const invitationMs = 7 * 86_400_000;

/** The fewest characters of a password; NIST SP 800-63B-4 asks for 15 where nothing else is asked for. */
const fewestCharacters = 15;
const mostCharacters = 1000;

/** The project of a store by itself. */
export const mainProject = 'main';

/** Returns the name of the record of a person. */
export const personAt = (name: string) => `people/${name}`;
const invitationAt = (secret: string) => `invitations/${hashSecret(secret)}`;

/** Returns a record; undefined when there is none. */
export async function readRecord<Value>(records: SharedRecords, name: string): Promise<Value | undefined> {
  return await records.change<Value, Value | undefined>(name, (value) => ({ value, result: value }));
}

/** Returns the person of a name; undefined when there is none. */
export async function findPerson({ records }: AccountStore, name: string): Promise<Account | undefined> {
  return await readRecord<Account>(records, personAt(name));
}

/** Lists the people of a project, by name. */
export async function listPeople({ records }: AccountStore, project: string): Promise<Account[]> {
  const kept = await records.list<Account>(personAt(''));
  return kept.map(({ value }) => value).filter(({ roles }) => Object.hasOwn(roles, project));
}

/** Returns whether there are no accounts yet. */
export async function isWithoutPeople({ records }: AccountStore): Promise<boolean> {
  return (await records.list(personAt(''))).length === 0;
}

/** Gives a person a role in a project, or takes the person out of it (null). Creates the person when there is none. */
export async function setRole(
  { records }: AccountStore,
  { name, project, role }: { readonly name: string; readonly project: string; readonly role: Role | null },
): Promise<void> {
  requireName(accountNameSchema, name, 'person');
  requireName(projectNameSchema, project, 'project');
  await records.change<Account, undefined>(personAt(name), (before, now) => {
    const kept = before ?? { name, roles: {}, password: null, createdAt: new Date(now).toISOString() };
    const { [project]: _, ...others } = kept.roles;
    return {
      value: { ...kept, roles: role === null ? others : { ...others, [project]: role } },
      result: undefined,
    };
  });
}

/** Throws `usage-invalid` for a text that is no name of a person or a project. */
export function requireName(schema: typeof accountNameSchema, name: string, what: string): void {
  const { success, error } = schema.safeParse(name);
  if (success) return;
  const [issue] = error.issues;
  throw new TouchstoneError(
    'usage-invalid',
    `${JSON.stringify(name)} is no name of a ${what}: ${issue?.message}.`,
  );
}

/**
 * Creates the one right of a person to choose a password. Returns its secret, which is not stored. Earlier ones end.
 * @param given - The roles that the invitation gives; it ends once the person has others. All that the person has by default.
 */
export async function invite(store: AccountStore, person: string, given?: Account['roles']): Promise<string> {
  const { records } = store;
  const roles = given ?? (await findPerson(store, person))?.roles ?? {};
  await endInvitations(store, person);
  const secret = createSecret();
  await records.change<Invitation, undefined>(invitationAt(secret), (_, now) => ({
    value: { person, roles, expiresAt: now + invitationMs },
    result: undefined,
  }));
  return secret;
}

/** Ends the invitations of a person. Returns whether there was one. */
export async function endInvitations({ records }: AccountStore, person: string): Promise<boolean> {
  const kept = await records.list<Invitation>('invitations/');
  const own = kept.filter(({ value }) => value.person === person);
  for (const { name } of own) await records.remove(name);
  return own.length > 0;
}

/**
 * Returns whether an invitation still gives the rights of its person, and no others. The roles may have changed since, in another
 * project too: a person who still has the invitation would otherwise get them with the password.
 */
function isFor({ roles }: Invitation, account: Account | undefined): account is Account {
  if (account === undefined || account.identity !== undefined) return false;
  const held = Object.entries(account.roles);
  // Earlier invitations do not say what they gave; with a single project, there is no other one that may have given a role.
  if (roles === undefined) return held.length <= 1;
  return held.every(([project, role]) => Object.hasOwn(roles, project) && roles[project] === role);
}

/** Returns the name of the person whom an invitation is for; undefined when it is over, used or unknown. */
export async function findInvitation(store: AccountStore, secret: string): Promise<string | undefined> {
  const name = invitationAt(secret);
  const found = await store.records.change<Invitation, Invitation | undefined>(name, (value, now) => ({
    value,
    result: value !== undefined && value.expiresAt > now ? value : undefined,
  }));
  return found !== undefined && isFor(found, await findPerson(store, found.person))
    ? found.person
    : undefined;
}

/**
 * Accepts an invitation: uses it up and sets the password of its person. Returns the name of the person. Throws
 * `request-invalid` for a password that is too short or too long, `access-denied` for an invitation that is over,
 * used or unknown, or whose person has been given other roles since, and `server-busy` when too many passwords are being hashed.
 * @param record - Called with the name before anything changes; when it throws, the invitation can be used again.
 */
export async function acceptInvitation(
  store: AccountStore,
  { secret, password }: { readonly secret: string; readonly password: string },
  record: (person: string) => Promise<unknown>,
): Promise<string> {
  const { records } = store;
  // Before the hash, which is work that only an invitation may cause.
  const person = await findInvitation(store, secret);
  if (person === undefined) throw invitationOver();
  requireLength(password);
  const hashed = await hashPassword(password);
  await record(person);
  const name = invitationAt(secret);
  const given = await records.change<Invitation, Invitation | undefined>(name, (value, now) => ({
    value: undefined,
    result: value !== undefined && value.expiresAt > now ? value : undefined,
  }));
  // In one step with the password: a role that is given at this moment is seen, too.
  const isSet =
    given !== undefined &&
    (await records.change<Account, boolean>(personAt(given.person), (before) =>
      isFor(given, before)
        ? { value: { ...before, password: hashed }, result: true }
        : { value: before, result: false },
    ));
  if (!isSet) throw invitationOver();
  return given.person;
}

function invitationOver(): TouchstoneError {
  return new TouchstoneError('access-denied', 'The invitation is over, or was used before.', {
    remedy: 'Ask for another one.',
  });
}

function requireLength(password: string): void {
  const { length } = Array.from(password);
  if (length < fewestCharacters)
    throw new TouchstoneError(
      'request-invalid',
      `The password has ${length} characters; ${fewestCharacters} are needed.`,
      { remedy: 'Choose a longer one, such as four random words.' },
    );
  if (length > mostCharacters)
    throw new TouchstoneError(
      'request-invalid',
      `The password has ${length} characters; at most ${mostCharacters} are allowed.`,
      { remedy: 'Choose a shorter one, such as four random words.' },
    );
}

/** Returns the person whom a name and a password belong to; undefined when they do not. Both answers take the same time. */
export async function checkPassword(
  store: AccountStore,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<Account | undefined> {
  const account = await findPerson(store, name);
  // A longer text than any password is cut, so that its hash costs no more. A character has up to two UTF-16 units.
  const isRight = await isPassword(password.slice(0, 2 * mostCharacters), account?.password ?? null);
  return isRight ? account : undefined;
}
