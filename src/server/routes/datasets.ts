import { statSync } from 'node:fs';
import path from 'node:path';
import { lint } from '../../library/api/lint.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { readCaseHistory } from '../../look/queries/case-history.ts';
import { listDatasets, runsOver, viewDataset } from '../../look/queries/datasets.ts';
import type { DatasetLint, DatasetList } from '../../core/schema/api/dataset-view.ts';
import type { AddRoute } from '../route.ts';
import { pathWithin } from '../../core/lib/files/path-within.ts';

/**
 * Adds `GET /api/datasets`, the datasets that runs name; `/:name`, one of them; `/:name/lint`, what is wrong with its files as
 * they are now; and `/:name/cases/:id`, one case with its results in all runs.
 */
export const addDatasets: AddRoute = (
  app,
  { openStore, shown, folder = process.cwd(), isReadingFiles = true },
) => {
  app.get('/api/datasets', async ({ json }) => {
    return json({ datasets: await listDatasets(await openStore()) } satisfies DatasetList);
  });
  app.get('/api/datasets/:name', async ({ req, json }) => {
    return json(await viewDataset(await openStore(), req.param('name')));
  });
  app.get('/api/datasets/:name/lint', async ({ req, json }) => {
    const [run] = await runsOver(await openStore(), req.param('name'));
    if (!isReadingFiles) return json({ missing: noFiles } satisfies DatasetLint);
    return json(await lintFiles(run?.dataset.sources ?? [], folder));
  });
  app.get('/api/datasets/:name/cases/:id', async ({ req, json }) => {
    const history = await readCaseHistory(await openStore(), req.param('name'), req.param('id'));
    shown.addAll(history.runs);
    return json(history);
  });
};

/** The reason why a server for a team checks no files. */
const noFiles =
  'The server does not read files of datasets. Check them where they are, with `touchstone lint`.';

/**
 * Checks files that a run of the store names. A run may be imported from someone else, so that only files inside of the folder
 * are read.
 */
async function lintFiles(sources: readonly string[], folder: string): Promise<DatasetLint> {
  const outside = sources.find((source) => !isInside(source, folder));
  if (outside !== undefined) {
    return {
      missing: `${outside} is not a file in ${folder}, in which \`touchstone view\` was started.`,
    };
  }
  try {
    return { report: await lint(sources, { folder }) };
  } catch (error) {
    if (error instanceof TouchstoneError) return { missing: error.message };
    throw error;
  }
}

/** Returns whether a name belongs to a file in a folder, or in a folder inside of it. */
export function isInside(source: string, folder: string): boolean {
  const file = path.resolve(folder, source);
  return (
    pathWithin(folder, file) !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() === true
  );
}
