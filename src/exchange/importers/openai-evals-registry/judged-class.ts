import { factLabel } from '../fact-label.ts';
import type { JsonObject } from '../importer.ts';
import { asArray, asNumber, asObject, asText, type Fields, textOf } from '../values.ts';

/** The choice of a judge that the class `ModelBasedClassify` asks for, as a check of ours. */
export interface JudgedClass {
  /** The difference, for the ledger. */
  readonly note: string;
  /** Returns the check of a sample; undefined when the sample lacks what the template inserts. */
  readonly make: (sample: Fields) => JsonObject | undefined;
}

/**
 * Reads the template by which an eval has its answers classified, from the folder `modelgraded` of the registry. `fact` and
 * `closedqa`, which come with OpenAI Evals, are known without it. A text is the reason why it cannot be taken over.
 */
export function readJudgedClass(args: Fields, templates: ReadonlyMap<string, Fields>): JudgedClass | string {
  const name = asText(args.modelgraded_spec) ?? '';
  const template = templates.get(name);
  const inserted = { ...asObject(template?.args), ...args, ...asObject(args.modelgraded_spec_args) };
  if (template === undefined) return knownClass(name, inserted);
  const prompt = promptOf(template.prompt);
  const scores = scoresOf(template);
  if (prompt === undefined) return 'Its template has no prompt.';
  if (typeof scores === 'string') return scores;
  const [least, most] = [Math.min(...scores.values()), Math.max(...scores.values())];
  const isShare = least >= 0 && most <= 1;
  const share = (score: number) => (isShare ? score : (score - least) / (most - least));
  const labels = Object.fromEntries([...scores].map(([choice, score]) => [choice, share(score)]));
  return {
    note: `The judge is asked by the template, and replies in our form.${isShare ? '' : ` Scores from ${least} to ${most} are mapped to the range from 0 to 1.`}`,
    make: (sample) => {
      const filled = fill(prompt, { ...inserted, ...sample });
      return filled === undefined ? undefined : { use: 'judged-label', prompt: filled, labels };
    },
  };
}

function knownClass(name: string, { criteria }: Fields): JudgedClass | string {
  const note =
    'The template is not in the folder. The judge is asked in our words, not in the words of OpenAI Evals.';
  if (name === 'fact') return { note, make: () => factLabel() };
  const text = asText(criteria);
  if (name !== 'closedqa' || text === undefined)
    return 'The template is not in the folder: its YAML file belongs into `modelgraded/` of the registry.';
  const check = { use: 'judged-label', text, labels: { Y: 1, N: 0 }, reads: ['question', 'answer'] };
  return { note, make: () => ({ ...check, text: `${text}\n\nY: the answer meets this. N: it does not.` }) };
}

/** Returns the prompt of a template, whose messages are one text. */
function promptOf(prompt: unknown): string | undefined {
  if (typeof prompt === 'string') return asText(prompt);
  const texts = asArray(prompt).flatMap((message) => asText(asObject(message)?.content) ?? []);
  return asText(texts.join('\n\n'));
}

/** Returns the score of each choice, or the reason why there is none. */
function scoresOf({
  choice_strings: choiceTexts,
  choice_scores: scored,
}: Fields): Map<string, number> | string {
  if (typeof choiceTexts === 'string' && choiceTexts.startsWith('from_n'))
    return 'It compares several answers: see `touchstone prefer`.';
  const choices =
    typeof choiceTexts === 'string' ? Array.from(choiceTexts) : asArray(choiceTexts).map(textOf);
  if (choices.length < 2) return 'Its template names no choices.';
  const scores = asObject(scored);
  const found = choices.flatMap((choice): [string, number][] => {
    const score = scored === 'from_strings' ? Number(choice) : asNumber(scores?.[choice]);
    return score === undefined || !Number.isFinite(score) ? [] : [[choice, score]];
  });
  if (found.length < choices.length)
    return 'Its template gives its choices no scores: OpenAI Evals counts them, and passes none. Write `choice_scores` into it, and import it again.';
  return new Set(found.map(([, score]) => score)).size < 2
    ? 'All of its choices have the same score.'
    : new Map(found);
}

/** The placeholders of a template that stand for parts of the trial. */
const ofTrial: Readonly<Record<string, string>> = {
  input: '{{question}}',
  completion: '{{answer}}',
  ideal: '{{expected}}',
};

/** Inserts the fields of a sample into a template; undefined when one is missing. */
function fill(prompt: string, fields: Fields): string | undefined {
  const names = Array.from(prompt.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  if (names.some((name) => !Object.hasOwn(ofTrial, name) && !isPlain(fields[name]))) return undefined;
  return prompt.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(ofTrial, name) ? (ofTrial[name] ?? '') : textOf(fields[name]).replaceAll('{{', '{ {'),
  );
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
