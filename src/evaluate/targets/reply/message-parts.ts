import { readAttachmentPart } from '../../../core/attachments/read-source.ts';
import { ContentBuilder } from '../../../core/attachments/split-content.ts';
import { isNumber } from '../../../core/lib/json/exact-number.ts';
import { invalidField } from './read-text.ts';
import { toJson } from './to-json.ts';
import { type Fields, isFields, type Part, textIn, type ToolResult } from './part.ts';
import type { ReplyFile, WithFiles } from '../../../core/schema/message.ts';
import { readReplyFile } from './reply-files.ts';
import { readJsonText, readOutcome, saysItFailed } from './read-tool-calls.ts';

/** The kinds of parts that have no `type`, by the name under which their content is stored. */
const nested: Readonly<Record<string, 'call' | 'result' | 'reasoning'>> = {
  toolUse: 'call',
  functionCall: 'call',
  function_call: 'call',
  tool_call: 'call',
  toolCall: 'call',
  toolResult: 'result',
  tool_call_result: 'result',
  functionResponse: 'result',
  function_response: 'result',
  reasoningContent: 'reasoning',
};

const callTypes =
  /^(tool_use|server_tool_use|mcp_tool_use|tool_call|tool-call|function_call|server_tool_call)$/;
const resultTypes =
  /^(tool-result|tool_call_response|server_tool_call_response|function_response|\w*tool_result)$/;
/** Parts of a chat interface that say nothing: where a step begins, what is shown next to the text. */
const silentTypes = /^(?:step-start|source-url|source-document|data-.*)$/;
const reasoningTypes = /^(thinking|redacted_thinking|reasoning)$/;

/**
 * Reads one piece of a message as OpenAI, Anthropic, Gemini, Bedrock, the AI SDK or OpenTelemetry write it. Pieces that
 * are neither text, a tool nor a file leave a mark, such as `[image]`. Throws `TargetFailure` for a value that is not a piece.
 */
export function readPart(value: unknown, field: string): Part[] {
  if (typeof value === 'string') return [{ type: 'text', text: value.toWellFormed() }];
  if (!isFields(value)) throw invalidField(field, value, 'a part with a `text`');
  const type = typeof value['type'] === 'string' ? value['type'] : '';
  const key = Object.keys(nested).find((name) => isFields(value[name]));
  if (key !== undefined) return readKind(nested[key] ?? 'call', value[key] as Fields);
  if (callTypes.test(type)) return readKind('call', value);
  if (resultTypes.test(type)) return readKind('result', value);
  if (silentTypes.test(type)) return [];
  if (isInterfacePart(type, value)) return readInterfacePart(type, value);
  if (reasoningTypes.test(type) || value['thought'] === true) return readKind('reasoning', value);
  const text = textOf(value, type);
  return text === undefined ? readOther(value, type, field) : [{ type: 'text', text }];
}

/** Reads a piece that is a file, or of a kind that leaves only its mark. */
function readOther(value: Fields, type: string, field: string): Part[] {
  const name = type || Object.keys(value).at(0);
  if (name === undefined) throw invalidField(field, value, 'a part with a `text`');
  const mark = `[${name.replace(/^input_/, '').toWellFormed()}]`;
  const source = readAttachmentPart(value);
  return source === undefined
    ? [{ type: 'text', text: mark }]
    : [{ type: 'file', mark, reading: readReplyFile(value, source) }];
}

function readKind(kind: 'call' | 'result' | 'reasoning', value: Fields): Part[] {
  if (kind === 'call') return readCall(value);
  if (kind === 'result') return [{ type: 'result', result: readResult(value) }];
  const text = thoughtOf(value);
  return text === undefined ? [] : [{ type: 'reasoning', text }];
}

function readCall(value: Fields): Part[] {
  const name = textIn(value['name'] ?? value['toolName'] ?? value['tool_name']);
  const args = value['input'] ?? value['arguments'] ?? value['args'] ?? value['server_tool_call'];
  const call = {
    ...withId(idOf(value)),
    name: name ?? 'unnamed',
    ...(args !== undefined &&
      args !== null && { arguments: typeof args === 'string' ? readJsonText(args) : toJson(args) }),
  };
  return [{ type: 'call', call }];
}

