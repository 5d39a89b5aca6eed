import type { Tool } from '../tool.ts';
import { compareRuns } from './compare-runs.ts';
import { failedCases } from './failed-cases.ts';
import { findMetrics } from './find-metrics.ts';
import { importPreview } from './import-preview.ts';
import { lintDataset } from './lint-dataset.ts';
import { planRun } from './plan-run.ts';
import { describeProject } from './project.ts';
import { refereeLook } from './referee-look.ts';
import { refereeStatus } from './referee-status.ts';
import { runStatus } from './run-status.ts';
import { startRun } from './start-run.ts';
import { stopRun } from './stop-run.ts';
import { showCase } from './show-case.ts';
import { showRun } from './show-run.ts';

/** The tools in the order in which they are listed, which stays the same: clients keep what they have read. */
export const tools: readonly Tool[] = [
  describeProject,
  findMetrics,
  lintDataset,
  planRun,
  startRun,
  runStatus,
  stopRun,
  showRun,
  failedCases,
  showCase,
  compareRuns,
  importPreview,
  refereeLook,
  refereeStatus,
];
