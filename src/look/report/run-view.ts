import { copyJson } from '../../core/lib/json/copy-json.ts';
import { firstUnits } from '../../core/lib/text/terminal-text.ts';
import { listedQuestion } from '../../core/schema/case.ts';
import type { Summary } from '../../core/schema/summary.ts';
import type { RunView } from '../../core/schema/api/run-view.ts';
import { adviseOn } from './advice.ts';
import { collectFindings } from './findings.ts';
import { seenDisagreements } from './disagreements.ts';
import { joinPhrases } from './phrase.ts';
import { type FailedQuestion, failedQuestions } from './rows/failed-questions.ts';
import { ofPlainTargets, type ReportInput } from './report-input.ts';

/** A run with its state; its results are needed for the advice, and its summary is null while it is under way. */
export interface ViewedRun extends Pick<RunView, 'state' | 'progress' | 'summary'> {
  readonly run: ReportInput['run'];
  readonly results: ReportInput['results'];
  readonly storeFolder?: string;
  /** Finds the text of a question that none of the results read for the advice has; without it, such a question keeps its id. */
  readonly findQuestion?: (id: string) => Promise<string | undefined>;
}

/** Builds what the page of a run shows: its record, its numbers, and the questions and problems to look at first. */
export async function makeRunView(viewed: ViewedRun): Promise<RunView> {
  const { run, state, summary, progress, storeFolder } = viewed;
  const { summary: _, ...record } = run;
  const looked =
    summary === null ? { advice: [], failing: [], questions: {} } : await lookAt(viewed, summary);
  return { run: record, state, summary, progress, ...looked, storeFolder };
}

/** The questions that a page of a run shows first. */
const mostFailing = 10;

/** Returns the advice on a run, the questions to open first, and the texts of all questions that are named by id. */
async function lookAt(
  { run, results, findQuestion }: ViewedRun,
  summary: Summary,
): Promise<Pick<RunView, 'advice' | 'failing' | 'questions'>> {
  const reported = await collectFindings(ofPlainTargets({ run, summary, results }));
  const failing = failedQuestions(reported).questions.slice(0, mostFailing).map(toFailing);
  const advice = reported.map((one) => ({
    target: one.target.target,
    // The copy is an array that can be changed, as a schema describes it.
    items: copyJson(adviseOn(one)) as RunView['advice'][number]['items'],
    notPassed: one.target.selection.questions.count,
  }));
  const named = new Set(advice.flatMap(({ items }) => items.flatMap(({ ids }) => ids)));
  const questions = await contradicted(results, summary);
  for (const { findings } of reported) {
    for (const [id, question] of findings.questions) if (named.has(id)) questions.set(id, question);
  }
  for (const id of named) {
    const question = questions.get(id) ?? (await findQuestion?.(id));
    if (question !== undefined) questions.set(id, firstUnits(question, longestQuestion));
  }
  return { advice, failing, questions: Object.fromEntries(questions) };
}

const longestQuestion = 300;
/** The most things that are named of what an answer lacks. */
const mostNamed = 3;

/** Returns the little that a page shows of a question that did not pass, whatever the size of its answer. */
function toFailing({ row, outcomes, ordinal, target, alike }: FailedQuestion): RunView['failing'][number] {
  return {
    id: row.id,
    question: inOneLine(row.question, longestQuestion),
    outcomes: outcomes.map((outcome) => outcome ?? null),
    ordinal,
    target,
    said: row.said === '' ? null : row.said,
    // The copy is an array that can be changed, as a schema describes it.
    lacks: copyJson(
      joinPhrases(row.missing.slice(0, mostNamed), ' · '),
    ) as RunView['failing'][number]['lacks'],
    ...(alike > 0 && { alike }),
  };
}

/** Returns the beginning of a text with its white space as single blanks. */
function inOneLine(text: string, most: number): string {
  const start = firstUnits(text, most * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const shown = firstUnits(start, most);
  return shown.length < start.length || text.length > most * 4 ? `${shown.trimEnd()} …` : shown;
}

/** The answers with contradicting verdicts that a page names. */
const mostContradicted = 3;

/** Reads the questions of the answers on which metrics contradict each other most. */
async function contradicted(results: ViewedRun['results'], summary: Summary): Promise<Map<string, string>> {
  const widest = seenDisagreements(summary).flatMap((one) => one.widest.slice(0, mostContradicted));
  const questions = new Map<string, string>();
  if (widest.length === 0) return questions;
  const ordinals = [...new Set(widest.map(({ ordinal }) => ordinal))].toSorted((a, b) => a - b);
  for await (const result of results(ordinals))
    questions.set(result.case.id, firstUnits(listedQuestion(result.case), longestQuestion));
  return questions;
}
