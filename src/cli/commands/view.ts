import { TouchstoneError } from '../../core/errors.ts';
import { findRun } from '../../look/queries/runs.ts';
import { createIngestToken } from '../../server/ingest-access.ts';
import type { Store } from '../../stores/store.ts';
import { type ServeFlags, servePages } from '../serve-pages.ts';

/** The options of `touchstone view`, as parsed from the command line. */
export interface ViewFlags extends ServeFlags {
  readonly ingest?: boolean;
  readonly allowOwn?: boolean;
}

/**
 * Runs `touchstone view [run]`: serves the dashboard to this machine until the user interrupts it, and opens it in the
 * browser. Returns the exit code.
 */
export async function viewCommand(runId: string | undefined, flags: ViewFlags): Promise<number> {
  const findPath = async (openStore: () => Promise<Store>) =>
    runId === undefined ? '/' : `/runs/${(await findRun(await openStore(), runId)).id}`;
  const ingestToken = flags.ingest === true ? readIngestToken() : undefined;
  const isOwnAllowed = flags.allowOwn === true;
  return await servePages({ title: 'The dashboard', findPath, ingestToken, isOwnAllowed }, flags);
}

/** The least length of a token that the environment names. */
const fewestTokenCharacters = 32;

/** Returns the token of the environment, which stays the same over restarts, or a new one. */
function readIngestToken(): string {
  const token = process.env['TOUCHSTONE_INGEST_TOKEN'];
  if (token === undefined || token === '') return createIngestToken();
  if (token.length >= fewestTokenCharacters && /^\S+$/.test(token)) return token;
  throw new TouchstoneError(
    'usage-invalid',
    `TOUCHSTONE_INGEST_TOKEN is not a token: at least ${fewestTokenCharacters} characters without spaces.`,
    { remedy: 'Leave it out: `touchstone view --ingest` makes and prints a token.' },
  );
}
