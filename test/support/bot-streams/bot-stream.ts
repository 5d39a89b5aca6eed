/** A reply of a bot as it is sent whole and as it is streamed. */
export interface BotStream {
  readonly form: string;
  /** The difference from other cases of its form. */
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly framing: 'events' | 'lines';
  /** The events, up to the one that ends the stream: a name and data, or the data alone. Data that is no text is written as JSON. */
  readonly events: readonly (readonly [name: string, data: unknown] | readonly [data: unknown])[];
  /** The reply that the same server sends whole; a text as `text/plain`. */
  readonly whole: unknown;
  /** Parts of the reply as it is read. */
  readonly reply: Readonly<Record<string, unknown>>;
  /** True when the end of the body ends the stream; each shorter stream is then an answer too. */
  readonly endsByItself?: true;
}

/** The headers of server-sent events. */
export const sse = { 'content-type': 'text/event-stream' };
/** The members that most streams have in common. */
export const base = { headers: sse, framing: 'events' as const };
/** The answer of every bot here. */
export const answer = 'Grüße 🙂, it is $49.';
/** Its pieces. */
export const pieces = ['Grüße ', '🙂', ', it is', ' $49.'];
/** The arguments of its call. */
export const args = { id: 'A-1', naïve: true };
/** The arguments as JSON. */
export const argsText = JSON.stringify(args);
/** The two halves of it. */
export const halves = [argsText.slice(0, 9), argsText.slice(9)];
/** The token counts of every bot, as they are read. */
export const usage = { inputTokens: 7, outputTokens: 5 };
/** The call of every bot, as it is read. */
export const call = { id: 'call_1', name: 'get_order', arguments: args };
/** The token counts as OpenAI writes them. */
export const openaiUsage = { prompt_tokens: 7, completion_tokens: 5 };

const asText = (data: unknown) => (typeof data === 'string' ? data : JSON.stringify(data));

/** Returns the bytes of each event of a stream. */
export function eventTexts({ framing, events }: BotStream, newline = '\n'): string[] {
  return events.map((event) => {
    const [name, data] = event.length === 1 ? [undefined, event[0]] : event;
    if (framing === 'lines') return `${asText(data)}${newline}`;
    const named = name === undefined ? '' : `event: ${name}${newline}`;
    return data === undefined ? `${named}${newline}` : `${named}data: ${asText(data)}${newline}${newline}`;
  });
}

/** Returns whether the event that ends a stream is among its first ones: some servers send more behind it. */
export function hasEnded({ form, events }: BotStream, count: number): boolean {
  const sent = JSON.stringify(events.slice(0, count));
  if (form === 'openai-chat') return sent.includes('"finish_reason":"stop"');
  return form === 'dify' && sent.includes('workflow_finished');
}
