import { variablesIn } from './render.ts';
import type { Fields } from './values.ts';

/** Names under which a question is often stored, best first. */
const questionNames = [
  'question',
  'input',
  'query',
  'prompt',
  'message',
  'request',
  'text',
  'user_input',
  'instruction',
  'messages',
];

/** Names under which an expected answer is often stored, best first. */
const answerNames = [
  'expected_answer',
  'expectedAnswer',
  'expected_output',
  'expectedOutput',
  'expected_response',
  'expected',
  'reference',
  'reference_answer',
  'ideal',
  'ground_truth',
  'correct_answer',
  'answer',
  'output',
  'target',
];

/** Returns the name of the field that is the question: the only one that the prompts use, the best known name, or the only one. */
export function findQuestion(fields: Fields, prompts: readonly string[] = []): string | undefined {
  const names = Object.keys(fields);
  const inPrompts = new Set(prompts.flatMap(variablesIn));
  const used = names.filter((name) => inPrompts.has(name));
  if (used.length === 1) return used[0];
  const among = used.length > 1 ? used : names;
  return questionNames.find((name) => among.includes(name)) ?? (among.length === 1 ? among[0] : undefined);
}

/** Returns the name of the field that is the expected answer, by the names that are in use; undefined without one. */
export function findExpectedAnswer(fields: Fields): string | undefined {
  return answerNames.find((name) => Object.hasOwn(fields, name));
}
