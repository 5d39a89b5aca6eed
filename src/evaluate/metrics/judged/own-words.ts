import { z } from 'zod';
import type { JudgeMaterial } from '../../judges/judge.ts';
import type { Expectation } from '../../../core/schema/expectation.ts';
import type { MetricInput } from '../metric.ts';
import { judgedOptions } from './ask-judges.ts';
import { expectationsIn, materialOf, type MaterialPart, materialParts } from './material.ts';

/** The options of a metric by which users say in their own words what a judge is asked. */
export const ownWordsOptions = () =>
  judgedOptions().extend({
    text: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('The criterion: "The answer names the lease and the date it ends."'),
    reads: z
      .array(z.enum(materialParts))
      .min(1)
      .default(['question', 'expected answer', 'answer'])
      .describe('What the judge is given to read.'),
    prompt: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe(
        'A prompt of your own in place of the built-in one, with the placeholders {{question}}, {{answer}}, {{expected}}, {{expected_behavior}}, {{context}}, {{background}}, {{documents}}, {{tool_results}}, {{conversation}}, {{final_state}}, {{expected_state}} and {{text}}; `reads` is then ignored.',
      ),
  });

type OwnWords = Pick<z.output<ReturnType<typeof ownWordsOptions>>, 'text' | 'reads' | 'prompt'>;

/** Reports what is wrong with the words of a user: there are none, or a prompt that shows nothing to the judge. */
export function checkOwnWords(
  { text, prompt }: Omit<OwnWords, 'reads'>,
  refuse: (path: string, message: string) => void,
): void {
  if (text === undefined && prompt === undefined) refuse('text', 'state the criterion in `text` or `prompt`');
  const fault = prompt === undefined ? undefined : findTemplateFault(prompt, text);
  if (fault !== undefined) refuse('prompt', fault);
}

/** Returns the expectations of a case that the judge is shown. */
export function expectationsOfOwnWords({ reads, prompt }: OwnWords): Expectation[] {
  if (prompt === undefined) return [...expectationsIn(reads), 'refusal'];
  return [
    ...(prompt.includes('{{expected}}') ? (['answer'] as const) : []),
    ...(prompt.includes('{{expected_behavior}}') ? (['behavior'] as const) : []),
    ...(prompt.includes('{{expected_state}}') ? (['state'] as const) : []),
  ];
}

/** The parts of a trial that each placeholder of a user's own prompt inserts. */
const placeholders: Readonly<Record<string, readonly MaterialPart[]>> = {
  question: ['question'],
  answer: ['answer'],
  expected: ['expected answer'],
  expected_behavior: ['expected behavior'],
  context: ['background', 'documents'],
  background: ['background'],
  documents: ['documents'],
  tool_results: ['tool results'],
  conversation: ['conversation'],
  final_state: ['final state'],
  expected_state: ['expected state'],
};

/** The placeholder of the option `text`, which the user wrote too. */
const ownText = 'text';

const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Returns the distinct placeholders of a prompt. */
function placeholdersIn(prompt: string): string[] {
  return [...new Set(Array.from(prompt.matchAll(pattern), ([, name = '']) => name))];
}

/** Returns what is wrong with a user's own prompt; undefined when nothing is. */
function findTemplateFault(prompt: string, text: string | undefined): string | undefined {
  const names = placeholdersIn(prompt);
  const known = [...Object.keys(placeholders), ownText];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return `there is no placeholder {{${unknown}}}; there are ${known.map((name) => `{{${name}}}`).join(', ')}`;
  }
  if (names.includes(ownText) && text === undefined) return 'it contains {{text}}, but `text` is not set';
  if (names.every((name) => name === ownText))
    return 'it needs a placeholder such as {{answer}}; without one it would judge nothing';
  return undefined;
}

/** Inserts the option `text` into a user's own prompt. Content by others is inserted later, between delimiters. */
export function fillOwnText(prompt: string, text = ''): string {
  return prompt.replace(pattern, (whole, name: string) => (name === ownText ? text : whole));
}

/** Returns the parts of a trial that a user's own prompt names, each with its placeholder. */
export function materialFor(prompt: string, input: MetricInput): JudgeMaterial[] {
  return placeholdersIn(prompt).flatMap((placeholder) =>
    materialOf(input, placeholders[placeholder] ?? []).map((part) => ({ ...part, placeholder })),
  );
}
