import type { AddRoute } from '../route.ts';
import { addBaselines } from './baselines.ts';
import { addCompare } from './compare.ts';
import { addGate } from './gate.ts';
import { addJudgements } from './judgements.ts';
import { addPlace } from './place.ts';
import { addPlan } from './plan.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';
import { addSearch } from './search.ts';
import { addTrends } from './trends.ts';
import { addTrial } from './trial.ts';
import { addTrials } from './trials.ts';

/** The routes under `/api`; one line each. */
export const routes: readonly AddRoute[] = [
  addBaselines,
  addCompare,
  addGate,
  addJudgements,
  addPlace,
  addPlan,
  addRun,
  addRuns,
  addSearch,
  addTrends,
  addTrial,
  addTrials,
];
