// Without schemas, which `touchstone --help` does not have to load.

/** The roles of a person in a project, from the least to the most. */
export const roles = ['viewer', 'reviewer', 'editor', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The rights that a machine token can give. */
export const tokenScopes = ['ingest', 'read', 'run', 'review', 'look', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The kinds of things that one may do in a project. `run` is to begin runs and to stop them, `look` to ask a referee. */
export const permissionNames = [
  'read',
  'see-reviews',
  'review',
  'edit',
  'run',
  'look',
  'ingest',
  'manage',
] as const;
export type Permission = (typeof permissionNames)[number];
