import { z } from 'zod';
import type { ChatReply } from '../../models/model.ts';
import type { Fault } from '../conduct/fault.ts';

const turnSchema = z.lazy(() =>
  z.strictObject({
    reason: z.string(),
    status: z.enum(['goes-on', 'goal-met', 'gave-up']),
    message: z.string(),
  }),
);

/** What the model that plays a user wants to do. */
export type PlayedTurn = z.output<typeof turnSchema>;

/** Far more than anybody types. */
const longestMessage = 20_000;

/** Reads a reply, which counts only when it is one JSON object of the form asked for; or says what is wrong with it. */
export function readTurn({
  text,
  finishReason,
  toolCalls,
}: ChatReply): PlayedTurn | { readonly fault: Fault } {
  if (toolCalls.length > 0)
    return fault('played-assistant', `asked for the tool ${toolCalls[0]?.name ?? ''}`);
  if (finishReason === 'length') return broken('it was cut off at the token limit');
  const value = parse(text ?? '');
  const parsed = turnSchema.safeParse(value);
  if (!parsed.success) return broken(describe(parsed.error, value));
  const { status, message } = parsed.data;
  if (message.length > longestMessage) return broken(`"message" has ${message.length} characters`);
  const isEmpty = !/[^\s\p{Cc}\p{Cf}]/u.test(message);
  if (status === 'goes-on' && isEmpty) return fault('empty-message', 'went on without saying anything');
  return { ...parsed.data, message: message.toWellFormed() };
}

function parse(text: string): unknown {
  const trimmed = text.trim();
  const inner = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*```$/i.exec(trimmed)?.[1];
  try {
    return JSON.parse(inner ?? trimmed);
  } catch {
    return undefined;
  }
}

function describe(error: z.ZodError, value: unknown): string {
  if (value === undefined) return 'it is not one JSON object alone';
  const [issue] = error.issues;
  const where = issue?.path.length ? `"${issue.path.join('.')}": ` : '';
  return `${where}${issue?.message ?? 'it is not as asked for'}`;
}

function broken(how: string): { readonly fault: Fault } {
  return fault('broke-format', `gave a reply of another form: ${how}`);
}

function fault(kind: Fault['kind'], reason: string): { readonly fault: Fault } {
  return { fault: { kind, reason } };
}
