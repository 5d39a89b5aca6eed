import type { JsonObject } from './importer.ts';

/** The relations of two answers that the graders of OpenAI Evals, promptfoo and autoevals choose from, as A to E. */
const relations = {
  subset: 'the answer states a part of what the expected answer states, and contradicts nothing in it',
  superset: 'the answer states all that the expected answer states and more, and contradicts nothing in it',
  same: 'the answer states the same as the expected answer',
  contradiction: 'the answer and the expected answer contradict each other',
  'other but no matter': 'they differ in a way that makes no difference to the facts',
};

/** Returns the check in which a judge chooses how the facts of an answer relate to the facts of the expected answer. */
export function factLabel(): JsonObject {
  const meanings = Object.entries(relations).map(([name, meaning]) => `${name}: ${meaning}.`);
  return {
    use: 'judged-label',
    text: `Compare the facts in the answer with those in the expected answer. Style, grammar and punctuation do not count.\n\n${meanings.join('\n')}`,
    labels: Object.fromEntries(
      Object.keys(relations).map((name) => [name, name === 'contradiction' ? 0 : 1]),
    ),
    reads: ['question', 'expected answer', 'answer'],
  };
}

/**
 * Returns a check that is not measured until a person ports the check of another tool: without it, an answer would pass that the other
 * tool might have failed.
 */
export function unported(part: string, reason: string): JsonObject {
  return { use: 'recorded-verdict', of: part, unported: reason };
}
