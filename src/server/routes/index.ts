import type { AddRoute } from '../route.ts';
import { addPlace } from './place.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';
import { addTrial } from './trial.ts';
import { addTrials } from './trials.ts';

/** The routes under `/api`; one line each. */
export const routes: readonly AddRoute[] = [addRun, addRuns, addTrials, addTrial, addPlace];
