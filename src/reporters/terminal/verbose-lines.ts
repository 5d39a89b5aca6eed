import { firstUnits, shorten, wrap } from '../../lib/terminal-text.ts';
import { expectedToolName, gradedDocument, questionOf } from '../../schema/case.ts';
import type { Json } from '../../schema/json.ts';
import type { Result } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { toolCallsOf } from '../../schema/trial.ts';
import { formatDuration } from '../format-duration.ts';
import { formatMoney } from '../format-money.ts';
import { formatCount, formatPercent, formatPlural } from '../format-number.ts';
import { errorNotes, markSigns, type QuestionRow, questionRow } from '../question-row.ts';
import { flow } from './flow.ts';
import { joined, type Line, span, type Tone, whole } from './line.ts';
import { detailLine, noteLine } from './row-details.ts';
import { scoreLines } from './score-lines.ts';
import { markTones } from './tone.ts';

const mostLines = 60;
const mostLogLines = 10;
const labelWidth = 10;

/** Everything about one trial: question, answer, expected against actual, every metric's verdict, error and logs. */
export function verboseLines(run: Run, result: Result, width: number): Line[] {
  const row = questionRow(run, result);
  const found = detailLine({ ...row, mark: 'failed' }, []);
  return [
    [],
    ...headLines(row, result, width),
    ...askedLines(result, width),
    ...conversationLines(result, width),
    ...(found.length === 0 ? [] : labelled('Found', found, width)),
    ...scoreLines(run, result).flatMap((line, index) => labelled(index === 0 ? 'Scores' : '', line, width)),
    ...errorNotes(run, result).flatMap((note) => labelled('Error', noteLine(note), width)),
    ...logLines(result.trial.logs ?? '', width),
  ];
}

/** What was asked, what came back and what was expected. */
export function askedLines(result: Result, width: number): Line[] {
  return [
    ...block('Question', questionOf(result.case), width),
    ...block('Answer', result.trial.answer ?? '', width),
    ...expectedLines(result, width),
  ];
}

/** What went on before the answer: what the target thought, and the tools that it used. */
function conversationLines({ trial: { transcript } }: Result, width: number): Line[] {
  const thoughts = transcript.flatMap(({ reasoning = [] }) => reasoning).join('\n');
  const calls = toolCallsOf(transcript).flatMap(({ name, arguments: given, result, error }) => {
    if ((given ?? result ?? error) === undefined) return [];
    const outcome = error === undefined ? brief(result) : `error: ${brief(error)}`;
    return [`${name}(${given === undefined ? '' : brief(given)}) → ${outcome}`];
  });
  return [
    ...block('Thoughts', thoughts, width, 'quiet'),
    ...calls.flatMap((call, index) => block(index === 0 ? 'Tools' : '', call, width, 'quiet')),
  ];
}

function brief(value: Json | undefined): string {
  if (value === undefined) return 'nothing reported';
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), 200);
}

function headLines(row: QuestionRow, { trial }: Result, width: number): Line[] {
  const tone = markTones[row.mark];
  const facts = [
    ...(row.total === null ? [] : [[whole(formatPercent(row.total), tone)]]),
    ...(row.grade === null ? [] : [[span(row.grade, tone)]]),
    [whole(row.id, 'strong')],
    [whole(row.category)],
    ...row.attempts.map((attempt) => [whole(`attempt ${attempt}`)]),
    ...(trial.latency === undefined ? [] : [[whole(formatDuration(trial.latency.totalMs))]]),
    ...(trial.cost === undefined ? [] : [[whole(formatMoney(trial.cost))]]),
  ];
  return flow(joined(facts), { width, first: [span('  '), span(markSigns[row.mark], tone), span(' ')] });
}

function expectedLines({ case: { expected } }: Result, width: number): Line[] {
  const answers = [expected.answer ?? []].flat();
  const lists: [string, readonly string[] | undefined][] = [
    ['tools', expected.tools?.map(expectedToolName)],
    ['keywords', expected.keywords],
    ['entities', expected.entities],
    ['documents', expected.documents?.map((document) => gradedDocument(document).id)],
    ['not', expected.forbidden],
  ];
  const wanted = lists.flatMap(([name, items = []]) =>
    items.length === 0 ? [] : [[span(`${name} `, 'quiet'), span(firstUnits(items.join(', '), 4000))]],
  );
  if (expected.refusal === true) wanted.push([span('a refusal')]);
  return [
    ...answers.flatMap((answer, index) => block(index === 0 ? 'Expected' : 'or', answer, width)),
    ...(wanted.length === 0 ? [] : labelled(answers.length === 0 ? 'Expected' : '', joined(wanted), width)),
  ];
}

function logLines(logs: string, width: number): Line[] {
  // The end of a log tells why; cutting before splitting keeps a huge one cheap.
  const lines = logs.slice(-20_000).trimEnd().split(/\r?\n/);
  const tail = lines.slice(-mostLogLines).join('\n');
  const isCut = lines.length > mostLogLines || logs.length > 20_000;
  return block('Logs', isCut ? `…\n${tail}` : tail, width, 'quiet');
}

function block(label: string, text: string, width: number, tone?: Tone): Line[] {
  if (text.trim() === '') return [];
  const room = width - labelWidth - 4;
  const most = mostLines * room * 2;
  const lines = wrap(firstUnits(text, most), room);
  const shown = lines.slice(0, mostLines).map((line) => [span(line, tone)]);
  const rest = text.length > most || lines.length > mostLines;
  const more: Line[] = rest ? [[span(`… cut; ${sizeOf(text)} in all`, 'quiet')]] : [];
  return [...shown, ...more].map((line, index) => [...start(index === 0 ? label : ''), ...line]);
}

function sizeOf(text: string): string {
  return text.length < 10_000
    ? formatPlural(text.length, 'character')
    : `${formatCount(text.length / 1000)} thousand characters`;
}

function labelled(label: string, line: Line, width: number): Line[] {
  return flow(line, { width, first: start(label) });
}

function start(label: string): Line {
  return [span('    '), span(label.padEnd(labelWidth), 'quiet')];
}
