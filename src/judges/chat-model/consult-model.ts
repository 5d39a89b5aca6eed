import { randomBytes } from 'node:crypto';
import type { SecretRedactor } from '../../lib/redact-secrets.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../../models/model.ts';
import type { JudgeCall, Judgement } from '../../schema/judgement.ts';
import { callModel, type ModelCall, type Told } from '../asking/call-model.ts';
import type { Consultation } from '../asking/create-judge.ts';
import { withoutSecrets } from '../asking/without-secrets.ts';
import type { JudgeContext, JudgeQuestion } from '../judge.ts';
import { writePrompt } from '../prompt/write-prompt.ts';
import { readReply } from '../reply/read-reply.ts';

type PromptMessage = JudgeCall['prompt'][number];
type Outcomes = ReadonlyMap<string, Judgement['outcome']>;

/** No letter or digit that looks like another. */
const idAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/**
 * Creates the id of a request, which its reply must repeat. It is drawn by chance for each request, 40 bits of it, so nothing
 * that was written before can hold it. It stands in the prompt, which is kept with the judgement.
 */
function createReplyId(): string {
  return Array.from(randomBytes(8), (byte) => idAlphabet[byte % idAlphabet.length]).join('');
}

/** What a question is put to a model with. */
export interface ModelSession {
  readonly model: ChatModel;
  readonly limits: Pick<JudgeContext, 'signal' | 'stop'>;
  /** Takes secrets out of the material before it is sent or kept. */
  readonly redactor: SecretRedactor;
}

/** Names of the questions in a reply; those of one metric in two kinds are told apart. */
function nameQuestions(questions: readonly JudgeQuestion[]): Map<string, JudgeQuestion> {
  const named = new Map<string, JudgeQuestion>();
  // The key of the request's own id.
  const isTaken = (name: string) => named.has(name) || name === 'id';
  for (const question of questions) {
    const name = question.id.replace(/@.*$/, '').replace(/[^\w-]/g, '_');
    let free = name;
    for (let copy = 2; isTaken(free); copy += 1) free = `${name}_${copy}`;
    named.set(free, question);
  }
  return named;
}

/**
 * Puts questions to a model in one prompt. A reply that cannot be read is asked for once more, with what is wrong with it.
 * Rejects only when the signal is aborted.
 */
export async function consultModel(
  questions: readonly JudgeQuestion[],
  session: ModelSession,
): Promise<Consultation[]> {
  const named = nameQuestions(questions.map((question) => withoutSecrets(question, session.redactor)));
  const id = createReplyId();
  const { system, user, form } = writePrompt(named, id);
  const responseSchema = { name: 'judgement', schema: form.schema };
  const prompt: PromptMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  const calls: JudgeCall[] = [];
  let outcomes: Outcomes = new Map();
  for (let round = 1; round <= 2; round += 1) {
    const asked = await askModel({ messages: [...prompt], responseSchema }, session);
    const read = asked.reply === undefined ? allFailed(named, asked) : readReply(asked.reply, named, id);
    const fault = findProblem(read);
    if (asked.isSent) calls.push({ ...asked.call, ...(fault !== undefined && { error: fault }) });
    outcomes = keepAnswered(outcomes, read);
    const problem = findProblem(outcomes);
    if (problem === undefined || asked.reply === undefined) break;
    prompt.push({ role: 'assistant', content: asked.reply.text || '(nothing)' });
    prompt.push({
      role: 'user',
      content: `That reply cannot be used: ${problem.message}. ${sayAgain(form.example)}`,
    });
  }
  return Array.from(named.keys(), (name) => ({ outcome: outcomes.get(name) as Judgement['outcome'], calls }));
}

interface Request {
  readonly messages: PromptMessage[];
  readonly responseSchema: NonNullable<ChatRequest['responseSchema']>;
}

async function askModel(request: Request, session: ModelSession): Promise<ModelCall<ChatReply>> {
  const { messages: prompt, responseSchema } = request;
  const { model, redactor } = session;
  const draft = { prompt, parameters: { responseSchema: responseSchema.schema }, model: model.name };
  return await callModel(draft, session, async (work) => {
    const reply = await model.generate(request, work);
    return { reply, record: describeReply(reply, redactor) };
  });
}

function sayAgain(example: string): string {
  return `Reply again, with one JSON object of this form and nothing else: ${example}`;
}

function describeReply(reply: ChatReply, { text }: SecretRedactor): Told<ChatReply>['record'] {
  const { reasoning, finishReason, usage, cost, latencyMs, attempts, model } = reply;
  return {
    reply: reply.text === null ? null : text(reply.text),
    finishReason,
    latencyMs,
    attempts: attempts.map((attempt) => ({ ...attempt })),
    ...(reasoning !== undefined && { reasoning: text(reasoning) }),
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost }),
    ...(model !== undefined && { answeredBy: model }),
  };
}

function allFailed(
  questions: ReadonlyMap<string, unknown>,
  { call: { error } }: ModelCall<ChatReply>,
): Outcomes {
  const failed = { status: 'failed', code: `judge-${error?.code}`, reason: error?.message ?? '' } as const;
  return new Map(Array.from(questions.keys(), (name) => [name, failed]));
}

/** What a first reply said well stays, whatever the second says. */
function keepAnswered(before: Outcomes, now: Outcomes): Outcomes {
  const kept = [...before].filter(([, outcome]) => outcome.status === 'answered');
  return new Map([...now, ...kept]);
}

/** What is wrong with the answers, with the code of the first that is wrong; undefined when nothing is. */
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
