import type { RunView } from '../schema/api/run-view.ts';
import { adviseOn } from './advice.ts';
import { collectFindings } from './findings.ts';
import { ofPlainTargets, type ReportInput } from './report-input.ts';

/** A run with its state; its results are needed for the advice, and its summary is null while it is under way. */
export interface ViewedRun extends Pick<RunView, 'state' | 'progress' | 'summary'> {
  readonly run: ReportInput['run'];
  readonly results: ReportInput['results'];
  readonly storeFolder?: string | undefined;
}

/** Builds what the page of a run shows: its record, its numbers, and the problems to look at first. */
export async function makeRunView(viewed: ViewedRun): Promise<RunView> {
  const { run, state, summary, progress, results, storeFolder } = viewed;
  const { summary: _, ...record } = run;
  return {
    run: record,
    state,
    summary,
    ...(progress !== undefined && { progress }),
    advice: summary === null ? [] : await listAdvice({ run, summary, results }),
    ...(storeFolder !== undefined && { storeFolder }),
  };
}

async function listAdvice(input: ReportInput): Promise<RunView['advice']> {
  const reported = await collectFindings(ofPlainTargets(input));
  return reported.map((one) => ({
    target: one.target.target,
    // The copy is an array that can be changed, as a schema describes it.
    items: structuredClone(adviseOn(one)) as RunView['advice'][number]['items'],
  }));
}
