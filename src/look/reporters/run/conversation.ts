import { callSources } from '../../report/tools/call-sources.ts';
import { formatJson } from '../../../core/lib/text/format-json.ts';
import {
  type ConversationTurn,
  endingWords,
  type TurnCheck,
  turnsOf,
} from '../../report/conversation-turns.ts';
import { formatDuration, formatMoney, formatPlural } from '../../report/format.ts';
import { listExpected } from '../../report/rows/expected-lists.ts';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Message, ToolCall } from '../../../core/schema/message.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { ReportView } from '../reporter.ts';
import { type Block, excerpt, field } from '../blocks/block.ts';
import { joined, name, quoted, span, type Span, type Text, whole } from '../blocks/text.ts';

/** The most lines of each part unless the full view is requested. */
const most = { message: 60, reasoning: 12, instructions: 3, arguments: 8, result: 8 } as const;

type Part = keyof typeof most;

/** Lays out a conversation turn by turn: the messages, each tool call with arguments and result, and the checks of each turn. */
export function conversationBlocks(result: Result, view: ReportView): Block[] {
  const { given, turns } = turnsOf(result);
  return [
    ...(given.length === 0 ? [] : [field('Before', [span('given with the question', 'quiet')])]),
    ...given.flatMap((message) => messageBlocks(message, view, false)),
    ...turns.flatMap((turn) => turnBlocks(turn, view)),
    ...endBlocks(result, view),
  ];
}

/** Lays out a tool call with its arguments and its result or error. */
export function callBlocks(call: ToolCall, view: ReportView): Block[] {
  const { name: tool, arguments: args, result, error, fault, withheld, from } = call;
  const signature = args === undefined ? tool : `${tool}(${jsonText(args, view)})`;
  return [
    part('Tool', signature, 'arguments', view),
    part('Result', result === undefined ? '' : jsonText(result, view) || '(empty)', 'result', view),
    part('Error', error === undefined ? '' : error || '(no message)', 'result', view),
    ...(from === undefined || from === 'tool' ? [] : [field('From', [span(callSources[from])])]),
    ...(fault === undefined ? [] : [field('Fault', [span(`${fault}, injected by Touchstone`)])]),
    part('Withheld', withheld === undefined ? '' : jsonText(withheld, view), 'result', view),
  ];
}

function turnBlocks(
  { number, messages, facts, expected, checks }: ConversationTurn,
  view: ReportView,
): Block[] {
  const { latencyMs, script } = facts;
  const about = joined([
    script === undefined || script === number ? [] : [whole(`turn ${script} of the script`, 'quiet')],
    latencyMs === undefined ? [] : [whole(formatDuration(latencyMs), 'quiet')],
  ]);
  return [
    field(`Turn ${number}`, about.length === 0 ? [span('─', 'quiet')] : about),
    ...messages.flatMap((message, index) => messageBlocks(message, view, index === messages.length - 1)),
    ...(expected === undefined ? [] : expectedBlocks(expected)),
    ...checks.map((check, index) => checkBlock(check, index === 0 ? 'Checks' : '')),
  ];
}

/** Lays out a message. Tool calls come before the text of the last message, whose answer uses them; else after the text. */
function messageBlocks(message: Message, view: ReportView, isLast: boolean): Block[] {
  const { role, content, name: who, reasoning, toolCalls = [] } = message;
  const label = { system: 'System', user: 'User', assistant: 'Bot', tool: 'Result' }[role];
  const kind = role === 'system' ? 'instructions' : role === 'tool' ? 'result' : 'message';
  const speaker = who === undefined || role === 'tool' ? '' : `${who}: `;
  const said = part(label, content === null || content === '' ? '' : speaker + content, kind, view);
  const toolBlocks = toolCalls.flatMap((call) => callBlocks(call, view));
  return [
    part('Thoughts', reasoning ?? '', 'reasoning', view),
    ...(isLast ? [...toolBlocks, said] : [said, ...toolBlocks]),
  ];
}

function checkBlock({ metric, outcome, note }: TurnCheck, label: string): Block {
  const marks = { passed: ['✓', 'good'], failed: ['✗', 'bad'] } as const;
  const [mark, tone] = marks[outcome as keyof typeof marks] ?? ['?', 'fair'];
  const why = note === '' && outcome !== 'passed' && outcome !== 'failed' ? outcome : note;
  const shown = why === '' ? [] : [span(': ', 'quiet'), quoted(why, 'quiet', longestList)];
  return field(label, [span(`${mark} `, tone), name(metric), ...shown]);
}

/** Lays out the end of a conversation: the reason, and for a simulated user its calls, their cost and unusable replies. */
function endBlocks({ trial: { conversation, spoilt } }: Result, view: ReportView): Block[] {
  if (conversation === undefined) return [];
  const { ended, reason, user } = conversation;
  const { calls = [], cost } = user ?? {};
  const played = [
    ...(user === undefined ? [] : [[name(user.model)], [whole(formatPlural(calls.length, 'call'))]]),
    cost === undefined ? [] : [whole(formatMoney(cost))],
  ];
  return [
    field('Ended', because(whole(endingWords[ended].text), reason)),
    ...(spoilt === undefined ? [] : [field('Invalid', because(name(spoilt.kind, 'fault'), spoilt.reason))]),
    ...(user === undefined ? [] : [field('Played by', joined(played))]),
    ...calls.flatMap(({ reply, error }) =>
      error === undefined
        ? []
        : [
            field('', because(name(error.code, 'fault'), error.message)),
            part('', reply ?? '', 'result', view),
          ],
    ),
  ];
}

/** Sets what happened, with the reason for it. */
function because(what: Span, why: string | undefined): Text {
  return why === undefined ? [what] : [what, span(': '), quoted(why, undefined, longestList)];
}

function part(label: string, content: string, kind: Part, { full }: ReportView): Block {
  return excerpt(label, content, {
    most: full === true ? undefined : most[kind],
    tone: kind === 'message' ? undefined : 'quiet',
  });
}

/** Lays out a text as it is, and other values as JSON; the full view wraps JSON that does not fit on a line. */
function jsonText(value: Json, { width, full }: ReportView): string {
  if (typeof value === 'string') return value;
  return full === true ? formatJson(value, width - 16) : JSON.stringify(value);
}

const mostLines = 60;
const longestList = 4000;

/** Lays out the expectations of a case or of one of its turns; empty when there are none. */
export function expectedBlocks(expected: Expected): Block[] {
  const answers = [expected.answer ?? []].flat();
  const wanted = listExpected(expected).map(({ name: what, items }) =>
    items.length === 0
      ? [name(what)]
      : [name(what, 'quiet'), span(' ', 'quiet'), quoted(items.join(', '), undefined, longestList)],
  );
  return [
    ...answers.map((answer, index) => excerpt(index === 0 ? 'Expected' : 'or', answer, { most: mostLines })),
    ...(wanted.length === 0 ? [] : [field(answers.length === 0 ? 'Expected' : '', joined(wanted))]),
    ...(['calls', 'state'] as const).flatMap((each) => {
      const value = expected[each];
      return value === undefined ? [] : [excerpt(`in ${each}`, JSON.stringify(value), { most: 4 })];
    }),
  ];
}
