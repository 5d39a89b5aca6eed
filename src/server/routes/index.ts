import type { AddRoute } from '../route.ts';
import { addGate } from './gate.ts';
import { addJudges } from './judges.ts';
import { addPlan } from './plan.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';
import { addTools } from './tools.ts';

/** The routes under `/api`; one line each. */
export const routes: readonly AddRoute[] = [addGate, addJudges, addPlan, addRun, addRuns, addTools];
