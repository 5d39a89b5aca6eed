import type { Json } from '../../../core/schema/json.ts';
import type { AnswerShape, ScoreScale } from '../../../core/schema/judgement.ts';
import type { JudgeQuestion } from '../judge.ts';

/** The form of a judge's reply: in words, as an example, and as a JSON Schema. */
export interface ReplyForm {
  readonly words: string;
  readonly example: string;
  readonly schema: { [key: string]: Json };
}

/** The form of the answer to one question. The example is the inside of an object, and suggests no verdict. */
type AnswerForm = { readonly words: string; readonly example: string; readonly properties: Properties };
type Properties = { [key: string]: Json };

/**
 * Returns the form of a reply to one question, or to several, which is an object with an answer under each name. Both contain
 * the id of the request. The authors of the material could not know it, so a reply copied from there does not count.
 */
export function replyForm(questions: ReadonlyMap<string, JudgeQuestion>, id: string): ReplyForm {
  const entries = Array.from(questions, ([name, question]) => [name, formOf(question)] as const);
  const [first] = entries;
  const idExample = `"id": "${id}"`;
  const idProperty = { id: oneOf([id]) };
  if (first !== undefined && entries.length === 1) {
    const [, { words, example, properties }] = first;
    return {
      words: `${words} ${idWords}`,
      example: `{${example}, ${idExample}}`,
      schema: objectSchema({ ...properties, ...idProperty }),
    };
  }
  const answers = entries.map(([name, { properties }]) => [name, objectSchema(properties)] as const);
  return {
    words: [...entries.map(([name, { words }]) => `Under "${name}": ${words}`), idWords].join('\n'),
    example: `{${entries.map(([name, { example }]) => `"${name}": {${example}}, `).join('')}${idExample}}`,
    schema: objectSchema({ ...Object.fromEntries(answers), ...idProperty }),
  };
}

/** The scale from 0 to 1, for questions that name none. */
export const unitScale: ScoreScale = { least: 0, most: 1 };

function formOf({ shape, scale = unitScale, labels = [] }: JudgeQuestion): AnswerForm {
  if (shape === 'label') return labelForm(labels);
  return shape === 'score' ? scoreForm(scale) : forms[shape];
}

const idWords = 'Last `id`: the id that stands at the end of the next message, copied exactly.';

/** The words in which a judge restates its verdict, so that a mistaken verdict is noticed. */
export const restatements = {
  score: ['low', 'middle', 'high'],
  verdict: ['it is so', 'it is not so'],
  preference: ['the first is better', 'the second is better', 'they are equal'],
} as const;

const reasonProperty = {
  type: 'string',
  description: 'What speaks for and against, in one to three sentences.',
};
const reasonWords = 'First `reason`: what speaks for and against, in one to three sentences.';
/** The words that stand for a reason in the example of a reply. A judge that copies them has judged nothing. */
export const templateReason = 'what speaks for and against';
const reasonExample = `"reason": "${templateReason}"`;

function oneOf(words: readonly string[]): { [key: string]: Json } {
  return { type: 'string', enum: [...words] };
}

function objectSchema(properties: Properties): { [key: string]: Json } {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function scoreForm({ least, most }: ScoreScale): AnswerForm {
  const isWhole = Number.isInteger(least) && Number.isInteger(most) && most - least > 1;
  const middle = (least + most) / 2;
  const type = isWhole ? 'integer' : 'number';
  return {
    words: `${reasonWords} Then \`score\`: a ${isWhole ? 'whole ' : ''}number from ${least} to ${most} that follows from the reason. Then \`in_words\`, which says the score again: "low" for the lower half, "middle" about ${middle}, "high" for the upper half.`,
    example: `${reasonExample}, "score": …, "in_words": "low, middle or high"`,
    properties: {
      reason: reasonProperty,
      score: {
        type,
        description: `From ${least} to ${most}; follows from the reason.`,
        minimum: least,
        maximum: most,
      },
      in_words: oneOf(restatements.score),
    },
  };
}

/** Returns the word by which a judge restates its label: the place of the label in the list, from 0. */
export function restateLabel(place: number): string {
  return `number ${place + 1}`;
}

function labelForm(labels: readonly string[]): AnswerForm {
  const quoted = labels.map((label) => JSON.stringify(label));
  const list = quoted.map((label, place) => `${label} (${restateLabel(place)})`).join(', ');
  return {
    words: `${reasonWords} Then \`label\`: the one of these labels that follows from the reason, copied exactly: ${list}. Then \`in_words\`, which says it again by its number in this list, as "${restateLabel(0)}".`,
    example: `${reasonExample}, "label": "…", "in_words": "number …"`,
    properties: {
      reason: reasonProperty,
      label: oneOf(labels),
      in_words: oneOf(labels.map((_, place) => restateLabel(place))),
    },
  };
}

const verdictWords =
  'Then `verdict`: "yes" or "no", as follows from what stands before. Then `in_words`, which says the verdict again: "it is so" for yes, "it is not so" for no.';
const verdictProperties = { verdict: oneOf(['yes', 'no']), in_words: oneOf(restatements.verdict) };

const forms: Readonly<Record<Exclude<AnswerShape, 'score' | 'label'>, AnswerForm>> = {
  verdict: {
    words: `${reasonWords} ${verdictWords}`,
    example: `${reasonExample}, "verdict": "yes or no", "in_words": "it is so, or it is not so"`,
    properties: { reason: reasonProperty, ...verdictProperties },
  },
  'quoted-verdict': {
    words: `${reasonWords} Then \`quote\`: the words of the material that show it, copied exactly and in one piece, as few as are enough; an empty text where there are none. ${verdictWords}`,
    example: `${reasonExample}, "quote": "…", "verdict": "yes or no", "in_words": "it is so, or it is not so"`,
    properties: {
      reason: reasonProperty,
      quote: {
        type: 'string',
        description: 'Copied exactly from the material; empty where nothing shows it.',
      },
      ...verdictProperties,
    },
  },
  preference: {
    words:
      'First `reason`: what speaks for and against each, in one to three sentences. Then `better`: "first", "second" or "tie", as follows from the reason. Then `in_words`, which says it again: "the first is better", "the second is better" or "they are equal".',
    example: `${reasonExample}, "better": "first, second or tie", "in_words": "the first is better, the second is better, or they are equal"`,
    properties: {
      reason: reasonProperty,
      better: oneOf(['first', 'second', 'tie']),
      in_words: oneOf(restatements.preference),
    },
  },
  claims: {
    words: '`claims`: the list of statements, each a text; an empty list when there are none.',
    example: '"claims": ["…", "…"]',
    properties: { claims: { type: 'array', items: { type: 'string' } } },
  },
  checks: {
    words:
      '`checks`: one entry for every claim, in the order of their numbers. In each first `claim`: its number; then `reason`: one sentence; then `supported`: true or false, as follows from the reason; then `passage`: the words of the material that decide it, copied exactly, or an empty text.',
    example: '"checks": [{"claim": 1, "reason": "…", "supported": true or false, "passage": "…"}]',
    properties: {
      checks: {
        type: 'array',
        items: objectSchema({
          claim: { type: 'integer' },
          reason: reasonProperty,
          supported: { type: 'boolean' },
          passage: { type: 'string' },
        }),
      },
    },
  },
};
