import {
  reportFilePath,
  reportFileSchema,
  runPath,
  trialPath,
} from '../../../src/core/schema/api/report-file.ts';
import { trialListSchema } from '../../../src/core/schema/api/trial-row.ts';
import { trialViewSchema } from '../../../src/core/schema/api/trial-view.ts';
import { useAnswer, withParameters } from './use-answer.ts';

/**
 * Asks for what the report in one file contains.
 * @param isEnabled - False where the page is not in a file.
 */
export function useReportFile(isEnabled = true) {
  return useAnswer(reportFilePath, reportFileSchema, { isEnabled });
}

/** The choice of cases that a list in a report shows. */
export interface ReportedChoice {
  readonly where?: string;
  readonly sort?: string;
  readonly limit: number;
}

/** Asks for the cases in a report, one row for each case and target. */
export function useReportedRows(run: string, choice: ReportedChoice) {
  return useAnswer(withParameters(`${runPath(run)}/trials`, { ...choice }), trialListSchema);
}

/** Asks for a trial in a report. */
export function useReportedTrial(run: string, ordinal: number) {
  return useAnswer(trialPath(run, ordinal), trialViewSchema);
}
