import { copyJson } from '../../core/lib/json/copy-json.ts';
import type { RunView } from '../../core/schema/api/run-view.ts';
import { adviseOn } from './advice.ts';
import { collectFindings, type ReportedTarget } from './findings.ts';
import type { QuestionRow } from './rows/question-row.ts';
import { ofPlainTargets, type ReportInput } from './report-input.ts';

type NotPassed = RunView['advice'][number]['notPassed'];

/** A run with its state; its results are needed for the advice, and its summary is null while it is under way. */
export interface ViewedRun extends Pick<RunView, 'state' | 'progress' | 'summary'> {
  readonly run: ReportInput['run'];
  readonly results: ReportInput['results'];
  readonly storeFolder?: string;
}

/** Builds what the page of a run shows: its record, its numbers, and the problems to look at first. */
export async function makeRunView(viewed: ViewedRun): Promise<RunView> {
  const { run, state, summary, progress, results, storeFolder } = viewed;
  const { summary: _, ...record } = run;
  return {
    run: record,
    state,
    summary,
    progress,
    advice: summary === null ? [] : await listAdvice({ run, summary, results }),
    storeFolder,
  };
}

async function listAdvice(input: ReportInput): Promise<RunView['advice']> {
  const reported = await collectFindings(ofPlainTargets(input));
  return reported.map((one) => ({
    target: one.target.target,
    // The copy is an array that can be changed, as a schema describes it.
    items: copyJson(adviseOn(one)) as RunView['advice'][number]['items'],
    notPassed: listNotPassed(one),
  }));
}

/** The questions that a headline names. */
const mostNamed = 5;

/** Returns the number of questions of which an attempt did not pass, and the first to name: the lowest scores come first. */
function listNotPassed({ target: { selection }, findings }: ReportedTarget): NotPassed {
  const scoreOf = ({ outcome, total }: QuestionRow) => (outcome === 'error' ? -1 : (total ?? 2));
  const rows = findings.unresolved.toSorted((a, b) => scoreOf(a) - scoreOf(b));
  return {
    count: selection.questions.count,
    ids: [...new Set(rows.map(({ id }) => id))].slice(0, mostNamed),
  };
}
