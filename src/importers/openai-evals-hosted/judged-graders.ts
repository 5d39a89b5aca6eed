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

/** The scales on which our judge can give a score. */
const scales: Readonly<Record<string, string>> = { '0,1': '0-1', '1,5': '1-5', '1,10': '1-10' };

/** Translates a grader whose model gives a score; a text is the reason why it cannot be. */
export function planScoreModel({ input, range, pass_threshold: threshold }: Fields): GraderPlan | string {
  const [least, most] = Array.isArray(range) ? [asNumber(range[0]) ?? 0, asNumber(range[1]) ?? 1] : [0, 1];
  const scale = scales[`${least},${most}`];
  const passMark = asNumber(threshold);
  const prompt = promptOf(input);
  if (prompt === undefined) return 'Its prompt has no text.';
  const share = passMark === undefined ? undefined : (passMark - least) / (most - least);
  return {
    make: (item) => withPrompt(prompt, item, { scale: scale ?? '0-1', threshold: share }),
    became: '`rubric` with the prompt of the grader',
    note:
      scale === undefined
        ? `The judge gives a score from 0 to 1 in place of ${least} to ${most}, and the pass mark is mapped to that.`
        : 'The prompt is one text; its score is mapped to the range from 0 to 1.',
    asks: 'judge',
  };
}

/** Translates a grader whose model chooses a label; a text is the reason why it cannot be. */
export function planLabelModel({ input, labels, passing_labels: passing }: Fields): GraderPlan | string {
  const prompt = promptOf(input);
  const good = texts(passing);
  if (prompt === undefined || good.length === 0) return 'It has no prompt, or no label that passes.';
  const task = `${prompt}\n\nThe labels are: ${texts(labels).join(', ')}. Say "yes" when the right label is one of: ${good.join(', ')}. Otherwise say "no".`;
  return {
    make: (item) => withPrompt(task, item, { shape: 'verdict' }),
    became: '`rubric` with yes or no',
    note: 'The judge says whether one of the labels that pass fits; the label itself is not recorded.',
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

function withPrompt(
  prompt: string,
  item: Fields,
  { threshold, ...options }: { scale?: string; shape?: string; threshold?: number | undefined },
): JsonObject | undefined {
  const filled = render(prompt, { item, sample: { output_text: '{{answer}}' } });
  if (filled === undefined) return undefined;
  return { use: 'rubric', prompt: filled, ...options, ...(threshold !== undefined && { threshold }) };
}
