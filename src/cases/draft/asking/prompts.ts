import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import type { Material } from '../../../core/lib/text/delimit-material.ts';
import type { QuestionKind } from '../../../core/schema/api/draft-report.ts';
import { type AskedRequest, objectOf } from '../../../evaluate/judges/asking/create-asker.ts';
import type { Passage } from '../documents/document.ts';
import type { DraftTask } from '../plan-draft.ts';

/** The versions of the prompts below, each raised by any change of its wording, since a change can alter a reply. */
export const promptVersions = {
  'draft-fact': 1,
  'draft-comparison': 1,
  'draft-multi-document': 1,
  'draft-unanswerable': 1,
  'closed-book': 1,
  'open-book': 1,
} as const satisfies Readonly<Record<string, number>>;
export type PromptName = keyof typeof promptVersions;

type DraftRequest<Answer> = AskedRequest<Answer, PromptName>;

const text = z.string().trim().min(1);

const factSchema = z.object({ value: text, passage: z.int(), quote: text });

const writtenSchema = lazily(() =>
  z.object({
    questions: z.array(
      z.object({
        question: text,
        answer: z.string().trim(),
        category: z.string().trim(),
        facts: z.array(factSchema),
      }),
    ),
  }),
);
/** The questions of a reply, as the model wrote them. */
export type WrittenQuestions = z.infer<ReturnType<typeof writtenSchema>>;

const answerSchema = lazily(() =>
  z.object({ isAnswerable: z.boolean(), answer: z.string().trim(), quote: z.string().trim() }),
);
/** An answer of the model, with or without the documents. */
export type WrittenAnswer = z.infer<ReturnType<typeof answerSchema>>;

const kindWords: Readonly<Record<QuestionKind, string>> = {
  fact: 'Each question asks for one fact that a passage states.',
  comparison:
    'Each question compares two things, such as two amounts, dates, rules or persons, and needs at least two facts of the passages.',
  'multi-document':
    'Each question can be answered only with facts of both passages: its facts must quote each of the two.',
  unanswerable:
    'Each question is about what the passage is about, and a user could well ask it, but neither the passage nor a document like it answers it. `answer` is an empty text and `facts` an empty list.',
};

const factWords = `- \`answer\`: the whole answer, in one or two sentences.
- \`facts\`: what a right answer must state. Each has \`value\`: the shortest text that an answer cannot do without, such as an amount, a date or a name, copied from the quote; \`passage\`: the number of the passage; \`quote\`: the words of the passage that state it, copied exactly and in one piece.`;

/** The categories from which the model chooses. */
export interface Categories {
  readonly names: readonly string[];
  /** True when the user names them: others then ask again. The names of a golden set change with every case that is added. */
  readonly areGiven: boolean;
}

/** Writes the request for the questions of a task. Without categories, the model chooses none. */
export function requestQuestions(
  { kind, passages, questions }: DraftTask,
  { names, areGiven }: Categories,
): DraftRequest<WrittenQuestions> {
  const number = questions === 1 ? 'one question' : `${questions} questions, each on other facts,`;
  return {
    prompt: `draft-${kind}`,
    variant: { questions, ...(areGiven && { categories: [...names] }) },
    instructions: `You write test questions for an assistant that answers from documents. Write ${number} about the passages in the next message, as a user would ask who has not seen them. ${kindWords[kind]}${passages.some(({ trace }) => trace !== undefined) ? traceWords : ''}

A question stands on its own: it names what it is about, and never mentions a passage, a text or a document that the user does not see. It uses the words of a user, not those of the passage, and does not contain its answer. There is exactly one right answer. It cannot be answered by general knowledge. It is written in the language of the passages.

For each question:
- \`question\`: the question.
${factWords}
- \`category\`: ${names.length === 0 ? 'an empty text' : `the one that fits best of: ${JSON.stringify(names)}`}.`,
    material: passages.map(materialOf),
    example:
      '"questions": [{"question": "…", "answer": "…", "facts": [{"value": "…", "passage": 1, "quote": "…"}], "category": "…"}]',
    properties: { questions: { type: 'array', items: objectOf(questionProperties) } },
    answer: writtenSchema(),
    trace: traceOf(passages),
  };
}

/** The words about passages that are from a trace; the assistant need not answer from documents. */
const traceWords =
  ' The passages are what tools and searches gave to an assistant, and what was answered, when a user asked the question above them. A good question is one that other users ask too, and that still has the same answer tomorrow.';

function traceOf(passages: readonly Passage[]): string | undefined {
  return passages.find(({ trace }) => trace !== undefined)?.trace?.traceId;
}

/** Writes the request to answer a question by general knowledge alone. The passages that it is about are not shown. */
export function requestClosedBook(
  question: string,
  passages: readonly Passage[],
): DraftRequest<WrittenAnswer> {
  return {
    prompt: 'closed-book',
    variant: null,
    instructions:
      'Answer the question in the next message by general knowledge alone, as well as you can. Guess where a guess is likely to be right. `is_answerable` is false, and `answer` an empty text, only where nothing but a document that you do not have could say it. `quote` is an empty text.',
    material: [{ title: 'question', text: question }],
    trace: traceOf(passages),
    ...answerForm,
  };
}

/** Writes the request to answer a question from passages alone. */
export function requestOpenBook(question: string, passages: readonly Passage[]): DraftRequest<WrittenAnswer> {
  return {
    prompt: 'open-book',
    variant: null,
    instructions:
      'Answer the question in the next message from the passages beside it alone. Use nothing else that you know. `is_answerable` is whether they state the whole answer. `answer`: the answer, in one or two sentences; an empty text where they do not state it. `quote`: the words of a passage that state it, copied exactly and in one piece; an empty text where there are none.',
    material: [{ title: 'question', text: question }, ...passages.map(materialOf)],
    trace: traceOf(passages),
    ...answerForm,
  };
}

const answerForm = {
  example: '"is_answerable": true, "answer": "…", "quote": "…"',
  properties: {
    is_answerable: { type: 'boolean' },
    answer: { type: 'string' },
    quote: { type: 'string' },
  },
  get answer() {
    return z.preprocess(renameAnswerable, answerSchema());
  },
};

function renameAnswerable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { is_answerable: isAnswerable, ...others } = value as Readonly<Record<string, unknown>>;
  return { isAnswerable, ...others };
}

function materialOf({ document, headings, text: words, trace }: Passage, index: number): Material {
  const place = [document, ...headings].join(' > ');
  const asked = trace === undefined ? '' : `Question of the user: ${trace.question}\n\n`;
  return { title: `passage ${index + 1}`, text: `[${place}]\n${asked}${words}` };
}

const questionProperties = {
  question: { type: 'string' },
  answer: { type: 'string' },
  facts: {
    type: 'array',
    items: objectOf({ value: { type: 'string' }, passage: { type: 'integer' }, quote: { type: 'string' } }),
  },
  category: { type: 'string' },
} as const;
