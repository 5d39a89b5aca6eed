import type { AddRoute } from '../route.ts';
import { addAskAgain } from './acting/ask-again.ts';
import { addAskedRuns } from './acting/asked-runs.ts';
import { addEditRow } from './acting/edit-row.ts';
import { addLooks } from './acting/looks.ts';
import { addRights } from './acting/rights.ts';
import { addBaselines } from './baselines.ts';
import { addBlobs } from './blobs.ts';
import { addCompare } from './comparison/compare.ts';
import { addGrid } from './comparison/grid.ts';
import { addMatrix } from './comparison/matrix.ts';
import { addDatasets } from './datasets.ts';
import { addErasures } from './erasures.ts';
import { addEvents } from './events.ts';
import { addFeedback } from './feedback.ts';
import { addGate } from './gate.ts';
import { addJudgements } from './judgements.ts';
import { addJudges } from './judges.ts';
import { addModes } from './modes.ts';
import { addPlace } from './place.ts';
import { addPlan } from './plan.ts';
import { addProposals } from './proposals.ts';
import { addPreferences } from './comparison/preferences.ts';
import { addReports } from './downloads/reports.ts';
import { addReviewWork } from './review-work.ts';
import { addReviews } from './reviews.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';
import { addSearch } from './search.ts';
import { addTools } from './tools.ts';
import { addTraces } from './traces.ts';
import { addTrends } from './trends.ts';
import { addTrial } from './trial.ts';
import { addTrials } from './trials.ts';

/** The routes under `/api`; one line each. */
export const routes: readonly AddRoute[] = [
  addAskAgain,
  addAskedRuns,
  addBaselines,
  addBlobs,
  addCompare,
  addDatasets,
  addEditRow,
  addErasures,
  addEvents,
  addFeedback,
  addGate,
  addJudgements,
  addJudges,
  addLooks,
  addGrid,
  addMatrix,
  addModes,
  addPlace,
  addPlan,
  addProposals,
  addPreferences,
  addReviewWork,
  addReviews,
  addReports,
  addRights,
  addRun,
  addRuns,
  addSearch,
  addTools,
  addTraces,
  addTrends,
  addTrial,
  addTrials,
];
