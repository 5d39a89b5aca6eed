import { contentOf } from '../chat-messages.ts';
import type { JsonObject } from '../importer.ts';
import { render } from '../render.ts';
import { asNumber, type Fields, objectsIn, textOf } from '../values.ts';

/** Makes the check of one item. Undefined when a field that it compares with is missing in the item. */
export type MakeCheck = (item: Fields) => JsonObject | undefined;

/** A grader that becomes a check of every case. */
export interface GraderPlan {
  readonly make: MakeCheck;
  /** The words of the ledger for the check that it becomes. */
  readonly became: string;
  /** The difference, where there is one. */
  readonly note?: string;
  readonly asks?: 'judge' | 'embedder';
}

/** Translates a grader whose model gives a score; a text is the reason why it cannot be. */
export function planScoreModel({ input, range, pass_threshold: threshold }: Fields): GraderPlan | string {
  const [least, most] = Array.isArray(range) ? [asNumber(range[0]) ?? 0, asNumber(range[1]) ?? 1] : [0, 1];
  const passMark = asNumber(threshold);
  const prompt = promptOf(input);
  if (prompt === undefined) return 'Its prompt has no text.';
  const isUnit = least === 0 && most === 1;
  return {
    make: (item) =>
      withPrompt(prompt, item, {
        use: 'rubric',
        ...(!isUnit && { range: [least, most] }),
        passMark,
      }),
    became: '`rubric` with the prompt of the grader',
    note: 'The prompt is one text; its score is mapped to the range from 0 to 1.',
    asks: 'judge',
  };
}

/** Translates a grader whose model chooses a label; a text is the reason why it cannot be. */
export function planLabelModel({ input, labels, passing_labels: passing }: Fields): GraderPlan | string {
  const prompt = promptOf(input);
  const good = texts(passing);
  if (prompt === undefined || good.length === 0) return 'It has no prompt, or no label that passes.';
  return {
    make: (item) => withPrompt(prompt, item, { use: 'judged-label', labels: texts(labels), passing: good }),
    became: '`judged-label` with the prompt of the grader',
    note: 'The prompt is one text; the value is 1 for a label that passes, else 0.',
    asks: 'judge',
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** Returns the messages of a grader as one prompt. */
function promptOf(input: unknown): string | undefined {
  const text = (typeof input === 'string' ? [{ content: input }] : objectsIn(input))
    .map(({ content }) => contentOf(content))
    .join('\n\n')
    .trim();
  return text === '' ? undefined : text;
}

function withPrompt(prompt: string, item: Fields, check: JsonObject): JsonObject | undefined {
  const filled = render(prompt, { item, sample: { output_text: '{{answer}}' } });
  return filled === undefined ? undefined : { ...check, prompt: filled };
}
