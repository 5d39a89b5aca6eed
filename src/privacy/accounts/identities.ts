import { canonicalJson } from '../../core/lib/content-hash.ts';
import { type Account, accountNameSchema, type Identity } from '../../core/schema/account/account.ts';
import { type Role } from '../../core/schema/account/rights.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';
import { personAt, readRecord } from './accounts.ts';
import { recordEvent } from './audit.ts';
import { hashSecret } from './secrets.ts';
import { endSessionsOf } from './sessions.ts';

/** A person as an identity provider describes the person at a sign-in. */
export interface IdentifiedPerson {
  readonly identity: Identity;
  /** The name that a new account gets, if it is free. */
  readonly name: string;
  /** The roles that follow from the groups of the person; none for someone who may not enter. */
  readonly roles: Readonly<Record<string, Role>>;
  /** The address of the network that the person comes from. */
  readonly address: string;
}

const identityAt = ({ issuer, subject }: Identity) =>
  `identities/${hashSecret(canonicalJson([issuer, subject]))}`;

/**
 * Returns the account of a person who has signed in at an identity provider, with the roles that the person has now; undefined for
 * someone who has none. A person is known by issuer and subject alone: an account of the same name that is not of this identity
 * stays as it is, and the person gets another name. A change of roles is recorded, and ends the sessions of the person.
 */
export async function admitIdentity(
  store: AccountStore,
  person: IdentifiedPerson,
): Promise<Account | undefined> {
  const { identity, roles } = person;
  const known = await readRecord<{ readonly name: string }>(store.records, identityAt(identity));
  const isRefused = Object.keys(roles).length === 0;
  if (known === undefined && isRefused) return undefined;
  const name = known?.name ?? (await createAccount(store, person));
  const [account, before] = await store.records.change<Account, readonly [Account, Account['roles']]>(
    personAt(name),
    (kept, now) => {
      const old = kept ?? { ...emptyAccount(name, now), identity };
      const value = { ...old, roles };
      return { value, result: [value, old.roles] };
    },
  );
  await recordRoles(store, { ...person, name }, before);
  return isRefused ? undefined : account;
}

function emptyAccount(name: string, now: number): Account {
  return { name, roles: {}, password: null, createdAt: new Date(now).toISOString() };
}

/** Creates the account of an identity under the first name that is free. Returns the name. */
async function createAccount(
  { records }: AccountStore,
  { identity, name }: IdentifiedPerson,
): Promise<string> {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? toAccountName(name) : `${toAccountName(name)}-${count}`;
    const isOwn = await records.change<Account, boolean>(personAt(free), (kept, now) => {
      // The same person may sign in twice at once.
      const isSame = kept?.identity?.issuer === identity.issuer && kept.identity.subject === identity.subject;
      if (kept !== undefined) return { value: kept, result: isSame };
      return { value: { ...emptyAccount(free, now), identity }, result: true };
    });
    if (!isOwn) continue;
    await records.change(identityAt(identity), () => ({ value: { name: free }, result: undefined }));
    return free;
  }
}

/** Returns the name of an account for a text of an identity provider: in lower case, and with `-` for what names do not have. */
function toAccountName(text: string): string {
  const name = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._+@-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const short = Array.from(name).slice(0, 80).join('');
  return accountNameSchema.safeParse(short).success ? short : 'person';
}

async function recordRoles(
  store: AccountStore,
  { name, roles, identity, address }: IdentifiedPerson,
  before: Account['roles'],
): Promise<void> {
  const projects = new Set([...Object.keys(before), ...Object.keys(roles)]);
  const changed = Array.from(projects).filter((project) => before[project] !== roles[project]);
  if (changed.length > 0) await endSessionsOf(store, name);
  for (const project of changed)
    await recordEvent(store, {
      who: name,
      address,
      action: 'role',
      project,
      object: name,
      details: {
        before: before[project] ?? 'none',
        after: roles[project] ?? 'none',
        by: `groups at ${identity.issuer}`,
      },
    });
}
