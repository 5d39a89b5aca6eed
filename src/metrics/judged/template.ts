import type { JudgeMaterial } from '../../judges/judge.ts';
import type { MetricInput } from '../metric.ts';
import { type MaterialPart, materialOf } from './material.ts';

/** What a prompt of the user's own can have put in, by the name of the placeholder. */
const placeholders: Readonly<Record<string, readonly MaterialPart[]>> = {
  question: ['question'],
  answer: ['answer'],
  expected: ['expected answer'],
  context: ['background', 'documents'],
  background: ['background'],
  documents: ['documents'],
  tool_results: ['tool results'],
  conversation: ['conversation'],
  final_state: ['final state'],
  expected_state: ['expected state'],
};

/** Stands for the option `text`, which the user wrote as well. */
const ownText = 'text';

const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The placeholders of a prompt, each once. */
function placeholdersIn(prompt: string): string[] {
  return [...new Set(Array.from(prompt.matchAll(pattern), ([, name = '']) => name))];
}

/** What is wrong with a prompt of the user's own; undefined when nothing is. */
export function findTemplateFault(prompt: string, text: string | undefined): string | undefined {
  const names = placeholdersIn(prompt);
  const known = [...Object.keys(placeholders), ownText];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return `there is no placeholder {{${unknown}}}; there are ${known.map((name) => `{{${name}}}`).join(', ')}`;
  }
  if (names.includes(ownText) && text === undefined) return 'it holds {{text}}, and `text` is not set';
  if (names.every((name) => name === ownText))
    return 'it needs a placeholder such as {{answer}}, or it judges nothing';
  return undefined;
}

/** A prompt of the user's own with `text` put in. What others wrote is put in later, between delimiters. */
export function fillOwnText(prompt: string, text = ''): string {
  return prompt.replace(pattern, (whole, name: string) => (name === ownText ? text : whole));
}

/** What a prompt of the user's own reads of a trial, with the placeholder at which it stands. */
export function materialFor(prompt: string, input: MetricInput): JudgeMaterial[] {
  return placeholdersIn(prompt).flatMap((placeholder) =>
    materialOf(input, placeholders[placeholder] ?? []).map((part) => ({ ...part, placeholder })),
  );
}
