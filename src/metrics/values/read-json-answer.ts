import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { messageOf } from '../../errors.ts';
import type { Json } from '../../schema/json.ts';

/** Options of the metrics that read an answer as JSON. */
export const jsonAnswerOptions = lazily(() =>
  z.strictObject({
    fenced: z
      .boolean()
      .default(false)
      .describe('Whether JSON may stand in one Markdown code fence, with nothing around it.'),
  }),
);

const fence = /^\s*(`{3,}|~{3,})[ \t]*(?:json[c5]?)?[ \t]*\r?\n([\s\S]*?)\r?\n?\1\s*$/i;

/** The value of an answer that is JSON as a whole, or what is wrong with it. */
export function readJsonAnswer(
  answer: string | null,
  { fenced }: z.output<ReturnType<typeof jsonAnswerOptions>>,
): { value: Json } | { problem: string } {
  const text = answer ?? '';
  const body = fenced ? (fence.exec(text)?.[2] ?? text) : text;
  if (body.trim() === '') return { problem: 'there is no answer' };
  try {
    return { value: JSON.parse(body) as Json };
  } catch (error) {
    const hint = !fenced && fence.test(text) ? ' (it stands in a code fence; see `fenced`)' : '';
    return { problem: `${messageOf(error)}${hint}` };
  }
}
