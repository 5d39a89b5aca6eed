import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { storeDamaged } from '../refusals.ts';

interface Fault {
  /** The end of a sentence that begins with "The store". */
  readonly what: string;
  readonly remedy: string;
  /** True when the fault passes by itself, so that waiting helps. */
  readonly isPassing?: boolean;
}

const goneAway: Fault = {
  what: 'cannot be reached any more',
  remedy:
    'Start the server again, or repair the network, and run the same command again; what was stored is safe.',
  isPassing: true,
};
const notReached: Fault = {
  what: 'cannot be reached',
  remedy: 'Start the server, or correct the host and the port of the address.',
  isPassing: true,
};
const notEncrypted: Fault = {
  what: 'cannot be reached over a connection that is safe',
  remedy: 'Correct `sslmode` and `sslrootcert` in the address, or the certificate of the server.',
};
const notAdmitted: Fault = {
  what: 'does not admit this user',
  remedy:
    'Correct the user in the address and the password (in `PGPASSWORD`, `~/.pgpass` or the address), or admit the user in pg_hba.conf.',
};
const notWritable: Fault = {
  what: 'cannot be written to',
  remedy: 'Use the address of a server that accepts writes: this one is a copy of another.',
};
const noMemory: Fault = {
  what: 'has no room left',
  remedy: 'Make room on the server and resume the run; what was stored is safe.',
};
const conflict: Fault = {
  what: 'is in use by too many writers at the same time',
  remedy: 'Run the same command again; what was stored is safe.',
  isPassing: true,
};

/** The faults by SQLSTATE; see https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const faults: Readonly<Record<string, Fault>> = {
  '25006': notWritable,
  '25P03': goneAway,
  '28000': notAdmitted,
  '28P01': notAdmitted,
  '3D000': {
    what: 'does not exist',
    remedy: 'Create the database (`createdb NAME`), or correct its name at the end of the address.',
  },
  '40001': conflict,
  '40P01': conflict,
  '42501': {
    what: 'does not permit this user to do that',
    remedy:
      'Grant the user CREATE on the database, or on the schema of the tables, and all rights on its tables. The login of one project (`deploy/project.sql`) has no accounts and no audit log: what needs them takes the login of the server.',
  },
  '53100': noMemory,
  '53200': noMemory,
  '53300': {
    what: 'has no connection left',
    remedy:
      'Increase `max_connections` of the server, or start fewer processes: each one uses up to four connections.',
    isPassing: true,
  },
  '54000': {
    what: 'cannot take a name that is so long',
    remedy: 'Use ids and names of at most 2,000 characters.',
  },
  '57P01': goneAway,
  '57P02': goneAway,
  '57P03': goneAway,
};

/** The faults by error code of Node.js. */
const faultsOfConnections: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: notReached,
  ENOTFOUND: notReached,
  EAI_AGAIN: notReached,
  EHOSTUNREACH: notReached,
  ENETUNREACH: notReached,
  ENOENT: notReached,
  ETIMEDOUT: notReached,
  ECONNRESET: goneAway,
  EPIPE: goneAway,
};

/** The faults by a text that occurs in the message of an error without a code. */
const faultsByMessage: readonly (readonly [part: RegExp, fault: Fault])[] = [
  [/timeout.* connect/i, notReached],
  [/connection terminated|connection ended|not queryable/i, goneAway],
  [/certificate|SSL/i, notEncrypted],
  [/SASL|password/i, notAdmitted],
];

/** Returns whether an error, as it is or explained, may pass by itself: then a read or a transaction is tried again. */
export function isPassing(thrown: unknown): boolean {
  const error = thrown instanceof TouchstoneError ? thrown.cause : thrown;
  return findFault(error)?.isPassing === true;
}

/** Returns whether an error says that there is no such server, rather than that it has gone away. */
export function isNotReached(thrown: unknown): boolean {
  return findFault(thrown) === notReached;
}

/** Returns whether an error ended the connection, so that the fate of its last statement is unknown. */
export function isLostConnection(thrown: unknown): boolean {
  const fault = findFault(thrown);
  return fault === goneAway || fault === notReached;
}

/** Returns whether an error, as it is or explained, says that no transaction has had a number yet. */
export function isInFuture(thrown: unknown): boolean {
  return codeOf(thrown instanceof TouchstoneError ? thrown.cause : thrown) === '22023';
}

/**
 * Converts an error of the driver or the server into a `store-unreadable` or `store-damaged` error with a remedy. Returns a
 * `TouchstoneError`, and an error that is a bug in the program, unchanged.
 */
export function explainFault(thrown: unknown, address: string): unknown {
  if (thrown instanceof TouchstoneError) return thrown;
  const code = codeOf(thrown);
  const message = sentenceOf(thrown);
  if (/^XX00[12]$/.test(code)) return storeDamaged(address, message, thrown);
  const fault = findFault(thrown);
  if (fault === undefined && !(thrown instanceof Error && 'severity' in thrown)) return thrown;
  const { what, remedy } = fault ?? { what: 'cannot be used', remedy: undefined };
  return new TouchstoneError('store-unreadable', `The store ${address} ${what}: ${message}.`, {
    cause: thrown,
    remedy,
  });
}

function findFault(thrown: unknown): Fault | undefined {
  const code = codeOf(thrown);
  if (code.startsWith('08')) return goneAway;
  const known = faults[code] ?? faultsOfConnections[code];
  if (known !== undefined || !(thrown instanceof Error) || thrown instanceof TypeError) return known;
  if ('severity' in thrown) return undefined;
  return faultsByMessage.find(([part]) => part.test(`${code} ${thrown.message}`))?.[1];
}

/** Returns the SQLSTATE, or the code of Node.js, of an error; empty when it has none. */
function codeOf(thrown: unknown): string {
  return String((thrown as { readonly code?: unknown } | null)?.code ?? '');
}

/** Returns the message of an error, of several attempts the message of the first. */
function sentenceOf(thrown: unknown): string {
  const first: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  return messageOf(first).replace(/\.$/, '');
}
