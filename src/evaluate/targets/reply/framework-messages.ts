import { type Fields, isFields, textIn } from './part.ts';

/**
 * Returns the messages that an item of a framework's own conversation means, in a form that is read as any other: of
 * Pydantic AI, AutoGen, Letta, Haystack, Semantic Kernel, Google's ADK, LangGraph's updates, the Agents SDK of OpenAI and that
 * of Anthropic. An empty list for an item that says nothing, undefined for anything else.
 */
export function fromFramework(item: Fields): readonly unknown[] | undefined {
  for (const read of readers) {
    const found = read(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const readers: readonly ((item: Fields) => readonly unknown[] | undefined)[] = [
  fromPydantic,
  fromAutoGen,
  fromLetta,
  fromHaystack,
  fromSemanticKernel,
  fromAgentKit,
  fromRunItem,
  fromAgentLog,
  fromUpdate,
];

function listIn(value: unknown): readonly Fields[] | undefined {
  return Array.isArray(value) && value.every(isFields) ? value : undefined;
}

/** Reads `{ kind: 'response', parts: [{ part_kind: 'tool-call', … }] }`. */
function fromPydantic({ kind, parts }: Fields): readonly unknown[] | undefined {
  const list = listIn(parts);
  if (list === undefined || (kind !== 'request' && kind !== 'response')) return undefined;
  if (kind === 'response') return [{ role: 'assistant', content: list.map(blockOfPydantic) }];
  return list.map((part) => {
    const { part_kind: type, content } = part;
    if (type === 'system-prompt') return { role: 'system', content };
    if (part['tool_name'] === undefined) return { role: 'user', content };
    return { ...outcomeOf(part, content), ...(type === 'retry-prompt' && { status: 'error' }) };
  });
}

function blockOfPydantic(part: Fields): Fields {
  const { part_kind: type, content } = part;
  if (typeof type !== 'string') return part;
  if (type.endsWith('tool-call')) return { ...part, type: 'tool_call' };
  if (type.endsWith('tool-return')) return { ...part, type: 'tool-result' };
  return { type, text: content };
}

function outcomeOf({ tool_call_id: id, tool_name: name }: Fields, content: unknown): Fields {
  return { role: 'tool', tool_call_id: id, name, content };
}

/** Reads `{ source: 'assistant', type: 'ToolCallRequestEvent', content: [call, …] }`. */
function fromAutoGen({ source, type, content, role }: Fields): readonly unknown[] | undefined {
  const isOne = typeof source === 'string' && typeof type === 'string' && /(?:Message|Event)$/.test(type);
  if (!isOne || role !== undefined) return undefined;
  if (type === 'ToolCallRequestEvent') return [{ role: 'assistant', content: null, tool_calls: content }];
  if (type === 'ToolCallExecutionEvent') {
    return (listIn(content) ?? []).map(({ call_id: id, ...result }) => ({
      ...result,
      role: 'tool',
      tool_call_id: id,
    }));
  }
  return type.endsWith('Message') ? [{ role: source === 'user' ? 'user' : 'assistant', content }] : [];
}

/** Reads `{ message_type: 'tool_call_message', tool_call: { … } }`. */
function fromLetta(item: Fields): readonly unknown[] | undefined {
  const { message_type: type, content, tool_call: call } = item;
  if (typeof type !== 'string') return undefined;
  if (isFields(call)) return [{ role: 'assistant', content: null, tool_calls: [call] }];
  if (type === 'tool_return_message') {
    const { tool_call_id: id, name, status } = item;
    return [{ role: 'tool', tool_call_id: id, name, status, content: item['tool_return'] }];
  }
  if (type === 'reasoning_message') return [{ role: 'assistant', reasoning: item['reasoning'] }];
  const role = /^(assistant|user|system)_message$/.exec(type)?.[1];
  return role === undefined ? [] : [{ role, content }];
}

/** Reads `{ _role: 'assistant', _content: [{ tool_call: { … } }] }`. */
function fromHaystack({ _role: role, _content: content }: Fields): readonly unknown[] | undefined {
  return role === undefined || content === undefined ? undefined : [{ role, content }];
}

/** Reads `{ role, items: [{ $type: 'FunctionCallContent', … }] }`, in .NET and in Python. */
function fromSemanticKernel({ role, items, content }: Fields): readonly unknown[] | undefined {
  const list = listIn(items);
  if (list === undefined || content !== undefined) return undefined;
  const label = isFields(role) ? role['label'] : role;
  return [{ role: label, content: list.map(blockOfKernel) }];
}

function blockOfKernel(item: Fields): Fields {
  const type = String(item['$type'] ?? item['content_type'] ?? '');
  const id = item['callId'] ?? item['call_id'] ?? item['id'];
  if (/^function_?call/i.test(type)) {
    return { type: 'tool_call', id, name: nameOfKernel(item), arguments: item['arguments'] };
  }
  if (/^function_?result/i.test(type)) {
    return { type: 'tool-result', id, name: nameOfKernel(item), result: item['result'] };
  }
  return item;
}

function nameOfKernel(item: Fields): string | undefined {
  const plugin = textIn(item['pluginName'] ?? item['plugin_name']);
  const name = textIn(item['functionName'] ?? item['function_name']);
  const joined = plugin === undefined || name === undefined ? name : `${plugin}-${name}`;
  return textIn(item['name']) ?? joined;
}

/** Reads an event of Google's ADK, `{ author, content: { role, parts } }`, which has no content where only state changed. */
function fromAgentKit({ author, content, role, actions }: Fields): readonly unknown[] | undefined {
  if (typeof author !== 'string' || role !== undefined) return undefined;
  if (content === undefined) return actions === undefined ? undefined : [];
  if (!isFields(content) || !Array.isArray(content['parts'])) return undefined;
  return [{ role: content['role'] ?? 'model', parts: content['parts'] }];
}

/** Reads an item of a run of OpenAI's Agents SDK, in Python and in JavaScript. */
function fromRunItem(item: Fields): readonly unknown[] | undefined {
  const { type, raw_item: raw = item['rawItem'] } = item;
  if (typeof type !== 'string' || !type.endsWith('_item') || !isFields(raw)) return undefined;
  const { callId, ...others } = raw;
  const plain = callId === undefined ? others : { call_id: callId, ...others };
  return [plain['type'] === 'function_call_result' ? { ...plain, type: 'function_call_output' } : plain];
}

/** Reads the lines of a log of Anthropic's Agent SDK that are no messages. */
function fromAgentLog({ type, subtype, role, content }: Fields): readonly unknown[] | undefined {
  const isNote = (type === 'result' || type === 'system') && typeof subtype === 'string';
  return isNote && role === undefined && content === undefined ? [] : undefined;
}

/** Reads an update of LangGraph: `{ agent: { messages: [ … ] } }`. */
function fromUpdate(item: Fields): readonly unknown[] | undefined {
  const nodes = Object.values(item);
  const isUpdate =
    nodes.length > 0 && nodes.every((node) => isFields(node) && Array.isArray(node['messages']));
  return isUpdate ? nodes.flatMap((node) => (node as Fields)['messages'] as unknown[]) : undefined;
}
