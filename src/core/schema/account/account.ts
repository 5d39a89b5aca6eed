import { z } from 'zod';
import type { Chained } from '../../lib/hash-chain.ts';
import type { Role, TokenScope } from './rights.ts';

/** The name of a project: a part of addresses, and of the name of a folder or schema. */
export const projectNameSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,30}$/,
    'expected lower-case letters, digits and hyphens, at most 31, a letter first',
  );

/** The name by which a person signs in and gives labels. */
export const accountNameSchema = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._+@-]{0,99}$/u,
    'expected a name without spaces, such as ann or ann@example.org',
  );

/** A person with an account. */
export interface Account {
  readonly name: string;
  /** The role in each project that the person may enter. */
  readonly roles: Readonly<Record<string, Role>>;
  /** The salt and the hash of the password, as base64url; null until an invitation is accepted. */
  readonly password: { readonly salt: string; readonly hash: string } | null;
  /** The person at an identity provider, whose groups decide on the roles; absent for people with a password. */
  readonly identity?: Identity;
  readonly createdAt: string;
}

/** A person at an identity provider: names and addresses change and are given to others, these two do not. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** A browser in which a person has signed in. Only the hash of its cookie is known. */
export interface Session {
  readonly person: string;
  readonly project: string;
  readonly startedAt: number;
  /** The time of the last request, exact to a minute. */
  readonly usedAt: number;
}

/** A one-time right to choose a password. Only the hash of its secret is known. */
export interface Invitation {
  readonly person: string;
  /**
   * The roles that it gives: once the person has others, a person who still has the invitation must not choose the password any more. Absent
   * in records of an earlier Touchstone.
   */
  readonly roles?: Readonly<Record<string, Role>>;
  readonly expiresAt: number;
}

/** A token of a program. Only the hash of its secret is known. */
export interface MachineToken {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly scopes: readonly TokenScope[];
  readonly hash: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The time of the last use, exact to a minute; null before the first. */
  readonly usedAt: number | null;
  readonly revokedAt: number | null;
}

/** An event for the audit log. */
export interface AuditEvent {
  /** The name of the person or the id of the token; null when there is no session. */
  readonly who: string | null;
  /** The address of the network from which it was done; null on the command line. */
  readonly address: string | null;
  /** Such as `sign-in`, `token-create` or `run-delete`. */
  readonly action: string;
  readonly project: string | null;
  /** The object of the action, such as the id of a run. */
  readonly object: string | null;
  /** More about it: roles, scopes, the reason of a refusal. No secret. */
  readonly details?: Readonly<Record<string, string>>;
}

/** An event of the audit log with its place in the chain. */
export interface AuditEntry extends AuditEvent, Chained {
  readonly at: string;
}
