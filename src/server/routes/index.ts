import type { AddRoute } from '../route.ts';
import { addBaselines } from './baselines.ts';
import { addCompare } from './compare.ts';
import { addDatasets } from './datasets.ts';
import { addEvents } from './events.ts';
import { addFeedback } from './feedback.ts';
import { addGate } from './gate.ts';
import { addJudgements } from './judgements.ts';
import { addJudges } from './judges.ts';
import { addPlace } from './place.ts';
import { addPlan } from './plan.ts';
import { addPreferences } from './preferences.ts';
import { addReviewWork } from './review-work.ts';
import { addReviews } from './reviews.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';
import { addSearch } from './search.ts';
import { addTools } from './tools.ts';
import { addTrends } from './trends.ts';
import { addTrial } from './trial.ts';
import { addTrials } from './trials.ts';

/** The routes under `/api`; one line each. */
export const routes: readonly AddRoute[] = [
  addBaselines,
  addCompare,
  addDatasets,
  addEvents,
  addFeedback,
  addGate,
  addJudgements,
  addJudges,
  addPlace,
  addPlan,
  addPreferences,
  addReviewWork,
  addReviews,
  addRun,
  addRuns,
  addSearch,
  addTools,
  addTrends,
  addTrial,
  addTrials,
];
