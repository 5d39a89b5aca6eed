import type { Json } from '../../schema/json.ts';
import type { AnswerShape } from '../../schema/judgement.ts';
import type { JudgeQuestion } from '../judge.ts';

/** How a judge is to reply: in words, as an example, and as a JSON Schema that every provider takes. */
export interface ReplyForm {
  readonly words: string;
  readonly example: string;
  readonly schema: { [key: string]: Json };
}

const reasonSchema = {
  type: 'string',
  description: 'What speaks for and against, in one to three sentences.',
};

function objectSchema(properties: { [key: string]: Json }): { [key: string]: Json } {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const forms: Readonly<Record<AnswerShape, ReplyForm>> = {
  score: {
    words:
      'First `reason`: what speaks for and against, in one to three sentences. Then `score`: a number from 0 to 1 that follows from the reason.',
    example: '{"reason": "…", "score": 0.5}',
    schema: objectSchema({
      reason: reasonSchema,
      score: { type: 'number', description: 'From 0 to 1; follows from the reason.' },
    }),
  },
  verdict: {
    words:
      'First `reason`: what speaks for and against, in one to three sentences. Then `verdict`: "yes" or "no", as follows from the reason.',
    example: '{"reason": "…", "verdict": "yes"}',
    schema: objectSchema({ reason: reasonSchema, verdict: { type: 'string', enum: ['yes', 'no'] } }),
  },
  'quoted-verdict': {
    words:
      'First `reason`: what speaks for and against, in one to three sentences. Then `quote`: the words of the material that show it, copied exactly and in one piece, as few as are enough; an empty text where there are none. Then `verdict`: "yes" or "no", as follows from reason and quote.',
    example: '{"reason": "…", "quote": "…", "verdict": "yes"}',
    schema: objectSchema({
      reason: reasonSchema,
      quote: {
        type: 'string',
        description: 'Copied exactly from the material; empty where nothing shows it.',
      },
      verdict: { type: 'string', enum: ['yes', 'no'] },
    }),
  },
  preference: {
    words:
      'First `reason`: what speaks for and against each, in one to three sentences. Then `better`: "first", "second" or "tie", as follows from the reason.',
    example: '{"reason": "…", "better": "first"}',
    schema: objectSchema({
      reason: reasonSchema,
      better: { type: 'string', enum: ['first', 'second', 'tie'] },
    }),
  },
  claims: {
    words: '`claims`: the list of statements, each a text; an empty list when there are none.',
    example: '{"claims": ["…", "…"]}',
    schema: objectSchema({ claims: { type: 'array', items: { type: 'string' } } }),
  },
  checks: {
    words:
      '`checks`: one entry for every claim, in the order of their numbers. In each first `claim`: its number; then `reason`: one sentence; then `supported`: true or false, as follows from the reason; then `passage`: the words of the material that decide it, copied exactly, or an empty text.',
    example: '{"checks": [{"claim": 1, "reason": "…", "supported": true, "passage": "…"}]}',
    schema: objectSchema({
      checks: {
        type: 'array',
        items: objectSchema({
          claim: { type: 'integer' },
          reason: reasonSchema,
          supported: { type: 'boolean' },
          passage: { type: 'string' },
        }),
      },
    }),
  },
};

/** The form of a reply to one question, or to several at once: then an object with an answer under each name. */
export function replyForm(questions: ReadonlyMap<string, JudgeQuestion>): ReplyForm {
  const entries = Array.from(questions, ([name, { shape }]) => [name, forms[shape]] as const);
  const [first] = entries;
  if (first !== undefined && entries.length === 1) return first[1];
  return {
    words: entries.map(([name, { words }]) => `Under "${name}": ${words}`).join('\n'),
    example: `{${entries.map(([name, { example }]) => `"${name}": ${example}`).join(', ')}}`,
    schema: objectSchema(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))),
  };
}
