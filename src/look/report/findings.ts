import { getOrCreate } from '../../core/lib/objects.ts';
import type { Result } from '../../core/schema/result.ts';
import { areWhole, type Selection } from '../../core/schema/selection.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { errorNotes, type QuestionRow, questionRow } from './rows/question-row.ts';
import type { ReportInput } from './report-input.ts';
import { Tally } from './rows/tally.ts';

/** An answer that neither passed nor failed, and has less than the best value of some metric. */
interface LowAnswer {
  readonly row: QuestionRow;
  readonly ordinal: number;
}

/** The most answers of a target that are listed because they score lowest. */
const mostLowest = 40;

/** The findings about single questions of a target. Their size does not grow with the number of results. */
export interface Findings {
  /** The rows of all trials if they are few enough; otherwise empty. */
  readonly rows: QuestionRow[];
  /** The first trials that did not pass. */
  readonly unresolved: QuestionRow[];
  /** The answers of a run without a scorecard that fell short, with their places in the plan, the lowest first. */
  lowest: readonly LowAnswer[];
  /** Tools that were missed, counted over the trials examined in full. */
  readonly missedTools: Tally;
  /** The tools used instead, by missed tool; the empty name means no tool at all. */
  readonly usedInstead: Map<string, Tally>;
  /** Expected terms that answers lack, by metric. */
  readonly missedTerms: Map<string, Tally>;
  readonly errors: Tally;
  /** Error codes of missing verdicts, by metric. */
  readonly unmeasured: Map<string, Tally>;
  /** The texts of all questions that were read, by id. */
  readonly questions: Map<string, string>;
}

/** One target of a run with everything that a report contains about it. */
export interface ReportedTarget extends Pick<ReportInput, 'run' | 'storeFolder'> {
  readonly target: TargetSummary;
  readonly findings: Findings;
}

/** Collects the findings about single questions for every target of a run, by reading the few selected results. */
export async function collectFindings(input: ReportInput): Promise<ReportedTarget[]> {
  const { run, summary, storeFolder } = input;
  const reported = summary.targets.map((target) => ({ run, storeFolder, target, findings: emptyFindings() }));
  const adders = new Map(reported.map((one) => [one.target.target, createAdder(one)]));
  const chosen = summary.targets.flatMap(({ selection }) => chosenOf(selection));
  const ordinals = [...new Set(chosen)].sort((a, b) => a - b);
  for await (const result of input.results(ordinals)) adders.get(result.trial.target)?.(result);
  return reported;
}

function chosenOf({ all, unresolved, errors, shortfalls }: Selection): number[] {
  const rows = areWhole(all) ? all : unresolved;
  return [rows, errors, shortfalls].flatMap(({ ordinals }) => ordinals);
}

function emptyFindings(): Findings {
  return {
    rows: [],
    unresolved: [],
    lowest: [],
    missedTools: new Tally(),
    usedInstead: new Map(),
    missedTerms: new Map(),
    errors: new Tally(),
    unmeasured: new Map(),
    questions: new Map(),
  };
}

/** Creates a function that adds selected results to the findings of their target. */
function createAdder({ run, target: { selection }, findings }: ReportedTarget): (result: Result) => void {
  const isWhole = areWhole(selection.all);
  const [unresolved, errors, shortfalls] = [
    new Set(selection.unresolved.ordinals),
    new Set(selection.errors.ordinals),
    new Set(selection.shortfalls.ordinals),
  ];
  return (result) => {
    const row = questionRow(run, result);
    const { ordinal } = result.trial;
    findings.questions.set(row.id, row.question);
    if (isWhole) findings.rows.push(row);
    if (unresolved.has(ordinal)) findings.unresolved.push(row);
    if (errors.has(ordinal)) {
      for (const { name, isError } of errorNotes(run, result)) if (isError) findings.errors.add(name, row.id);
    }
    if (shortfalls.has(ordinal)) addShortfalls(findings, row, result);
    if (shortfalls.has(ordinal) && row.outcome === 'unscored') addLowest(findings, { row, ordinal });
  };
}

function addLowest(findings: Findings, answer: LowAnswer): void {
  const share = ({ row }: LowAnswer) => row.lowest ?? 2;
  findings.lowest = [...findings.lowest, answer].toSorted((a, b) => share(a) - share(b)).slice(0, mostLowest);
}

function addShortfalls(findings: Findings, row: QuestionRow, result: Result): void {
  addTools(findings, row);
  for (const { metric, missing } of row.terms) {
    for (const term of missing)
      getOrCreate(findings.missedTerms, metric, () => new Tally()).add(term, row.id);
  }
  for (const [metric, verdict] of Object.entries(result.verdicts)) {
    if (verdict.status !== 'failed') continue;
    getOrCreate(findings.unmeasured, metric, () => new Tally()).add(verdict.code, row.id);
  }
}

function addTools(findings: Findings, { id, tools }: QuestionRow): void {
  if (tools === undefined) return;
  const others = tools.used.filter((name) => !tools.expected.includes(name));
  for (const missed of tools.missing) {
    findings.missedTools.add(missed, id);
    const instead = getOrCreate(findings.usedInstead, missed, () => new Tally());
    if (tools.used.length === 0) instead.add('', id);
    for (const other of others) instead.add(other, id);
  }
}
