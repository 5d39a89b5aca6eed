import { TouchstoneError } from '../../core/errors.ts';
import { defineCommand } from '../program/define-command.ts';
import { argument, flag } from '../program/input.ts';
import type { ServedPages } from '../serve-pages.ts';
import { allowOwn, open, port, store } from '../program/shared-inputs.ts';

/** `touchstone view [run]`: the dashboard for this machine, until Ctrl-C. */
export const view = defineCommand({
  name: 'view',
  summary: 'look at runs in the browser',
  description:
    'Shows the stored runs in the browser, until Ctrl-C. Only this machine can open the page, and only with the printed address, which works once.',
  inputs: {
    run: argument(
      '[run]',
      'the run to open: its id, or the first or last characters of it; latest, latest~1; a baseline, or the name of a run',
    ),
    port,
    open,
    ingest: flag(
      'also accept user feedback and traces, with the token that is printed or TOUCHSTONE_INGEST_TOKEN: docs/production.md',
    ),
    allowOwn,
    store,
  },
  help: `
Examples:
  $ touchstone view                                 the list of runs
  $ touchstone view latest                          the last run
  $ touchstone view --store ci/.touchstone --no-open

The page needs no network. The printed address contains a secret, which the browser keeps in a
cookie; another user of this machine who does not have it is refused.`,
  run: async ({ run, ingest, allowOwn: isOwnAllowed = false, ...flags }, output) => {
    const { servePages } = await import('../serve-pages.ts');
    const { createIngestToken } = await import('../../server/ingest-access.ts');
    const { findRun } = await import('../../look/queries/runs.ts');
    const ingestToken = ingest === true ? (chosenToken() ?? createIngestToken()) : undefined;
    const pages: ServedPages = {
      title: 'The dashboard',
      findPath: async (openStore) =>
        run === undefined ? '/' : `/runs/${(await findRun(await openStore(), run)).id}`,
      ingestToken,
      isOwnAllowed,
    };
    return await servePages(pages, flags, output);
  },
});

/** The least length of a token that the environment names. */
const fewestTokenCharacters = 32;

/** Returns the token of the environment, which stays the same over restarts; undefined when there is none. */
function chosenToken(): string | undefined {
  const token = process.env['TOUCHSTONE_INGEST_TOKEN'];
  if (token === undefined || token === '') return undefined;
  if (token.length >= fewestTokenCharacters && /^\S+$/.test(token)) return token;
  throw new TouchstoneError(
    'usage-invalid',
    `TOUCHSTONE_INGEST_TOKEN is not a token: at least ${fewestTokenCharacters} characters without spaces.`,
    { remedy: 'Leave it out: `touchstone view --ingest` makes and prints a token.' },
  );
}
