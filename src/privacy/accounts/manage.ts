import { TouchstoneError } from '../../core/errors.ts';
import { type Role, roles, type TokenScope, tokenScopes } from '../../core/schema/account/rights.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';
import { endInvitations, findPerson, invite, listPeople, setRole } from './accounts.ts';
import { recordEvent } from './audit.ts';
import { endSessionsOf } from './sessions.ts';
import { createToken, type NewToken, revokeToken } from './tokens.ts';

/** The person or program that changes accounts, for the audit log. */
export interface Actor {
  readonly who: string;
  readonly address: string | null;
  readonly project: string;
}

/** Returns a role by its name. Throws `request-invalid`. */
export function parseRole(text: string): Role {
  const role = roles.find((each) => each === text);
  if (role !== undefined) return role;
  throw new TouchstoneError(
    'request-invalid',
    `There is no role ${JSON.stringify(text)}; there are ${roles.join(', ')}.`,
  );
}

/** Returns scopes by their names. Throws `request-invalid`. */
export function parseScopes(texts: readonly string[]): TokenScope[] {
  return texts.map((name) => {
    const scope = tokenScopes.find((each) => each === name);
    if (scope !== undefined) return scope;
    throw new TouchstoneError(
      'request-invalid',
      `There is no scope ${JSON.stringify(name)}; there are ${tokenScopes.join(', ')}.`,
    );
  });
}

/**
 * Gives a person a role in the project of the actor. Returns the secret of an invitation to choose a password; undefined for a
 * person who has another project as well, and whose password an administrator of this one must not set.
 */
export async function addPerson(
  store: AccountStore,
  actor: Actor,
  {
    name,
    role,
    mayReset = false,
  }: { readonly name: string; readonly role: Role; readonly mayReset?: boolean },
): Promise<string | undefined> {
  const before = await findPerson(store, name);
  const isElsewhere = Object.keys(before?.roles ?? {}).some((project) => project !== actor.project);
  await changeRole(store, actor, { name, role });
  if (isElsewhere && !mayReset) return undefined;
  await recordEvent(store, { ...actor, action: 'invite', object: name });
  // An administrator invites to the own project alone, whatever role another one gives at this moment.
  return await invite(store, name, mayReset ? undefined : { [actor.project]: role });
}

/**
 * Changes the role of a person in the project of the actor, or takes the person out of it, and ends the person's sessions and open
 * invitations: a person who still has one must not get the new rights with it. Throws `request-invalid` for a role of a person whose groups
 * at an identity provider decide on it.
 */
export async function changeRole(
  store: AccountStore,
  actor: Actor,
  { name, role }: { readonly name: string; readonly role: Role | null },
): Promise<void> {
  const { identity } = (await findPerson(store, name)) ?? {};
  if (identity !== undefined && role !== null)
    throw new TouchstoneError(
      'request-invalid',
      `The roles of ${name} follow from groups at ${identity.issuer}.`,
      {
        remedy: 'Change the groups of the person there; they count from the next sign-in.',
      },
    );
  const people = await listPeople(store, actor.project);
  const before = people.find((person) => person.name === name)?.roles[actor.project];
  const others = people.filter((person) => person.name !== name && person.roles[actor.project] === 'admin');
  if (before === 'admin' && role !== 'admin' && others.length === 0)
    throw new TouchstoneError('request-invalid', `${name} is the only administrator of ${actor.project}.`, {
      remedy: 'Make another person one first.',
    });
  await setRole(store, { name, project: actor.project, role });
  await endSessionsOf(store, name);
  const hasEnded = before === role ? false : await endInvitations(store, name);
  const details = {
    before: before ?? 'none',
    after: role ?? 'none',
    ...(hasEnded && { invitation: 'ended' }),
  };
  await recordEvent(store, { ...actor, action: 'role', object: name, details });
}

/** Creates a token in the project of the actor. Returns its text, which is shown once. */
export async function addToken(
  store: AccountStore,
  actor: Actor,
  given: Pick<NewToken, 'name' | 'scopes' | 'days'>,
): Promise<string> {
  const { token, text } = await createToken(store, {
    ...given,
    project: actor.project,
    createdBy: actor.who,
  });
  const details = { name: token.name, scopes: token.scopes.join(' '), days: String(given.days) };
  await recordEvent(store, { ...actor, action: 'token-create', object: token.id, details });
  return text;
}

/** Revokes a token of the project of the actor. Throws `token-not-found`. */
export async function removeToken(store: AccountStore, actor: Actor, id: string): Promise<void> {
  await revokeToken(store, { id, project: actor.project });
  await recordEvent(store, { ...actor, action: 'token-revoke', object: id });
}
