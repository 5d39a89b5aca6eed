import type { Account, AuditEntry, MachineToken } from '../../core/schema/account/account.ts';
import type { verifyChain } from '../../privacy/accounts/audit.ts';

/** Returns what a list shows of a person of a project. */
export function toListed({ name, roles, password, identity, createdAt }: Account, project: string) {
  return {
    name,
    role: roles[project],
    hasPassword: password !== null,
    identity: identity ?? null,
    createdAt,
  };
}

/** Lists the people of a project, a line each. */
export function peopleText(people: readonly ReturnType<typeof toListed>[], project: string): string {
  const lines = people.map(({ name, role, hasPassword, identity }) => {
    const state = identity === null ? 'invited' : `signs in at ${identity.issuer}`;
    return `${name}  ${role}${hasPassword ? '' : `  ${state}`}\n`;
  });
  return lines.join('') || `No person is in ${project}.\n`;
}

/** Lists the tokens of a project, a line each. */
export function tokensText(tokens: readonly Omit<MachineToken, 'hash'>[], project: string): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const lines = tokens.map(({ id, name, scopes, expiresAt, usedAt, revokedAt }) => {
    const state = revokedAt === null ? `ends ${day(expiresAt)}` : `revoked ${day(revokedAt)}`;
    return `${id}  ${name}  ${scopes.join(', ')}  ${state}  ${usedAt === null ? 'never used' : `last used ${day(usedAt)}`}\n`;
  });
  return lines.join('') || `${project} has no tokens.\n`;
}

/** Says whether the chain of the audit log is whole. */
export function chainText(state: Awaited<ReturnType<typeof verifyChain>>): string {
  return state.fault === undefined
    ? `The chain of ${state.entries} entries is whole. It ends with ${state.head}\n`
    : `The audit log is not whole: ${state.fault}.\n`;
}

/** Lists the entries of the audit log, a line each. */
export function auditText(entries: readonly AuditEntry[]): string {
  const lines = entries.map(({ number, at, who, address, action, project, object, details = {} }) => {
    const more = Object.entries(details).map(([name, value]) => `${name}=${value}`);
    const parts = [number, at, who ?? '-', address ?? '-', project ?? '-', action, object ?? '-', ...more];
    return `${parts.join('  ')}\n`;
  });
  return lines.join('') || 'The audit log is empty.\n';
}
