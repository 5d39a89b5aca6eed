import type { AddRoute } from '../route.ts';
import { addEvents } from './events.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';

/** The routes under `/api`; one line each. */
export const routes: readonly AddRoute[] = [addEvents, addRun, addRuns];
