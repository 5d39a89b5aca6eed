import type { AddRoute } from '../route.ts';
import { addCompare } from './compare.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';

/** The routes under `/api`; one line each. */
export const routes: readonly AddRoute[] = [addCompare, addRun, addRuns];
