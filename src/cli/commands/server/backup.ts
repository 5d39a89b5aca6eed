import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { quoteForShell } from '../../../core/lib/text/quote-for-shell.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument } from '../../program/input.ts';
import { json, store } from '../../program/shared-inputs.ts';

/** The end of the help of both commands. */
const more =
  'A store in PostgreSQL is copied by pg_dump and pg_restore: both commands print how.\nWhat is in it, and what is not: docs/store.md.';

/** `touchstone backup FILE`: one file with a store, and with the stores of a server's projects. */
export const backup = defineCommand({
  name: 'backup',
  summary: 'copy the store, with all projects of a server, into one file',
  description:
    'Copies the store into one file: runs, labels, feedback, traces, attachments; of a server also its other projects, people, tokens and the audit log. Runs and the server can go on meanwhile. Replaces no file.',
  inputs: { file: argument('<file>', 'the file to write'), json, store },
  help: `
Examples:
  $ touchstone backup evals.backup
  $ touchstone backup /backups/evals-$(date +%F).backup --store /data/.touchstone

${more}`,
  run: async ({ file, ...input }, output) => {
    const { backUp } = await import('../../../library/api/backup/back-up.ts');
    const { findWritableStore } = await import('../../../library/api/open-store.ts');
    const { databaseOf } = await import('../../../library/config/open-store-of.ts');
    const { isWithoutPeople } = await import('../../../privacy/accounts/accounts.ts');
    const { recordEvent } = await import('../../../privacy/accounts/audit.ts');
    const { withProjects } = await import('../../server-projects.ts');
    const database = databaseOf(await findWritableStore({ store: input.store }));
    if (database !== undefined) throw inPostgres('backup', backupCommand(database, file));
    const made = await withProjects(input, async ({ home, who }) => {
      if (!path.isAbsolute(home.address))
        throw new TouchstoneError('store-not-found', 'There is no store here yet, so nothing to back up.');
      // The copy has this entry, too.
      if (!(await isWithoutPeople(home.accounts)))
        await recordEvent(home.accounts, {
          who,
          address: null,
          action: 'backup',
          project: null,
          object: path.basename(file),
        });
      return await backUp(path.dirname(home.address), path.resolve(file));
    });
    const { projects, attachments } = made;
    return await output.print(
      input.json,
      made,
      () =>
        `Wrote ${displayPath(made.file)}: ${projects.length === 1 ? 'the store' : `the projects ${projects.join(', ')}`}, ${attachments} attachments.\n`,
    );
  },
});

/** `touchstone restore FILE`: a store from a backup; exits with 2 when records were damaged before the backup. */
export const restore = defineCommand({
  name: 'restore',
  summary: 'make a store from a backup, and verify it',
  description:
    'Makes a store from a file that `touchstone backup` wrote, and verifies every file, every record and the audit log. Never replaces a store that is there.',
  inputs: { file: argument('<file>', 'the backup'), json, store },
  help: `
Examples:
  $ touchstone restore evals.backup                          into .touchstone here
  $ touchstone restore evals.backup --store /data/.touchstone

The exit code is 2 when records were damaged before the backup was made.
${more}`,
  run: async ({ file, ...input }, output) => {
    const { findWritableStore } = await import('../../../library/api/open-store.ts');
    const { databaseOf, folderOfPlaced } = await import('../../../library/config/open-store-of.ts');
    const place = await findWritableStore({ store: input.store });
    const database = databaseOf(place);
    if (database !== undefined) throw inPostgres('restore', restoreCommand(database, file));
    const { restore: restoreInto } = await import('../../../library/api/backup/restore.ts');
    const restored = await restoreInto(path.resolve(file), folderOfPlaced(place) ?? '.touchstone');
    const { folder, at, projects, runs, faults } = restored;
    const lines = faults.map((fault) => `  ${toTerminalText(fault)}\n`).join('');
    await output.print(
      input.json,
      restored,
      () =>
        `Restored ${displayPath(folder)} as it was at ${at}: ${runs} runs, projects ${projects.join(', ')}. ${faults.length === 0 ? 'Every record is as it was written.\n' : `These records were damaged before the backup:\n${lines}`}`,
    );
    return faults.length === 0 ? 0 : 2;
  },
});

/** The address of a database and the schema of the store in it. */
interface Database {
  readonly url: string;
  readonly schema: string;
}

function inPostgres(verb: string, command: string): TouchstoneError {
  return new TouchstoneError(
    'usage-invalid',
    `The store is in PostgreSQL, so \`touchstone ${verb}\` has written nothing: the programs of the database do it.`,
    { remedy: `Run: ${command}` },
  );
}

/** Returns the command that copies a store and the stores of its projects, as they are at one moment. */
export function backupCommand({ url, schema }: Database, file: string): string {
  return `pg_dump --format=custom --no-owner --no-privileges --schema=${schema} --schema='${schema}_*' --file=${quoteForShell(file)} ${quoteForShell(url)}`;
}

/** Returns the command that restores them into a database that has none of their schemas: all or nothing. */
export function restoreCommand({ url }: Database, file: string): string {
  return `pg_restore --no-owner --no-privileges --single-transaction --exit-on-error --dbname=${quoteForShell(url)} ${quoteForShell(file)}`;
}
