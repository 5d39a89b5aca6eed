import { type Fields, isFields, unpack } from '../traces/attribute-values.ts';
import { isConversation } from './conversation-row.ts';

const requests = ['request', 'body', 'kwargs'];
const responses = ['response', 'completion', 'output'];

/**
 * A call of a model's API as a log keeps it, request and response side by side, as a row with a conversation. Undefined for
 * anything else.
 */
export function readExchangeRow(row: Fields): Fields | undefined {
  const response = responseIn(row);
  const said = response === undefined ? [] : saidIn(response);
  if (response === undefined || said.length === 0) return undefined;
  const request = requests.map((name) => unpack(row[name])).find(isFields) ?? row;
  const asked = askedIn(request);
  if (asked === undefined) return undefined;
  const system = request['system'] ?? request['instructions'] ?? request['systemInstruction'];
  const others = Object.entries(row).filter(([name]) => !taken.includes(name));
  const usage = response['usage'];
  return {
    ...Object.fromEntries(others),
    ...(isFields(usage) && { usage }),
    messages: [
      ...(system === undefined || system === null ? [] : [{ role: 'system', content: system }]),
      ...asked,
      ...said,
    ],
  };
}

const taken = [
  ...requests,
  ...responses,
  'choices',
  'messages',
  'system',
  'input',
  'contents',
  'usage',
  'candidates',
];

function responseIn(row: Fields): Fields | undefined {
  const found = responses.map((name) => unpack(row[name])).find(isFields);
  const isResponse = 'choices' in row || 'candidates' in row || isConversation(row['output']);
  const response = found ?? (isResponse ? row : undefined);
  return isFields(response?.['body']) ? response['body'] : response;
}

function askedIn(request: Fields): readonly unknown[] | undefined {
  const asked = request['messages'] ?? request['contents'] ?? request['input'];
  if (typeof asked === 'string' && asked !== '') return [{ role: 'user', content: asked }];
  return Array.isArray(asked) && asked.length > 0 ? asked : undefined;
}

/** What OpenAI, Anthropic and Google say, and the items of OpenAI's Responses interface. */
function saidIn(response: Fields): readonly unknown[] {
  const first = (list: unknown): Fields => (Array.isArray(list) && isFields(list[0]) ? list[0] : {});
  const message = first(response['choices'])['message'];
  if (isFields(message)) return [message];
  const content = first(response['candidates'])['content'];
  if (isFields(content)) return [content];
  if (Array.isArray(response['output'])) return response['output'];
  return response['role'] === 'assistant' && Array.isArray(response['content']) ? [response] : [];
}
