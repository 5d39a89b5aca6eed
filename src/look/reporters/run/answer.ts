import { displayWidth, firstUnits, shorten } from '../../../core/lib/text/terminal-text.ts';
import { hasSteps } from '../../report/conversation-turns.ts';
import {
  latencyFacts,
  formatMoney,
  formatPercent,
  formatQuantity,
  formatWeight,
  outcomeSigns,
} from '../../report/format.ts';
import { errorNotes, type QuestionRow, questionRow } from '../../report/rows/question-row.ts';
import { checkSigns, type CheckRow, describePassMark, listChecks } from '../../report/rows/check-rows.ts';
import { listDocuments } from '../../report/rows/document-rows.ts';
import { foldIdle, listVerdicts } from '../../report/rows/verdict-rows.ts';
import { callSources } from '../../report/tools/call-sources.ts';
import { questionOf } from '../../../core/schema/case.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import { type Block, excerpt, field, paragraph } from '../blocks/block.ts';
import {
  joined,
  markTones,
  name,
  quantity,
  quoted,
  shareTone,
  span,
  type Span,
  type Text,
  whole,
} from '../blocks/text.ts';
import { callBlocks, conversationBlocks, expectedBlocks } from './conversation.ts';
import { judgementBlocks } from './judgements.ts';
import { detailText, noteText, padEnd } from './questions.ts';

const mostLines = 60;
const mostLogLines = 10;
/** The most characters of a log that are read, from its end. Cutting before splitting keeps a huge log cheap. */
const longestLog = 20_000;

/**
 * Lays out everything about one trial: question and answer, or the conversation turn by turn; expected against actual; the
 * verdict of every metric with its judgements; error and logs. The full view leaves nothing out.
 */
export async function answerBlocks(input: ReportInput, result: Result, view: ReportView): Promise<Block[]> {
  const { run } = input;
  const row = questionRow(run, result);
  const found = detailText({ ...row, outcome: 'failed' }, []);
  return [
    headBlock(row, result),
    ...(hasSteps(result)
      ? [...conversationBlocks(result, view), ...expectedBlocks(result.case.expected)]
      : [...askedBlocks(result, view), ...workBlocks(result, view)]),
    documentBlock(result, view),
    ...(found.length === 0 ? [] : [field('Found', found)]),
    ...scoreTexts(run, result, view.full === true).map((text, index) =>
      field(index === 0 ? 'Scores' : '', text),
    ),
    ...(await judgementBlocks(input, result, view)),
    ...errorBlocks(input, result, view),
    logBlock(result.trial.logs ?? '', view),
  ];
}

/** Lays out the question, the answer and the expectations. */
export function askedBlocks(result: Result, { full }: ReportView): Block[] {
  const look = { most: full === true ? undefined : mostLines };
  return [
    excerpt('Question', questionOf(result.case), look),
    excerpt('Answer', result.trial.answer ?? '', look),
    ...expectedBlocks(result.case.expected),
  ];
}

/** Lays out the target's reasoning and tool calls before a single answer. */
function workBlocks({ trial: { transcript } }: Result, view: ReportView): Block[] {
  const { full } = view;
  const thoughts = transcript.flatMap(({ reasoning = [] }) => reasoning).join('\n');
  const look = { most: full === true ? undefined : mostLines, tone: 'quiet' } as const;
  const calls = toolCallsOf(transcript).filter(
    ({ arguments: args, result, error }) => (args ?? result ?? error) !== undefined,
  );
  const brief = calls.map(({ name: tool, arguments: args, result, error, from = 'tool' }) => {
    const outcome = error === undefined ? inBrief(result) : `error: ${inBrief(error)}`;
    const source = from === 'tool' ? '' : ` (${callSources[from]})`;
    return `${tool}(${args === undefined ? '' : inBrief(args)}) → ${outcome}${source}`;
  });
  return [
    excerpt('Thoughts', thoughts, look),
    ...(full === true
      ? calls.flatMap((call) => callBlocks(call, view))
      : brief.map((call, index) => excerpt(index === 0 ? 'Tools' : '', call, look))),
  ];
}

/** The most documents, and characters of the text of one, unless everything is asked for. */
const [mostDocuments, longestExcerpt] = [10, 160];

/** Lays out the documents that the target retrieved, in their order. */
function documentBlock({ trial }: Result, { full }: ReportView): Block {
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
  return excerpt('Documents', lines.join('\n'), { tone: 'quiet' });
}

function inBrief(value: Json | undefined): string {
  if (value === undefined) return 'nothing reported';
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), 200);
}

