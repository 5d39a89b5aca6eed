import { isContainer } from '../../../core/lib/json/is-container.ts';
import { withoutUndefined } from '../../../core/lib/objects.ts';
import { describeValue, listKeys } from '../../../core/lib/text/describe-value.ts';
import { TargetFailure } from '../target.ts';
import { type Fields, isFields } from './part.ts';

/** A form in which APIs and frameworks reply. */
export interface ReplyForm {
  readonly name: string;
  /** The members that are read; others are left aside where the form is named. */
  readonly members: readonly string[];
  /** Returns whether a reply has the members of the form. */
  is(reply: Fields): boolean;
  /** Returns the token counts under the usual names, where the form has others. */
  usage?(reply: Fields): Fields | undefined;
  /** Returns the retrieved documents, where the form has a place of its own for them. */
  documents?(reply: Fields): readonly unknown[] | undefined;
}

/** The forms that a target may name. Replies are also recognised by themselves. */
export const replyForms: readonly ReplyForm[] = [
  {
    name: 'openai-chat',
    members: ['choices', 'usage'],
    is: ({ choices }) => Array.isArray(choices),
  },
  {
    name: 'openai-responses',
    members: ['object', 'output', 'status', 'incomplete_details', 'usage'],
    is: ({ output }) => Array.isArray(output),
  },
  {
    name: 'anthropic',
    members: ['content', 'stop_reason', 'usage'],
    is: ({ content }) => Array.isArray(content),
  },
  {
    name: 'gemini',
    members: ['candidates', 'promptFeedback', 'prompt_feedback', 'usageMetadata', 'usage_metadata'],
    is: ({ candidates, promptFeedback, prompt_feedback: feedback }) =>
      Array.isArray(candidates) || isFields(promptFeedback ?? feedback),
    usage: ({ usage_metadata: snake, usageMetadata: usage = snake }) =>
      isFields(usage) ? geminiCounts(usage) : undefined,
  },
  {
    name: 'bedrock',
    members: ['output', 'stopReason', 'usage'],
    is: ({ output }) => isFields(output) && isFields(output['message']),
  },
  {
    name: 'ai-sdk',
    members: [
      'role',
      'parts',
      'metadata',
      'text',
      'steps',
      'sources',
      'toolCalls',
      'toolResults',
      'finishReason',
      'usage',
    ],
    is: ({ parts, text, steps }) =>
      Array.isArray(parts) || (typeof text === 'string' && Array.isArray(steps)),
    usage: ({ parts, metadata }) =>
      Array.isArray(parts) && isFields(metadata) && isFields(metadata['usage'])
        ? metadata['usage']
        : undefined,
    documents: ({ parts }) => (Array.isArray(parts) ? sourcesIn(parts) : undefined),
  },
  {
    name: 'langchain',
    members: ['messages', 'output', 'content', 'type', 'tool_calls', 'usage_metadata', 'metadata'],
    is: ({ messages, output, content, type }) =>
      Array.isArray(messages) || output !== undefined || (content !== undefined && type !== undefined),
    usage: ({ messages, usage_metadata: own }) => {
      const last = Array.isArray(messages)
        ? messages.filter(isFields).findLast((each) => 'usage_metadata' in each)
        : undefined;
      const usage = own ?? last?.['usage_metadata'];
      return isFields(usage) && 'input_tokens' in usage ? usage : undefined;
    },
  },
  {
    name: 'dify',
    members: ['answer', 'metadata', 'agent_thoughts', 'conversation_id'],
    is: ({ answer, event, task_id: task, conversation_id: conversation }) =>
      answer !== undefined && (event ?? task ?? conversation) !== undefined,
    usage: ({ answer, metadata }) =>
      answer !== undefined && isFields(metadata) && isFields(metadata['usage'])
        ? metadata['usage']
        : undefined,
  },
  {
    name: 'ollama',
    members: ['message', 'response', 'done', 'done_reason', 'prompt_eval_count', 'eval_count'],
    is: ({ message, response }) => isFields(message) || typeof response === 'string',
    usage: ({ prompt_eval_count: inputTokens, eval_count: outputTokens }) =>
      inputTokens === undefined && outputTokens === undefined ? undefined : { inputTokens, outputTokens },
  },
];

/** Returns the token counts of Gemini, which counts thoughts apart from the answer; both are paid for as output. */
function geminiCounts(usage: Fields): Fields | undefined {
  const count = (name: string, snake: string) => {
    const value = usage[name] ?? usage[snake];
    return typeof value === 'number' ? value : undefined;
  };
  const answer = count('candidatesTokenCount', 'candidates_token_count');
  const thoughts = count('thoughtsTokenCount', 'thoughts_token_count');
  const counts = withoutUndefined({
    inputTokens: count('promptTokenCount', 'prompt_token_count'),
    outputTokens:
      answer === undefined && thoughts === undefined ? undefined : (answer ?? 0) + (thoughts ?? 0),
    cachedTokens: count('cachedContentTokenCount', 'cached_content_token_count'),
    reasoningTokens: thoughts,
  });
  return Object.keys(counts).length === 0 ? undefined : counts;
}

/** Returns the sources among the parts of a message of the AI SDK as documents; undefined when there are none. */
function sourcesIn(parts: readonly unknown[]): Fields[] | undefined {
  const sources = parts
    .filter(isFields)
    .filter(({ type }) => type === 'source-url' || type === 'source-document');
  if (sources.length === 0) return undefined;
  return sources.map(({ url, title, filename, sourceId }) =>
    withoutUndefined({ id: url ?? filename ?? title ?? sourceId, title, url }),
  );
}

/** Returns the token counts of a reply in a form that has names of its own for them. */
export function usageOf(reply: Fields): Fields | undefined {
  return firstOf(reply, 'usage');
}

/** Returns the documents of a reply in a form that has a place of its own for them. */
export function documentsOf(reply: Fields): readonly unknown[] | undefined {
  return firstOf(reply, 'documents');
}

function firstOf<Part extends 'usage' | 'documents'>(
  reply: Fields,
  part: Part,
): ReturnType<NonNullable<ReplyForm[Part]>> | undefined {
  for (const form of replyForms) {
    const found = form[part]?.(reply);
    if (found !== undefined) return found as ReturnType<NonNullable<ReplyForm[Part]>>;
  }
  return undefined;
}

/** Returns the members of a reply that the form with a name reads. Throws `invalid-reply` when it is of another form. */
export function asForm(reply: unknown, name: string): unknown {
  const form = replyForms.find((each) => each.name === name);
  if (form === undefined) return reply;
  if (isFields(reply) && form.is(reply)) {
    return Object.fromEntries(
      form.members.flatMap((member) => (member in reply ? [[member, reply[member]]] : [])),
    );
  }
  const found =
    isContainer(reply) && !Array.isArray(reply)
      ? `has the keys ${listKeys(Object.keys(reply))}`
      : `is ${describeValue(reply)}`;
  throw new TargetFailure(
    'invalid-reply',
    `The reply is not of the form \`${name}\`, which has ${form.members
      .slice(0, 2)
      .map((each) => `\`${each}\``)
      .join(' or ')}: it ${found}.`,
  );
}
