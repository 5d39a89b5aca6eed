import { z } from 'zod';
import { attackSchema } from './attacks/attack.ts';
import { userSchema } from './conversation.ts';
import { expectedSchema } from './expected.ts';
import { jsonSchema, nonEmpty } from './json.ts';
import { kindOf, type Message, messageSchema } from './message.ts';
import { toolResultSchema } from './tools/tool-result.ts';

/**
 * The mark of a case for the gate: `gate` (the default), `watch` (reported, never decided on) or `quarantine until
 * 2026-12-31` (the same up to the end of that day, UTC; afterwards the case counts again).
 */
export const gateMarkSchema = z.string().refine((mark) => readGateMark(mark) !== undefined, {
  error: 'gate, watch, or quarantine until a day, such as "quarantine until 2026-12-31"',
});

/** A parsed mark. */
type GateMark =
  | { readonly status: 'gate' | 'watch' }
  /** The last day of the quarantine, such as `2026-12-31`. */
  | { readonly status: 'quarantine'; readonly until: string };

/** Parses the mark of a case; returns undefined for a text that is no mark. */
export function readGateMark(text: string): GateMark | undefined {
  if (text === 'gate' || text === 'watch') return { status: text };
  const until = /^quarantine until (\d{4}-\d{2}-\d{2})$/.exec(text)?.[1];
  return until === undefined || !z.iso.date().safeParse(until).success
    ? undefined
    : { status: 'quarantine', until };
}

/**
 * Returns what a mark means on a day such as `2026-12-31`: a quarantine whose last day has passed is `expired`.
 * Returns undefined for a mark that leaves the case in the gate, and without a mark.
 */
export function statusOn(
  day: string,
  mark: GateMark | undefined,
): 'watch' | 'quarantine' | 'expired' | undefined {
  if (mark?.status === 'quarantine') return day <= mark.until ? 'quarantine' : 'expired';
  return mark?.status === 'watch' ? 'watch' : undefined;
}

/**
 * One row of a dataset: the question for the target, and what a good answer contains. `id` is its name; the hash of
 * its content (see `hashCase`) is its identity.
 */
export const caseSchema = z.object({
  id: nonEmpty().describe('Its name, unique in a dataset; derived from its content by default.'),
  input: z
    .union([nonEmpty(), z.array(messageSchema).min(1)])
    .describe('The question, or a conversation that ends with it.'),
  category: nonEmpty().optional().describe('The group under which reports count it.'),
  tags: z.array(z.string()).default([]).describe('Words to choose questions by.'),
  expected: expectedSchema.default({}).describe('What a good answer contains.'),
  user: userSchema
    .optional()
    .describe(
      'The user who talks to the target, in a question of several turns; `input` is their first message.',
    ),
  toolResults: z
    .array(toolResultSchema)
    .optional()
    .describe('What tools answer in this question, in place of their own results; the config needs `tools`.'),
  attack: attackSchema
    .optional()
    .describe('What makes the question an attack, read by the metric `attack-resisted`.'),
  context: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Why the question matters, or background for reviewers and judges. Never sent to the target.'),
  cluster: nonEmpty()
    .optional()
    .describe(
      'Questions that share one (a document, a template, a conversation) are not independent of each other.',
    ),
  weight: z
    .number()
    .positive()
    .max(1e9)
    .optional()
    .describe(
      'How much it counts in every mean compared with the others: a number above 0; 1 by default. Only the ratios matter.',
    ),
  gate: gateMarkSchema
    .optional()
    .describe('How the gate treats it: `gate` (the default), `watch`, or `quarantine until 2026-12-31`.'),
  metadata: z
    .record(z.string(), jsonSchema)
    .default({})
    .describe('Anything else; stored with the question and passed to the target.'),
});

/**
 * One row of a dataset: the question for the target, and what a good answer contains. `id` is its name; the hash of
 * its content (see `hashCase`) is its identity.
 */
export type Case = z.infer<typeof caseSchema>;

/** The category under which reports count cases without one. */
export const uncategorized = 'uncategorized';

/** Returns the question of a case: its input, or the content of its last user message. */
export function questionOf({ input }: Pick<Case, 'input'>): string {
  return typeof input === 'string' ? input : (askingMessage(input)?.content ?? '');
}

function askingMessage(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message) => message.role === 'user') ?? messages.at(-1);
}

/**
 * Returns the question of a case for a list: the names of its files where it has no words, and the placeholders of an attack, such as
 * `{{base64:…}}`, as words in brackets.
 */
export function listedQuestion({ input, attack }: Pick<Case, 'input' | 'attack'>): string {
  const question = questionOf({ input });
  if (question.trim() === '' && typeof input !== 'string')
    return (askingMessage(input)?.attachments ?? [])
      .map((file) => `[${file.name ?? kindOf(file)}]`)
      .join(' ');
  if (attack === undefined) return question;
  return question
    .replaceAll(/\{\{([\w-]+)(?=\}\})/g, '[$1')
    .replaceAll(/\{\{([\w-]+):/g, '[$1: ')
    .replaceAll('}}', ']');
}
