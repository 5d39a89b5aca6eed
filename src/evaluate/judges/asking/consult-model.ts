import type { JudgeCall, Judgement } from '../../../core/schema/judgement.ts';
import type { ChatReply, ChatRequest } from '../../models/model.ts';
import type { JudgeQuestion } from '../judge.ts';
import { writePrompt } from '../prompt/write-prompt.ts';
import { readReply } from '../reply/read-reply.ts';
import { askChatModel, type ChatSession, createReplyId } from './ask-chat-model.ts';
import { type ModelCall, withoutSecrets } from './call-model.ts';
import type { JudgeReply } from './create-judge.ts';

type PromptMessage = JudgeCall['prompt'][number];
type Outcomes = ReadonlyMap<string, Judgement['outcome']>;

/**
 * Sends questions to a model in one prompt. When a reply cannot be read, the model is asked once more, with the fault.
 * Rejects only when the signal is aborted.
 */
export async function consultModel(
  questions: readonly JudgeQuestion[],
  session: ChatSession,
): Promise<JudgeReply[]> {
  const draft = draftPrompt(questions, session);
  return await finishConsulting(draft, await askChatModel(requestOf(draft), session), session);
}

/** A prompt of questions, by their names in it, and what is needed to read the reply. */
export interface DraftedPrompt {
  readonly named: ReadonlyMap<string, JudgeQuestion>;
  /** The id that the reply must repeat. */
  readonly id: string;
  readonly prompt: readonly PromptMessage[];
  readonly responseSchema: NonNullable<ChatRequest['responseSchema']>;
  /** An example of the reply. */
  readonly example: string;
}

/** Writes the prompt of questions. */
export function draftPrompt(
  questions: readonly JudgeQuestion[],
  { redactor }: Pick<ChatSession, 'redactor'>,
): DraftedPrompt {
  const named = nameQuestions(questions.map((question) => withoutSecrets(question, redactor)));
  return draftNamed(named, createReplyId());
}

/** Writes the prompt of questions that have their names, and without secrets, for a reply that repeats the given id. */
export function draftNamed(named: ReadonlyMap<string, JudgeQuestion>, id: string): DraftedPrompt {
  const { system, user, form, attachments } = writePrompt(named, id);
  return {
    named,
    id,
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: user, ...(attachments.length > 0 && { attachments }) },
    ],
    responseSchema: { name: 'judgement', schema: form.schema },
    example: form.example,
  };
}

/** Returns the request of a prompt. */
export function requestOf({ prompt, responseSchema }: Pick<DraftedPrompt, 'prompt' | 'responseSchema'>) {
  return { messages: [...prompt], responseSchema };
}

/** Reads the reply to a prompt, and asks once more when it cannot be read. Returns a reply for each question. */
export async function finishConsulting(
  { named, id, prompt: first, responseSchema, example }: DraftedPrompt,
  firstAsked: ModelCall<ChatReply>,
  session: ChatSession,
): Promise<JudgeReply[]> {
  const prompt = [...first];
  const calls: JudgeCall[] = [];
  let outcomes: Outcomes = new Map();
  for (let round = 1; round <= 2; round += 1) {
    const asked =
      round === 1 ? firstAsked : await askChatModel(requestOf({ prompt, responseSchema }), session);
    const read = asked.reply === undefined ? allFailed(named, asked) : readReply(asked.reply, named, id);
    const fault = findProblem(read);
    if (asked.isSent) calls.push({ ...asked.call, ...(fault !== undefined && { error: fault }) });
    outcomes = keepAnswered(outcomes, read);
    const problem = findProblem(outcomes);
    if (problem === undefined || asked.reply === undefined || problem.code === 'refused') break;
    prompt.push({ role: 'assistant', content: asked.reply.text || '(nothing)' });
    prompt.push({
      role: 'user',
      content: `That reply cannot be used: ${problem.message}. Reply again, with one JSON object of this form and nothing else: ${example}`,
    });
  }
  return Array.from(named.keys(), (name) => ({ outcome: outcomes.get(name) as Judgement['outcome'], calls }));
}

/** Names the questions for a reply. Several questions of one metric get a number each. */
function nameQuestions(questions: readonly JudgeQuestion[]): Map<string, JudgeQuestion> {
  const named = new Map<string, JudgeQuestion>();
  // `id` is the key of the request's own id.
  const isTaken = (name: string) => named.has(name) || name === 'id';
  for (const question of questions) {
    const name = question.id.replace(/@.*$/, '').replace(/[^\w-]/g, '_');
    let free = name;
    for (let copy = 2; isTaken(free); copy += 1) free = `${name}_${copy}`;
    named.set(free, question);
  }
  return named;
}

function allFailed(
  questions: ReadonlyMap<string, unknown>,
  { call: { error } }: ModelCall<ChatReply>,
): Outcomes {
  const failed = { status: 'failed', code: `judge-${error?.code}`, reason: error?.message ?? '' } as const;
  return new Map(Array.from(questions.keys(), (name) => [name, failed]));
}

/** Returns the outcomes with the answers of the first reply, which stay whatever the second says. */
function keepAnswered(before: Outcomes, now: Outcomes): Outcomes {
  const kept = [...before].filter(([, outcome]) => outcome.status === 'answered');
  return new Map([...now, ...kept]);
}

/** Returns the faults of the answers, with the code of the first one; undefined when there are none. */
function findProblem(outcomes: Outcomes): { code: string; message: string } | undefined {
  const failed = [...outcomes].flatMap(([name, outcome]) =>
    outcome.status === 'failed' ? [{ name, ...outcome }] : [],
  );
  const [first] = failed;
  if (first === undefined) return undefined;
  const isShared = failed.length === outcomes.size && failed.every(({ reason }) => reason === first.reason);
  const said = failed.map(({ name, reason }) => (outcomes.size === 1 ? reason : `${name}: ${reason}`));
  return { code: first.code.replace(/^judge-/, ''), message: isShared ? first.reason : said.join('; ') };
}
