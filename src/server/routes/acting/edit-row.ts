import { editRow, readRow, type RowChoices } from '../../../library/api/cases/edit-row.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { rowEditSchema, type RowView } from '../../../core/schema/api/acting/row.ts';
import type { Run } from '../../../core/schema/run.ts';
import { type AddRoute, openRun, parseInput, readBody } from '../../route.ts';
import { isInside } from '../datasets.ts';
import { requireOwnCommand } from './own-command.ts';

/**
 * Adds `GET /api/runs/:run/rows/:id`, the row of a question as it is in its file now; and `PUT`, which replaces it there. A run may be
 * imported from someone else, so that only files inside of the folder are read and written.
 */
export const addEditRow: AddRoute = (app, { openStore, folder = process.cwd(), isReadingFiles = true }) => {
  if (!isReadingFiles) return;
  app.get('/api/runs/:run/rows/:id', async ({ req, json }) => {
    const { store, run } = await openRun(openStore, req);
    const { hash, ...row } = await readRow(req.param('id'), choicesOf(run, folder));
    const asked = await store.findCase(run.id, row.id);
    return json({ ...row, hasChanged: asked?.hash !== hash } satisfies RowView);
  });
  app.put('/api/runs/:run/rows/:id', async ({ req, json }) => {
    const edit = parseInput(rowEditSchema, await readBody(req));
    const { run } = await openRun(openStore, req);
    return json({ id: await editRow(req.param('id'), edit, choicesOf(run, folder)) });
  });
};

/** Returns the files of a run and how its command line reads them. Throws `edit-refused` for files elsewhere. */
function choicesOf(run: Run, folder: string): RowChoices {
  requireOwnCommand(run, folder);
  const { dataset, command = [] } = run;
  const { sources } = dataset;
  const outside = sources.find((source) => !isInside(source, folder));
  if (outside !== undefined)
    throw new TouchstoneError('edit-refused', `${outside} is not a file in ${folder}.`, {
      remedy: 'Start `touchstone view` in the folder of the project.',
    });
  const valueOf = (flag: string) => (command.includes(flag) ? command[command.indexOf(flag) + 1] : undefined);
  const config = command[1]?.startsWith('-') === true ? undefined : command[1];
  return { files: sources, folder, config, format: valueOf('--dataset-format') };
}
