import { withoutConditions } from '../schema/condition.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { TargetSummary } from '../schema/summary.ts';
import { errorNotes, type QuestionRow, questionRow } from './question-row.ts';
import type { ReportInput } from './reporter.ts';
import { createSelection, type Limits, type Selection, type Selections } from './select-trials.ts';
import { entryOf, Tally } from './tally.ts';

/** What the results of a target say about single questions. Its size does not grow with their number. */
export interface Findings {
  /** What the numbers say: exact, however many results there are. */
  readonly selection: Selection;
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

/** Up to this many trials of a run, a report tells every one; beyond, only those that did not pass. */
const mostRows = 60;

/** Chooses what a report on a run looks at in full; the more targets, the less of each. */
export function createSelections(run: Run): Selections {
  const plain = withoutConditions(run.targets);
  const targets = plain.length;
  const limits: Limits = {
    rows: Math.floor(mostRows / targets),
    unresolved: Math.min(40, Math.max(10, Math.floor(80 / targets))),
    errors: Math.ceil(500 / targets),
    shortfalls: Math.ceil(1000 / targets),
  };
  const byTarget = new Map(plain.map(({ name }) => [name, createSelection(run, limits)]));
  return {
    add: (outcome) => byTarget.get(outcome.trial.target)?.add(outcome),
    of: (target) => (byTarget.get(target) ?? createSelection(run, limits)).selection,
  };
}

async function readSelections({ run, outcomes }: ReportInput): Promise<Selections> {
  const selections = createSelections(run);
  for await (const outcome of outcomes()) selections.add(outcome);
  return selections;
}

/**
 * Brings together, for every target of a run, what reports say about single questions: reads the numbers of all results,
 * and in full only the few that they choose.
 */
export async function collectFindings(input: ReportInput): Promise<ReportedTarget[]> {
  const { run, summary, storeFolder } = input;
  const selections = input.selections ?? (await readSelections(input));
  const reported = summary.targets.map((target) => {
    return { run, storeFolder, target, findings: emptyFindings(selections.of(target.target)) };
  });
  const byName = new Map(reported.map(({ target, findings }) => [target.target, findings]));
  const chosen = reported.flatMap(({ findings }) => chosenOf(findings.selection));
  const ordinals = [...new Set(chosen)].sort((a, b) => a - b);
  for await (const result of input.results(ordinals)) {
    const findings = byName.get(result.trial.target);
    if (findings !== undefined) addResult(findings, run, result);
  }
  return reported;
}

function chosenOf({ all, unresolved, errors, shortfalls }: Selection): number[] {
  const rows = all.isWhole ? all : unresolved;
  return [rows, errors, shortfalls].flatMap(({ ordinals }) => ordinals);
}

function emptyFindings(selection: Selection): Findings {
  return {
    selection,
    rows: [],
    unresolved: [],
    missedTools: new Tally(),
    usedInstead: new Map(),
    missedTerms: new Map(),
    errors: new Tally(),
    unmeasured: new Map(),
  };
}

function addResult(findings: Findings, run: Run, result: Result): void {
  const { selection } = findings;
  const row = questionRow(run, result);
  const { ordinal } = result.trial;
  if (selection.all.isWhole) findings.rows.push(row);
  if (selection.unresolved.has(ordinal)) findings.unresolved.push(row);
  if (selection.errors.has(ordinal)) {
    for (const { name, isError } of errorNotes(run, result)) if (isError) findings.errors.add(name, row.id);
  }
  if (selection.shortfalls.has(ordinal)) addShortfalls(findings, row, result);
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
