import { displayWidth, firstUnits, shorten } from '../../../core/lib/text/terminal-text.ts';
import { hasSteps } from '../../report/conversation-turns.ts';
import {
  formatDuration,
  formatMoney,
  formatPercent,
  formatQuantity,
  formatWeight,
} from '../../report/format.ts';
import { errorNotes, outcomeSigns, type QuestionRow, questionRow } from '../../report/rows/question-row.ts';
import { checkSigns, type CheckRow, describePassMark, listChecks } from '../../report/rows/check-rows.ts';
import { listDocuments } from '../../report/rows/document-rows.ts';
import { foldIdle, listVerdicts } from '../../report/rows/verdict-rows.ts';
import { questionOf } from '../../../core/schema/case.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import { callLines, conversationLines, expectedLines } from './conversation-lines.ts';
import { flow } from './flow.ts';
import { judgementLines } from './judgement-lines.ts';
import { joined, type Line, markTones, shareTone, span, whole } from './line.ts';
import { detailLine, noteLine, padEnd } from './question-lines.ts';
import { block, labelled } from './table.ts';

const mostLines = 60;
const mostLogLines = 10;
/** The most characters of a log that are read, from its end. Cutting before splitting keeps a huge log cheap. */
const longestLog = 20_000;

/**
 * Formats everything about one trial: question and answer, or the conversation turn by turn; expected against actual; the
 * verdict of every metric with its judgements; error and logs. The full view leaves nothing out.
 */
export async function* verboseLines(
  input: ReportInput,
  result: Result,
  view: ReportView,
): AsyncGenerator<Line> {
  const { run } = input;
  const { width } = view;
  const row = questionRow(run, result);
  const found = detailLine({ ...row, outcome: 'failed' }, []);
  yield* [
    ...headLines(row, result, width),
    ...(hasSteps(result)
      ? [...conversationLines(result, view), ...expectedLines(result.case.expected, width)]
      : [...askedLines(result, view), ...workLines(result, view)]),
    ...documentLines(result, view),
    ...(found.length === 0 ? [] : labelled('Found', found, width)),
    ...scoreLines(run, result, view.full === true).flatMap((line, index) =>
      labelled(index === 0 ? 'Scores' : '', line, width),
    ),
  ];
  yield* judgementLines(input, result, view);
  yield* [...errorLines(input, result, view), ...logLines(result.trial.logs ?? '', view)];
}

/** Formats the question, the answer and the expectations. */
export function askedLines(result: Result, { width, full }: ReportView): Line[] {
  const look = { width, most: full === true ? undefined : mostLines };
  return [
    ...block('Question', questionOf(result.case), look),
    ...block('Answer', result.trial.answer ?? '', look),
    ...expectedLines(result.case.expected, width),
  ];
}

/** Formats the target's reasoning and tool calls before a single answer. */
function workLines({ trial: { transcript } }: Result, view: ReportView): Line[] {
  const { width, full } = view;
  const thoughts = transcript.flatMap(({ reasoning = [] }) => reasoning).join('\n');
  const most = full === true ? undefined : mostLines;
  const calls = toolCallsOf(transcript).filter(
    ({ arguments: args, result, error }) => (args ?? result ?? error) !== undefined,
  );
  const brief = calls.map(({ name, arguments: args, result, error }) => {
    const outcome = error === undefined ? inBrief(result) : `error: ${inBrief(error)}`;
    return `${name}(${args === undefined ? '' : inBrief(args)}) → ${outcome}`;
  });
  return [
    ...block('Thoughts', thoughts, { width, most, tone: 'quiet' }),
    ...(full === true
      ? calls.flatMap((call) => callLines(call, view))
      : brief.flatMap((call, index) =>
          block(index === 0 ? 'Tools' : '', call, { width, most, tone: 'quiet' }),
        )),
  ];
}

/** The most documents, and characters of the text of one, unless everything is asked for. */
const [mostDocuments, longestExcerpt] = [10, 160];

/** Formats the documents that the target retrieved, in their order. */
function documentLines({ trial }: Result, { width, full }: ReportView): Line[] {
  const rows = listDocuments(trial);
  const shown = full === true ? rows : rows.slice(0, mostDocuments);
  const lines = shown.flatMap(({ rank, id, facts, text = '' }) => {
    const head = `${rank}. ${id}${facts === '' ? '' : ` (${facts})`}`;
    const excerpt =
      full === true
        ? text
        : shorten(text.slice(0, 2 * longestExcerpt).replaceAll(/\s+/g, ' '), longestExcerpt);
    return [head, ...(excerpt.trim() === '' ? [] : [excerpt])];
  });
  const more = rows.length - shown.length;
  if (more > 0) lines.push(`… and ${more} more`);
  return block('Documents', lines.join('\n'), { width, tone: 'quiet' });
}

