// Without schemas, which `touchstone --help` does not have to load.

/** The roles of a person in a project, from the least to the most. */
export const roles = ['viewer', 'reviewer', 'editor', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The rights that a machine token can give. */
export const tokenScopes = ['ingest', 'read', 'run', 'review', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];
