import { errorNotes } from '../report/rows/question-row.ts';
import { questionOf, uncategorized } from '../schema/case.ts';
import { outcomeOfTrial, type Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { toolCallsOf } from '../schema/trial.ts';
import type { Verdict } from '../schema/verdict.ts';
import type { Reporter } from './reporter.ts';

/** The byte order mark of UTF-8; without it spreadsheets assume another encoding. */
const byteOrderMark = '\ufeff';

/** The most characters of a text in a cell; Excel allows 32,767. */
const longestText = 32_000;

const pieceLength = 65_536;

/** The reporter for spreadsheets: a row for every trial with question, answer, metrics, score, error, time and cost. */
export const csv: Reporter = {
  name: 'csv',
  extensions: ['.csv'],
  async *report({ run, results }) {
    const metrics = run.metrics.map(({ name }) => name);
    let piece = byteOrderMark + csvLine([...firstColumns, ...metrics, ...lastColumns]);
    for await (const result of results()) {
      piece += csvLine(cellsOf(run, result, metrics));
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  },
};

const firstColumns = [
  'case',
  'target',
  'attempt',
  'category',
  'question',
  'answer',
  'result',
  'score',
  'grade',
  'outcome',
  'passed',
] as const;

const lastColumns = [
  'explanation',
  'tools_used',
  'error',
  'error_message',
  'latency_ms',
  'cost_usd',
  'input_tokens',
  'output_tokens',
  'run',
] as const;

function cellsOf(run: Run, result: Result, metrics: readonly string[]): Cell[] {
  const { case: testCase, trial, verdicts, scorecard } = result;
  const [error] = errorNotes(run, result);
  const { usage, latency, cost } = trial;
  return [
    testCase.id,
    trial.target,
    trial.attempt,
    testCase.category ?? uncategorized,
    questionOf(testCase).slice(0, longestText),
    trial.answer?.slice(0, longestText),
    outcomeOfTrial(run, result),
    scorecard?.total,
    scorecard?.grade,
    scorecard?.outcome,
    scorecard?.passed,
    ...metrics.map((name) => valueOf(verdicts[name])),
    scorecard?.explanation.slice(0, longestText),
    toolCallsOf(trial.transcript)
      .map(({ name }) => name)
      .join(' | ')
      .slice(0, longestText),
    error?.name,
    error?.text,
    latency?.totalMs,
    cost,
    usage?.inputTokens,
    usage?.outputTokens,
    run.id,
  ];
}

/** Returns the value of a verdict; undefined for one that was not measured, which leaves the cell empty, never 0. */
function valueOf(verdict: Verdict | undefined): Cell {
  return verdict?.status === 'scored' ? verdict.value : undefined;
}

/** The value of a cell. */
type Cell = string | number | boolean | null | undefined;

/** Formats a row as CSV: ended by `\r\n`, with quotes around texts that need them. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(setCell).join(',')}\r\n`;
}

/** Formats a cell. A text that a spreadsheet would read as a formula gets an apostrophe before it. */
function setCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^\s*[=+\-@|\t\r\uff1d\uff0b\uff0d\uff20]/u.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
