import { entryOf } from '../lib/objects.ts';
import type { Result } from '../schema/result.ts';
import { areWhole, type Selection } from '../schema/selection.ts';
import type { TargetSummary } from '../schema/summary.ts';
import { errorNotes, type QuestionRow, questionRow } from './rows/question-row.ts';
import type { ReportInput } from './report-input.ts';
import { Tally } from './rows/tally.ts';

/** What the results of a target say about single questions. Its size does not grow with their number. */
export interface Findings {
  /** Every trial, when there are few enough; otherwise empty. */
  readonly rows: QuestionRow[];
  /** The first trials that did not pass. */
  readonly unresolved: QuestionRow[];
  /** Names and counts from the trials that were looked at in full. */
  readonly missedTools: Tally;
  /** By missed tool: what was used instead; the empty name stands for no tool at all. */
  readonly usedInstead: Map<string, Tally>;
  /** By metric: expected terms that answers lack. */
  readonly missedTerms: Map<string, Tally>;
  readonly errors: Tally;
  /** By metric: codes of verdicts that could not be given. */
  readonly unmeasured: Map<string, Tally>;
}

/** One target of a run with all that a report says about it. */
export interface ReportedTarget extends Pick<ReportInput, 'run' | 'storeFolder'> {
  readonly target: TargetSummary;
  readonly findings: Findings;
}

/** Brings together, for every target of a run, what reports say about single questions: reads the few results that were chosen. */
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
    missedTools: new Tally(),
    usedInstead: new Map(),
    missedTerms: new Map(),
    errors: new Tally(),
    unmeasured: new Map(),
  };
}

/** Adds results that were chosen to the findings of their target. */
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
    if (isWhole) findings.rows.push(row);
    if (unresolved.has(ordinal)) findings.unresolved.push(row);
    if (errors.has(ordinal)) {
      for (const { name, isError } of errorNotes(run, result)) if (isError) findings.errors.add(name, row.id);
    }
    if (shortfalls.has(ordinal)) addShortfalls(findings, row, result);
  };
}

function addShortfalls(findings: Findings, row: QuestionRow, result: Result): void {
  addTools(findings, row);
  for (const { metric, missing } of row.terms) {
    for (const term of missing) entryOf(findings.missedTerms, metric, () => new Tally()).add(term, row.id);
  }
  for (const [metric, verdict] of Object.entries(result.verdicts)) {
    if (verdict.status !== 'failed') continue;
    entryOf(findings.unmeasured, metric, () => new Tally()).add(verdict.code, row.id);
  }
}

function addTools(findings: Findings, { id, tools }: QuestionRow): void {
  if (tools === undefined) return;
  const others = tools.used.filter((name) => !tools.expected.includes(name));
  for (const missed of tools.missing) {
    findings.missedTools.add(missed, id);
    const instead = entryOf(findings.usedInstead, missed, () => new Tally());
    if (tools.used.length === 0) instead.add('', id);
    for (const other of others) instead.add(other, id);
  }
}
