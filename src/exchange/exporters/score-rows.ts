import type { Ledger } from '../importers/ledger.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { passedBy, type Verdict } from '../../core/schema/verdict.ts';
import { wasAsked } from './common-parts.ts';
import type { ExportInput } from './exporter.ts';

/** A score for the place where an answer came from. */
export interface ScoreRow {
  /** The same each time that the same verdict is exported, so that sending it again changes nothing. */
  readonly id: string;
  /** The id of the answer in the other tool. */
  readonly subject: string;
  readonly name: string;
  readonly value: number;
  readonly passed: boolean | null;
  readonly comment?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The facts by which a tool knows an answer. */
export interface ScoreNeeds {
  /** The name of the importer of the tool: the ids that came from another tool are not its own. */
  readonly tool: string;
  /** The words for an answer of the tool: `trace of Langfuse`. */
  readonly subject: string;
  /** Returns the id of the answer in the tool from the facts that were recorded with it; undefined where there is none. */
  readonly subjectOf: (source: Readonly<Record<string, unknown>>) => string | undefined;
}

/** Yields the total and the verdicts of every answer that came from another tool. What was not measured is no score. */
export async function* scoreRows(
  { run, results }: ExportInput,
  { tool, subject, subjectOf }: ScoreNeeds,
  ledger: Ledger,
): AsyncGenerator<ScoreRow> {
  const replays = new Set(run.targets.flatMap(({ name, use }) => (use.use === 'replay' ? [name] : [])));
  for await (const result of results()) {
    if (!wasAsked(result)) continue;
    const source = sourceOf(result, replays.has(result.trial.target));
    const origin = source['importedFrom'] ?? tool;
    const id = origin === tool ? subjectOf(source) : undefined;
    if (id === undefined) {
      ledger.leaveOut('answer that has no place there', {
        note: `It came from no ${subject}: only answers that were imported from there, or recorded with its id, can be scored there.`,
        place: `${result.trial.caseId}, attempt ${result.trial.attempt}`,
      });
      continue;
    }
    yield* scoresOf(run, result, { id, ledger });
  }
}

/**
 * Returns what was recorded of the origin of an answer: with the answer, or in the metadata of its case when the answer is a recorded one. A
 * question that came from a trace says nothing of where the answer of another bot came from.
 */
function sourceOf({ case: testCase, trial }: Result, isReplayed: boolean): Readonly<Record<string, unknown>> {
  const recorded = trial.recorded?.['source'];
  const own = isContainer(recorded) && !Array.isArray(recorded) ? recorded : {};
  return { ...(isReplayed && testCase.metadata), ...trial.recorded, ...own };
}

/** Yields the total and the verdicts of one answer. What was not measured is no score. */
export function* scoresOf(
  run: Run,
  { trial, verdicts, scorecard }: Result,
  { id: subject, ledger }: { readonly id: string; readonly ledger: Ledger },
): Generator<ScoreRow> {
  const row = (
    name: string,
    score: Omit<ScoreRow, 'id' | 'subject' | 'name' | 'metadata'>,
    metadata = {},
  ): ScoreRow => ({
    id: hashContent([run.id, trial.key, name]).slice(0, 32),
    subject,
    name,
    ...score,
    metadata: { ...metadata, touchstoneRun: run.id, case: trial.caseId, attempt: trial.attempt },
  });
  if (run.scorecard !== null && scorecard !== null && scorecard.total !== null) {
    ledger.take('score', 'score');
    const { total: value, passed, explanation: comment } = scorecard;
    yield row(run.scorecard.name, { value, passed, comment });
  } else if (run.scorecard !== null) noteUnmeasured(ledger, run.scorecard.name);
  for (const { name, version } of run.metrics) {
    const verdict = verdicts[name];
    if (verdict?.status !== 'scored') {
      if (verdict !== undefined) noteWithoutValue(verdict, { name, ledger });
      continue;
    }
    const { value, unit, explanation: comment } = verdict;
    ledger.take('verdict', 'score');
    yield row(name, { value, passed: passedBy(verdict), comment }, { metricVersion: version, unit });
  }
}

function noteWithoutValue(
  verdict: Verdict,
  { name, ledger }: { readonly name: string; readonly ledger: Ledger },
): void {
  if (verdict.status === 'failed') noteUnmeasured(ledger, name);
  else ledger.leaveOut('verdict that does not apply', { note: 'It has no value.', place: name });
}

function noteUnmeasured(ledger: Ledger, place: string): void {
  ledger.leaveOut('verdict that was not measured', {
    note: 'A score without a value cannot be sent.',
    place,
  });
}