function readResult(value: Fields): ToolResult {
  const { status, output } = value;
  const origin = isFields(value['origin']) ? value['origin'] : {};
  const result =
    value['content'] ??
    output ??
    value['result'] ??
    value['response'] ??
    value['server_tool_call_response'] ??
    null;
  const isFailed = isFields(output) && String(output['type']).startsWith('error');
  const isError = saysItFailed(value) || value['error'] === true || status === 'error' || isFailed;
  const name = textIn(value['name'] ?? value['toolName'] ?? value['tool_name'] ?? origin['tool_name']);
  return { id: idOf(value) ?? idOf(origin), name, outcome: readOutcome(result, isError) };
}

const idNames = ['tool_use_id', 'toolUseId', 'tool_call_id', 'toolCallId', 'call_id', 'callId', 'id'];

/** Returns the id that links a call to its result. */
export function idOf(value: Fields): string | undefined {
  const id = idNames.map((name) => value[name]).find((found) => found !== undefined && found !== null);
  return isNumber(id) ? String(id) : textIn(id);
}

function withId(id: string | undefined): { id?: string } {
  return id === undefined ? {} : { id };
}

/** Returns whether a part is of a chat interface, where a tool call and its outcome are one part. */
function isInterfacePart(type: string, value: Fields): boolean {
  return type === 'tool-invocation' || (/^(tool-|dynamic-tool$)/.test(type) && 'state' in value);
}

function readInterfacePart(type: string, value: Fields): Part[] {
  const inner = isFields(value['toolInvocation']) ? value['toolInvocation'] : value;
  const [part] = readCall({ toolName: type.replace(/^tool-/, ''), ...inner, id: inner['toolCallId'] });
  if (part?.type !== 'call') return [];
  const error = textIn(inner['errorText']);
  const result = inner['output'] ?? inner['result'];
  if (error === undefined && result === undefined) return [part];
  return [
    { type: 'call', call: { ...part.call, ...(error === undefined ? readOutcome(result) : { error }) } },
  ];
}

/** Returns the text of a thought; undefined when it is hidden from the reader. */
function thoughtOf(value: Fields): string | undefined {
  const inner = isFields(value['reasoningText']) ? value['reasoningText'] : value;
  return textIn(inner['thinking'] ?? inner['text'] ?? inner['content'] ?? inner['reasoning']);
}

function textOf(value: Fields, type: string): string | undefined {
  const isText = type === '' || type === 'refusal' || type.endsWith('text');
  const texts = [
    value['text'],
    isText ? value['content'] : undefined,
    value['refusal'],
    type.includes('audio') ? value['transcript'] : undefined,
  ];
  return texts.find((text) => typeof text === 'string')?.toWellFormed();
}

/**
 * Returns the text of a message with its files in their places. A file that is not stored leaves its mark, and so do all of a message that
 * has no text: what says something is never taken for silence.
 */
export function contentOf(parts: readonly Part[]): WithFiles & { readonly content: string | undefined } {
  if (!parts.some(({ type }) => type === 'file')) return { content: joined(parts, 'text') };
  const isMute = !parts.some((part) => part.type === 'text' && part.text.trim() !== '');
  const builder = new ContentBuilder<Omit<ReplyFile, 'at'>>();
  const unkept: string[] = [];
  for (const part of parts) {
    if (part.type === 'text') builder.addText(part.text, '');
    if (part.type !== 'file') continue;
    const { file, problem } = part.reading;
    if (file === undefined || isMute) builder.addText(part.mark, '');
    if (file === undefined) unkept.push(problem);
    else builder.addFile({ ...file });
  }
  const { content, files } = builder;
  return {
    content,
    ...(files.length > 0 && { attachments: files }),
    ...(unkept.length > 0 && { unkept }),
  };
}

/** Returns parts with the mark of each file in its place, for a result of a tool, which keeps none. */
export function withMarks(parts: readonly Part[]): Part[] {
  return parts.map((part) => (part.type === 'file' ? { type: 'text', text: part.mark } : part));
}

/** Joins the texts of a kind. Undefined when there is none; an empty text counts as one. */
export function joined(parts: readonly Part[], type: 'text' | 'reasoning'): string | undefined {
  const texts = parts.flatMap((part) => (part.type === type ? [part.text] : []));
  return texts.length === 0 ? undefined : texts.join('');
}
