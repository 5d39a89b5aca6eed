import type { Permission, Role, TokenScope } from '../../core/schema/account/rights.ts';

/**
 * The one table of permissions: the roles and scopes that have each. A route of the server names its permission, and does not start without one. A
 * reviewer sees nothing but review tasks, since runs show what a blind label must not know.
 */
export const permissions = {
  read: { roles: ['viewer', 'editor', 'admin'], scopes: ['read', 'run', 'admin'] },
  'see-reviews': { roles: ['viewer', 'reviewer', 'editor', 'admin'], scopes: ['read', 'review', 'admin'] },
  review: { roles: ['reviewer', 'editor', 'admin'], scopes: ['review', 'admin'] },
  edit: { roles: ['editor', 'admin'], scopes: ['run', 'admin'] },
  run: { roles: ['editor', 'admin'], scopes: ['run', 'admin'] },
  look: { roles: ['editor', 'admin'], scopes: ['look', 'admin'] },
  ingest: { roles: [], scopes: ['ingest', 'admin'] },
  manage: { roles: ['admin'], scopes: ['admin'] },
} as const satisfies Record<
  Permission,
  { readonly roles: readonly Role[]; readonly scopes: readonly TokenScope[] }
>;

/** A person in a project, or a program with a token of the project. */
export type Principal =
  | { readonly kind: 'person'; readonly name: string; readonly project: string; readonly role: Role }
  | {
      readonly kind: 'token';
      readonly name: string;
      readonly project: string;
      readonly scopes: readonly TokenScope[];
    };

/** Returns whether a person or a program may do something in its project. */
export function isAllowed(principal: Principal, permission: Permission): boolean {
  const { roles, scopes } = permissions[permission];
  if (principal.kind === 'person') return (roles as readonly Role[]).includes(principal.role);
  return principal.scopes.some((scope) => (scopes as readonly TokenScope[]).includes(scope));
}
