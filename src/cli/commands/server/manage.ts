import { listPeople } from '../../../privacy/accounts/accounts.ts';
import { readAudit, recordEvent, verifyChain } from '../../../privacy/accounts/audit.ts';
import {
  type Actor,
  addPerson,
  addToken,
  changeRole,
  parseRole,
  parseScopes,
  removeToken,
} from '../../../privacy/accounts/manage.ts';
import { listTokens } from '../../../privacy/accounts/tokens.ts';
import type { AuditEntry, MachineToken } from '../../../core/schema/account/account.ts';
import { originOf } from '../../../server/team/serve-team.ts';
import type { AccountStore } from '../../../stores/accounts/account-store.ts';
import { readGitPerson } from '../../git-person.ts';
import { openWritableStore } from '../../open-store.ts';
import { claimStdout } from '../../output.ts';

interface ProjectFlags {
  readonly project: string;
  readonly store?: string;
  readonly json?: boolean;
}

/** Uses the accounts of the server, and prints the result. Returns the exit code. */
async function withAccounts(
  { store: folder, project }: Pick<ProjectFlags, 'store'> & { readonly project?: string },
  use: (
    accounts: AccountStore,
    actor: Actor,
  ) => Promise<string | { readonly text: string; readonly code: number }>,
): Promise<number> {
  const output = claimStdout();
  const store = await openWritableStore(folder);
  try {
    const person = await readGitPerson(process.cwd());
    const who = person === undefined ? 'command line' : `command line, ${person}`;
    const done = await use(store.accounts, { who, address: null, project: project ?? 'main' });
    const { text, code } = typeof done === 'string' ? { text: done, code: 0 } : done;
    await output.write(text);
    return code;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone server invite`. Returns the exit code. */
export async function inviteCommand(
  name: string,
  flags: ProjectFlags & { readonly role: string; readonly url?: string; readonly port?: number },
): Promise<number> {
  const origin = originOf(flags.url ?? `http://localhost:${flags.port ?? 7357}`);
  return await withAccounts(flags, async (accounts, actor) => {
    const role = parseRole(flags.role);
    const secret = await addPerson(accounts, actor, { name, role, mayReset: true });
    return `${name} is ${role} of ${flags.project}. This address works once, within seven days:\n${origin}/invitations/${secret}\n`;
  });
}

/** Runs `touchstone server remove`. Returns the exit code. */
export async function removeCommand(name: string, flags: ProjectFlags): Promise<number> {
  return await withAccounts(flags, async (accounts, actor) => {
    await changeRole(accounts, actor, { name, role: null });
    return `${name} is no longer in ${flags.project}.\n`;
  });
}

/** Runs `touchstone server people`. Returns the exit code. */
export async function peopleCommand(flags: ProjectFlags): Promise<number> {
  return await withAccounts(flags, async (accounts) => {
    const people = (await listPeople(accounts, flags.project)).map(
      ({ name, roles, password, identity, createdAt }) => ({
        name,
        role: roles[flags.project],
        hasPassword: password !== null,
        identity: identity ?? null,
        createdAt,
      }),
    );
    if (flags.json === true) return `${JSON.stringify({ people }, null, 2)}\n`;
    const lines = people.map(({ name, role, hasPassword, identity }) => {
      const state = identity === null ? 'invited' : `signs in at ${identity.issuer}`;
      return `${name}  ${role}${hasPassword ? '' : `  ${state}`}\n`;
    });
    return lines.join('') || `No person is in ${flags.project}.\n`;
  });
}

/** Runs `touchstone server token create`. Returns the exit code. */
export async function createTokenCommand(
  name: string,
  flags: ProjectFlags & { readonly scope: readonly string[]; readonly days: number },
): Promise<number> {
  return await withAccounts(flags, async (accounts, actor) => {
    const text = await addToken(accounts, actor, {
      name,
      scopes: parseScopes(flags.scope),
      days: flags.days,
    });
    return `${text}\n`;
  });
}

/** Runs `touchstone server token list`. Returns the exit code. */
export async function listTokensCommand(flags: ProjectFlags): Promise<number> {
  return await withAccounts(flags, async (accounts) => {
    const tokens = (await listTokens(accounts, flags.project)).map(({ hash: _, ...token }) => token);
    if (flags.json === true) return `${JSON.stringify({ tokens }, null, 2)}\n`;
    return tokens.map(describeToken).join('') || `${flags.project} has no tokens.\n`;
  });
}

function describeToken({
  id,
  name,
  scopes,
  expiresAt,
  usedAt,
  revokedAt,
}: Omit<MachineToken, 'hash'>): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const state = revokedAt === null ? `ends ${day(expiresAt)}` : `revoked ${day(revokedAt)}`;
  return `${id}  ${name}  ${scopes.join(', ')}  ${state}  ${usedAt === null ? 'never used' : `last used ${day(usedAt)}`}\n`;
}

/** Runs `touchstone server token revoke`. Returns the exit code. */
export async function revokeTokenCommand(id: string, flags: ProjectFlags): Promise<number> {
  return await withAccounts(flags, async (accounts, actor) => {
    await removeToken(accounts, actor, id);
    return `The token ${id} is revoked.\n`;
  });
}

/** Runs `touchstone server audit`. Returns the exit code: 1 for a chain that is broken. */
export async function auditCommand(
  flags: Omit<ProjectFlags, 'project'> & { readonly verify?: boolean; readonly head?: string },
): Promise<number> {
  return await withAccounts(flags, async (accounts, { who, address }) => {
    if (flags.verify === true) {
      const state = await verifyChain(accounts, flags.head);
      const code = Number(state.fault !== undefined);
      if (flags.json === true) return { text: `${JSON.stringify(state, null, 2)}\n`, code };
      const text =
        state.fault === undefined
          ? `The chain of ${state.entries} entries is whole. It ends with ${state.head}\n`
          : `The audit log is not whole: ${state.fault}.\n`;
      return { text, code };
    }
    const entries = await Array.fromAsync(readAudit(accounts));
    // Who has read it is a part of it, too.
    const details = { entries: String(entries.length) };
    await recordEvent(accounts, { who, address, action: 'audit-read', project: null, object: null, details });
    if (flags.json === true) return `${JSON.stringify({ entries }, null, 2)}\n`;
    return entries.map(describeEntry).join('') || 'The audit log is empty.\n';
  });
}

function describeEntry({
  number,
  at,
  who,
  address,
  action,
  project,
  object,
  details = {},
}: AuditEntry): string {
  const more = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  const parts = [number, at, who ?? '-', address ?? '-', project ?? '-', action, object ?? '-', ...more];
  return `${parts.join('  ')}\n`;
}
