import { formatJson } from '../../../core/lib/text/format-json.ts';
import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import { type ConversationTurn, type TurnCheck, turnsOf } from '../../report/conversation-turns.ts';
import { formatDuration, formatMoney, formatPlural } from '../../report/format.ts';
import { listExpected } from '../../report/rows/expected-lists.ts';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Message, ToolCall } from '../../../core/schema/message.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { ReportView } from '../reporter.ts';
import { joined, type Line, span, whole } from './line.ts';
import { block, labelled } from './table.ts';

/** The most lines of each part unless the full view is requested. */
const most = { message: 60, reasoning: 12, instructions: 3, arguments: 8, result: 8 } as const;

type Part = keyof typeof most;

/** Formats a conversation turn by turn: the messages, each tool call with arguments and result, and the checks of each turn. */
export function conversationLines(result: Result, view: ReportView): Line[] {
  const { given, turns } = turnsOf(result);
  return [
    ...(given.length === 0 ? [] : labelled('Before', [span('given with the case', 'quiet')], view.width)),
    ...given.flatMap((message) => messageLines(message, view, false)),
    ...turns.flatMap((turn) => turnLines(turn, view)),
    ...endLines(result, view),
  ];
}

/** Formats a tool call with its arguments and its result or error. */
export function callLines(call: ToolCall, view: ReportView): Line[] {
  const { name, arguments: args, result, error, fault, withheld } = call;
  const signature = args === undefined ? name : `${name}(${jsonText(args, view)})`;
  return [
    ...text('Tool', signature, 'arguments', view),
    ...(result === undefined ? [] : text('Result', jsonText(result, view) || '(empty)', 'result', view)),
    ...(error === undefined ? [] : text('Error', error || '(no message)', 'result', view)),
    ...(fault === undefined ? [] : labelled('Fault', [span(`${fault}, injected by Touchstone`)], view.width)),
    ...(withheld === undefined ? [] : text('Withheld', jsonText(withheld, view), 'result', view)),
  ];
}

function turnLines(
  { number, messages, facts, expected, checks }: ConversationTurn,
  view: ReportView,
): Line[] {
  const { width } = view;
  const { latencyMs, script } = facts;
  const about = [
    ...(script === undefined || script === number ? [] : [[whole(`turn ${script} of the script`, 'quiet')]]),
    ...(latencyMs === undefined ? [] : [[whole(formatDuration(latencyMs), 'quiet')]]),
  ];
  return [
    ...labelled(`Turn ${number}`, joined(about.length === 0 ? [[span('─', 'quiet')]] : about), width),
    ...messages.flatMap((message, index) => messageLines(message, view, index === messages.length - 1)),
    ...(expected === undefined ? [] : expectedLines(expected, view.width)),
    ...checks.flatMap((check, index) => checkLines(check, index === 0 ? 'Checks' : '', width)),
  ];
}

/** Formats a message. Tool calls come before the text of the last message, whose answer uses them; else after the text. */
function messageLines(message: Message, view: ReportView, isLast: boolean): Line[] {
  const { role, content, name, reasoning, toolCalls = [] } = message;
  const label = { system: 'System', user: 'User', assistant: 'Bot', tool: 'Result' }[role];
  const part = role === 'system' ? 'instructions' : role === 'tool' ? 'result' : 'message';
  const speaker = name === undefined || role === 'tool' ? '' : `${name}: `;
  const textLines = text(label, content === null || content === '' ? '' : speaker + content, part, view);
  const toolLines = toolCalls.flatMap((call) => callLines(call, view));
  return [
    ...text('Thoughts', reasoning ?? '', 'reasoning', view),
    ...(isLast ? [...toolLines, ...textLines] : [...textLines, ...toolLines]),
  ];
}

function checkLines({ metric, outcome, note }: TurnCheck, label: string, width: number): Line[] {
  const marks = { passed: ['✓', 'good'], failed: ['✗', 'bad'] } as const;
  const [mark, tone] = marks[outcome as keyof typeof marks] ?? ['?', 'fair'];
  const why = note === '' && outcome !== 'passed' && outcome !== 'failed' ? outcome : note;
  return labelled(
    label,
    [span(`${mark} `, tone), whole(metric), span(why === '' ? '' : `: ${why}`, 'quiet')],
    width,
  );
}

/** Formats the end of a conversation: the reason, and for a simulated user its calls, their cost and unusable replies. */
function endLines({ trial: { conversation, spoilt } }: Result, view: ReportView): Line[] {
  if (conversation === undefined) return [];
  const { ended, reason, user } = conversation;
  const { calls = [], cost } = user ?? {};
  const played = [
    ...(user === undefined ? [] : [[whole(user.model)], [whole(formatPlural(calls.length, 'call'))]]),
    ...(cost === undefined ? [] : [[whole(formatMoney(cost))]]),
  ];
  return [
    ...labelled('Ended', [whole(ended), span(reason === undefined ? '' : `: ${reason}`)], view.width),
    ...(spoilt === undefined
      ? []
      : labelled('Invalid', [whole(spoilt.kind, 'fault'), span(`: ${spoilt.reason}`)], view.width)),
    ...(user === undefined ? [] : labelled('Played by', joined(played), view.width)),
    ...calls.flatMap(({ reply, error }) =>
      error === undefined
        ? []
        : [
            ...labelled('', [span(error.code, 'fault'), span(`: ${error.message}`)], view.width),
            ...text('', reply ?? '', 'result', view),
          ],
    ),
  ];
}

function text(label: string, content: string, part: Part, view: ReportView): Line[] {
  const { width, full } = view;
  const isQuiet = part !== 'message';
  return block(label, content, {
    width,
    most: full === true ? undefined : most[part],
    tone: isQuiet ? 'quiet' : undefined,
  });
}

/** Formats a text as it is, and other values as JSON; the full view wraps JSON that does not fit on a line. */
function jsonText(value: Json, { width, full }: ReportView): string {
  if (typeof value === 'string') return value;
  return full === true ? formatJson(value, width - 16) : JSON.stringify(value);
}

const mostLines = 60;
const longestList = 4000;

/** Formats the expectations of a case or of one of its turns; nothing when there are none. */
export function expectedLines(expected: Expected, width: number): Line[] {
  const answers = [expected.answer ?? []].flat();
  const wanted = listExpected(expected).map(({ name, items }) =>
    items.length === 0
      ? [span(name)]
      : [span(`${name} `, 'quiet'), span(firstUnits(items.join(', '), longestList))],
  );
  const labels = answers.map((_, index) => (index === 0 ? 'Expected' : 'or'));
  return [
    ...answers.flatMap((answer, index) => block(labels[index] ?? '', answer, { width, most: mostLines })),
    ...(wanted.length === 0 ? [] : labelled(answers.length === 0 ? 'Expected' : '', joined(wanted), width)),
    ...(['calls', 'state'] as const).flatMap((part) => {
      const value = expected[part];
      return value === undefined ? [] : block(`in ${part}`, JSON.stringify(value), { width, most: 4 });
    }),
  ];
}