function inBrief(value: Json | undefined): string {
  if (value === undefined) return 'nothing reported';
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), 200);
}

function headLines(row: QuestionRow, { trial }: Result, width: number): Line[] {
  const tone = markTones[row.outcome];
  const facts = [
    ...(row.total === null ? [] : [[whole(formatPercent(row.total), tone)]]),
    ...(row.grade === null ? [] : [[span(row.grade, tone)]]),
    [whole(row.id, 'strong')],
    [whole(row.category)],
    ...row.attempts.map((attempt) => [whole(`attempt ${attempt}`)]),
    ...(trial.latency === undefined ? [] : [[whole(formatDuration(trial.latency.totalMs))]]),
    ...(trial.cost === undefined ? [] : [[whole(formatMoney(trial.cost))]]),
  ];
  return flow(joined(facts), {
    width,
    first: [span('  '), span(outcomeSigns[row.outcome], tone), span(' ')],
  });
}

function errorLines({ run }: ReportInput, result: Result, { width, full }: ReportView): Line[] {
  const { error } = result.trial;
  if (full === true && error !== undefined)
    return block('Error', `${error.code}: ${error.message}`, { width });
  return errorNotes(run, result).flatMap((note) => labelled('Error', noteLine(note), width));
}

function logLines(logs: string, { width, full }: ReportView): Line[] {
  if (full === true) return block('Logs', logs, { width, tone: 'quiet' });
  const lines = logs.slice(-longestLog).trimEnd().split(/\r?\n/);
  const tail = lines.slice(-mostLogLines).join('\n');
  const isCut = lines.length > mostLogLines || logs.length > longestLog;
  return block('Logs', isCut ? `…\n${tail}` : tail, { width, most: mostLines, tone: 'quiet' });
}

const longestExplanation = 2000;
const widestName = 24;

/**
 * Formats every verdict of a trial as a line: components in the order of the scorecard, then the other metrics. Many that do
 * not apply share a line unless everything is asked for.
 */
function scoreLines(run: Run, result: Result, isFull: boolean): Line[] {
  const all = listVerdicts(run, result);
  const { shown: rows, idle } = isFull ? { shown: all, idle: [] } : foldIdle(all);
  const widest = Math.min(
    widestName,
    Math.max(0, ...rows.map(({ name }) => displayWidth(shorten(name, widestName)))),
  );
  const lines = rows.flatMap(({ name, verdict, weight }): Line[] => [
    [whole(padEnd(name, widest)), span('  '), ...verdictSpans(verdict, weight)],
    ...listChecks(verdict).map(checkLine),
  ]);
  if (idle.length > 0) {
    const names = idle.map(({ name }) => name).join(', ');
    lines.push([span(`${idle.length} more metrics do not apply: `, 'quiet'), ...explanationSpans(names)]);
  }
  const said = [describePassMark(result.scorecard?.passMark), result.scorecard?.explanation];
  const explanation = said.filter((text) => text !== undefined && text !== '').join('; ');
  return explanation === ''
    ? lines
    : [...lines, [whole(padEnd('total', widest)), span('  '), ...explanationSpans(explanation)]];
}

/** Formats one check of a case, below the verdict that it is a part of. */
function checkLine({ depth, name, use, outcome, value, traits, label, explanation }: CheckRow): Line {
  const tone = outcome === 'passed' ? 'good' : outcome === 'failed' ? 'bad' : 'fair';
  const facts = [use, label, traits].filter((text) => text !== undefined && text !== '').join(', ');
  return [
    span('  '.repeat(depth + 1)),
    span(`${checkSigns[outcome]} `, tone),
    whole(name),
    span(`  ${value}${facts === '' ? '' : ` (${facts})`}`, 'quiet'),
    ...(explanation === '' ? [] : [span('  '), ...explanationSpans(explanation)]),
  ];
}

function verdictSpans(verdict: Verdict | undefined, weight: number): Line {
  if (verdict === undefined) return [span('no verdict', 'quiet')];
  if (verdict.status === 'failed') {
    return [span('not measured: ', 'fair'), ...explanationSpans(`${verdict.code}, ${verdict.reason}`)];
  }
  if (verdict.status === 'not-applicable')
    return [span('not applicable: ', 'quiet'), ...explanationSpans(verdict.reason)];
  const { value, unit, explanation = '' } = verdict;
  return [
    whole(formatQuantity(value, unit).padStart(7), unit === undefined ? shareTone(value) : undefined),
    ...(weight > 0 ? [span(` × ${formatWeight(weight)}`, 'quiet')] : []),
    ...(explanation === '' ? [] : [span('  '), ...explanationSpans(explanation)]),
  ];
}

function explanationSpans(text: string): Line {
  return [span(firstUnits(text, longestExplanation), 'quiet')];
}
