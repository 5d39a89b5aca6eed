import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { TargetSummary } from '../schema/summary.ts';
import { errorNotes, type QuestionRow, questionRow } from './question-row.ts';
import type { ReportInput } from './reporter.ts';
import { entryOf, Lowest, Tally } from './tally.ts';

/** Up to this many trials of a target, a report tells every one; beyond, only those that did not pass. */
export const mostRows = 60;
/** Rows of trials that did not pass are told up to this many. */
export const mostUnresolved = 40;

/** What one reading of a target's results brings together. Its size does not grow with their number. */
export interface Findings {
  /** Results read; fewer than planned when some are not there yet or only a part is looked at. */
  seen: number;
  /** The first trials in the order of the plan. */
  readonly rows: QuestionRow[];
  /** The first trials that did not pass, and how many there are in all. */
  readonly unresolved: QuestionRow[];
  unresolvedCount: number;
  readonly missedTools: Tally;
  /** By missed tool: what was used instead; the empty name stands for no tool at all. */
  readonly usedInstead: Map<string, Tally>;
  /** By metric: expected terms that answers lack. */
  readonly missedTerms: Map<string, Tally>;
  readonly errors: Tally;
  /** By metric: codes of verdicts that could not be given. */
  readonly unmeasured: Map<string, Tally>;
  /** By metric: questions with the lowest values. */
  readonly lowest: Map<string, Lowest>;
  /** By category: questions with the lowest totals. */
  readonly lowestInCategory: Map<string, Lowest>;
}

/** One target of a run with all that a report says about it. */
export interface ReportedTarget {
  readonly run: Run;
  readonly target: TargetSummary;
  readonly findings: Findings;
}

/** Reads all results once and brings together, for every target of the run, what reports say about single questions. */
export async function collectFindings(input: ReportInput): Promise<ReportedTarget[]> {
  const { run, summary } = input;
  const reported = summary.targets.map((target) => ({ run, target, findings: emptyFindings() }));
  const byName = new Map(reported.map(({ target, findings }) => [target.target, findings]));
  for await (const result of input.results()) {
    const findings = byName.get(result.trial.target);
    if (findings !== undefined) addResult(findings, run, result);
  }
  return reported;
}

function emptyFindings(): Findings {
  return {
    seen: 0,
    rows: [],
    unresolved: [],
    unresolvedCount: 0,
    missedTools: new Tally(),
    usedInstead: new Map(),
    missedTerms: new Map(),
    errors: new Tally(),
    unmeasured: new Map(),
    lowest: new Map(),
    lowestInCategory: new Map(),
  };
}

function addResult(findings: Findings, run: Run, result: Result): void {
  const row = questionRow(run, result);
  findings.seen += 1;
  if (findings.rows.length < mostRows) findings.rows.push(row);
  if (row.mark !== 'passed' && row.mark !== 'unscored') {
    findings.unresolvedCount += 1;
    if (findings.unresolved.length < mostUnresolved) findings.unresolved.push(row);
  }
  for (const { name, isError } of errorNotes(run, result)) {
    if (isError) findings.errors.add(name, row.id);
  }
  if (result.trial.status === 'completed') addAnswer(findings, row, result);
}

function addAnswer(findings: Findings, row: QuestionRow, result: Result): void {
  addTools(findings, row);
  for (const { metric, missing } of row.terms) {
    for (const term of missing) entryOf(findings.missedTerms, metric, () => new Tally()).add(term, row.id);
  }
  for (const [metric, verdict] of Object.entries(result.verdicts)) {
    if (verdict.status === 'failed') {
      entryOf(findings.unmeasured, metric, () => new Tally()).add(verdict.code, row.id);
    } else if (verdict.status === 'scored' && verdict.unit === undefined && verdict.value < 1) {
      entryOf(findings.lowest, metric, () => new Lowest()).offer(row.id, verdict.value);
    }
  }
  if (row.total !== null && row.total < 1) {
    entryOf(findings.lowestInCategory, row.category, () => new Lowest()).offer(row.id, row.total);
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
