import { z } from 'zod';
import { type AskedRequest, objectOf } from '../../../../evaluate/judges/asking/create-asker.ts';
import { lazily } from '../../../../core/lib/lazily.ts';

/** The versions of the prompts below. */
export const editPrompts = { 'edit-judge': 1 } as const;

/** An answer about which the judge and people differ. */
export interface Disagreement {
  readonly caseId: string;
  readonly question: string;
  readonly answer: string;
  /** The verdict of people; the judge says the opposite. */
  readonly passes: boolean;
  /** The words of a person about it, and the reason that the judge gave. */
  readonly note?: string;
  readonly reason?: string;
}

/** An edit of the words of a judge: another criterion, and answers to show as examples. */
export interface JudgeEdit {
  readonly text: string;
  readonly examples: readonly { readonly item: number; readonly why: string }[];
}

const editsSchema = lazily(() =>
  z.object({
    edits: z
      .array(
        z.object({
          text: z.string().trim().min(1).max(4000),
          examples: z
            .array(z.object({ item: z.int().min(1), why: z.string().trim().min(1).max(300) }))
            .max(6),
        }),
      )
      .min(1),
  }),
);

/**
 * Writes the request for edits of a judge's criterion, by answers about which it differs with people. The model sees answers of the
 * tune half alone, which are material, and numbers of them as examples: it changes neither the scale nor the form of the reply.
 */
export function requestEdits(
  criterion: string,
  disagreements: readonly Disagreement[],
  candidates: number,
): AskedRequest<z.infer<ReturnType<typeof editsSchema>>, keyof typeof editPrompts> {
  return {
    prompt: 'edit-judge',
    instructions: `A judge says for answers of a chatbot whether a criterion holds, yes or no. The part "criterion" is what it is told. People have answered the same question, and each other part shows an answer about which they differ with the judge. Find out what the criterion should say so that the judge agrees with people on answers like these, and on others.
- Write ${candidates} different edits, the smallest change first.
- \`text\`: the whole criterion as it should be: general, without mentioning any of the answers, and no longer than it has to be.
- \`examples\`: the numbers of the answers that the judge should be shown as examples, at most six and only where words do not suffice, each with \`why\`: one sentence.`,
    variant: candidates,
    material: [
      { title: 'criterion', text: criterion },
      ...disagreements.map((each, index) => ({ title: `answer ${index + 1}`, text: describe(each) })),
    ],
    example:
      '"edits": [{"text": "The answer names the lease.", "examples": [{"item": 2, "why": "It names no lease."}]}]',
    properties: {
      edits: {
        type: 'array',
        items: objectOf({
          text: { type: 'string' },
          examples: {
            type: 'array',
            items: objectOf({ item: { type: 'integer' }, why: { type: 'string' } }),
          },
        }),
      },
    },
    answer: editsSchema().refine(
      ({ edits }) =>
        edits.every(({ examples }) => examples.every(({ item }) => item <= disagreements.length)),
      { message: `the answers are numbered from 1 to ${disagreements.length}`, path: ['edits'] },
    ),
  };
}

function describe({ question, answer, passes, note, reason }: Disagreement): string {
  return [
    `Question: ${question}`,
    `Answer: ${answer}`,
    `People say: ${passes ? 'yes' : 'no'}${note === undefined ? '' : `, ${note}`}`,
    `The judge says: ${passes ? 'no' : 'yes'}${reason === undefined ? '' : `, ${reason}`}`,
  ].join('\n\n');
}