function headBlock(row: QuestionRow, { trial }: Result): Block {
  const tone = markTones[row.outcome];
  const facts = [
    row.total === null ? [] : [whole(formatPercent(row.total), tone)],
    row.grade === null ? [] : [quoted(row.grade, tone)],
    [name(row.id, 'strong')],
    [name(row.category)],
    ...row.attempts.map((attempt) => [whole(`attempt ${attempt}`)]),
    ...latencyFacts(trial).map((fact) => [whole(fact)]),
    trial.cost === undefined ? [] : [whole(formatMoney(trial.cost))],
  ];
  return paragraph(joined(facts), { mark: [span(outcomeSigns[row.outcome], tone), span(' ')] });
}

function errorBlocks({ run }: ReportInput, result: Result, { full }: ReportView): Block[] {
  const { error } = result.trial;
  if (full === true && error !== undefined) return [excerpt('Error', `${error.code}: ${error.message}`)];
  return errorNotes(run, result).map((note) => field('Error', noteText(note)));
}

function logBlock(logs: string, { full }: ReportView): Block {
  if (full === true) return excerpt('Logs', logs, { tone: 'quiet' });
  const lines = logs.slice(-longestLog).trimEnd().split(/\r?\n/);
  const tail = lines.slice(-mostLogLines).join('\n');
  const isCut = lines.length > mostLogLines || logs.length > longestLog;
  return excerpt('Logs', isCut ? `…\n${tail}` : tail, { most: mostLines, tone: 'quiet' });
}

const longestExplanation = 2000;
const shortError = 20;
const widestName = 24;

/**
 * Sets every verdict of a trial as a text: components in the order of the scorecard, then the other metrics. Many that do
 * not apply share a line unless everything is asked for.
 */
function scoreTexts(run: Run, result: Result, isFull: boolean): Text[] {
  const all = listVerdicts(run, result);
  const { shown: rows, idle } = isFull ? { shown: all, idle: [] } : foldIdle(all);
  const widest = Math.min(
    widestName,
    Math.max(0, ...rows.map((row) => displayWidth(shorten(row.name, widestName)))),
  );
  // The error is said once, in its own line; a short one may be a part of any sentence.
  const { message: error = '' } = result.trial.error ?? {};
  const isSaidOnce = !isFull && error.length > shortError;
  const explain = (text: string) => explained(isSaidOnce ? text.replaceAll(error, 'see the error') : text);
  const lines = rows.flatMap(({ name: criterion, verdict, weight }): Text[] => [
    [{ ...name(''), text: padEnd(criterion, widest) }, span('  '), ...verdictText(verdict, weight, explain)],
    ...listChecks(verdict).map(checkText),
  ]);
  if (idle.length > 0) {
    const names = idle.map((row) => row.name).join(', ');
    lines.push([span(`${idle.length} more metrics do not apply: `, 'quiet'), explained(names)]);
  }
  const said = [describePassMark(result.scorecard?.passMark), result.scorecard?.explanation];
  const explanation = said.filter((text) => text !== undefined && text !== '').join('; ');
  return explanation === ''
    ? lines
    : [...lines, [whole(padEnd('total', widest)), span('  '), explain(explanation)]];
}

/** Sets one check of a case, below the verdict that it is a part of. */
function checkText({ depth, name: check, use, outcome, value, traits, label, explanation }: CheckRow): Text {
  const tone = outcome === 'passed' ? 'good' : outcome === 'failed' ? 'bad' : 'fair';
  const facts = [use, label, traits].filter((text) => text !== undefined && text !== '').join(', ');
  return [
    span('  '.repeat(depth + 1)),
    span(`${checkSigns[outcome]} `, tone),
    name(check),
    span(`  ${value}`, 'quiet'),
    ...(facts === '' ? [] : [span(' (', 'quiet'), quoted(facts, 'quiet'), span(')', 'quiet')]),
    ...(explanation === '' ? [] : [span('  '), explained(explanation)]),
  ];
}

function verdictText(verdict: Verdict | undefined, weight: number, explain: (text: string) => Span): Text {
  if (verdict === undefined) return [span('no verdict', 'quiet')];
  if (verdict.status === 'failed') {
    return [span('not measured: ', 'fair'), explain(`${verdict.code}, ${verdict.reason}`)];
  }
  if (verdict.status === 'not-applicable')
    return [span('not applicable: ', 'quiet'), explain(verdict.reason)];
  const { value, unit, explanation = '' } = verdict;
  return [
    {
      ...quantity(formatQuantity(value, unit), unit, unit === undefined ? shareTone(value) : undefined),
      text: formatQuantity(value, unit).padStart(7),
      isWhole: true,
    },
    ...(weight > 0 ? [span(` × ${formatWeight(weight)}`, 'quiet')] : []),
    ...(explanation === '' ? [] : [span('  '), explain(explanation)]),
  ];
}

function explained(text: string): Span {
  return quoted(firstUnits(text, longestExplanation), 'quiet', longestExplanation);
}
