import type { AddRoute } from '../route.ts';
import { addDatasets } from './datasets.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';
import { addSearch } from './search.ts';

/** The routes under `/api`; one line each. */
export const routes: readonly AddRoute[] = [addDatasets, addRun, addRuns, addSearch];
