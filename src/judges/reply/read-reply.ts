import type { ChatReply } from '../../models/model.ts';
import {
  type AnswerOf,
  type AnswerShape,
  judgeAnswerSchemas,
  type Judgement,
} from '../../schema/judgement.ts';
import type { Json } from '../../schema/json.ts';
import type { JudgeQuestion } from '../judge.ts';
import { findScoreContradiction, findVerdictContradiction } from './find-contradiction.ts';
import { findDuplicateKey } from './find-duplicate-key.ts';
import { findQuoteFault } from './find-quote-fault.ts';

/** A reply in which something is not as it was asked for. The message says what, for the judge to mend it. */
class UnreadableReply extends Error {
  readonly code: string = 'judge-unreadable';
}

/** A verdict that rests on words which are not there. */
class MissingQuote extends UnreadableReply {
  override readonly code = 'judge-quote-missing';
}

type Outcome = Judgement['outcome'];

/**
 * Reads the answers out of a reply, one for each question. A reply counts only when it is one JSON object and nothing
 * else but white space, a code fence or emphasis around the whole of it: an object that stands between other words may
 * be a quotation or an example, and cannot be told from an answer.
 * @param questions - By the name that each has in the reply.
 */
export function readReply(
  reply: Pick<ChatReply, 'text' | 'finishReason'>,
  questions: ReadonlyMap<string, JudgeQuestion>,
): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const fail = (error: unknown): Outcome => {
    if (!(error instanceof UnreadableReply)) throw error;
    return { status: 'failed', code: error.code, reason: error.message };
  };
  let object: Readonly<Record<string, unknown>>;
  try {
    object = readObject(reply);
    if (questions.size > 1) checkNames(object, questions);
  } catch (error) {
    for (const name of questions.keys()) outcomes.set(name, fail(error));
    return outcomes;
  }
  for (const [name, question] of questions) {
    try {
      const value = questions.size === 1 ? object : object[name];
      outcomes.set(name, { status: 'answered', answer: readAnswer(value, question) });
    } catch (error) {
      outcomes.set(name, fail(error));
    }
  }
  return outcomes;
}

function readObject({
  text,
  finishReason,
}: Pick<ChatReply, 'text' | 'finishReason'>): Record<string, unknown> {
  if (finishReason === 'length') throw new UnreadableReply('the reply was cut off at the token limit');
  if (finishReason === 'content-filter') throw new UnreadableReply("the provider's filter stopped the reply");
  const json = unwrap(text ?? '');
  if (json === '') throw new UnreadableReply('the reply is empty');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UnreadableReply(
      json.startsWith('{') ? 'the reply is not valid JSON' : 'the reply is not a JSON object alone',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableReply('the reply is not a JSON object');
  }
  const twice = findDuplicateKey(json);
  if (twice !== undefined) throw new UnreadableReply(`the reply has the key "${twice.slice(0, 40)}" twice`);
  return value as Record<string, unknown>;
}

/** Takes off what may stand around a whole reply without changing what it says. */
function unwrap(text: string): string {
  const trimmed = text.trim();
  const inner =
    /^(`{3,}|~{3,})(?:json|JSON)?[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*\1$/.exec(trimmed)?.[2] ??
    /^(\*{1,3}|`)(\{[\s\S]*\})\1$/.exec(trimmed)?.[2];
  return (inner ?? trimmed).trim();
}

function checkNames(
  object: Readonly<Record<string, unknown>>,
  questions: ReadonlyMap<string, unknown>,
): void {
  const unknown = Object.keys(object).find((name) => !questions.has(name));
  if (unknown !== undefined)
    throw new UnreadableReply(`the reply has an unknown key "${unknown.slice(0, 40)}"`);
}

function readAnswer(value: unknown, question: JudgeQuestion): Json {
  const { shape, items } = question;
  const parsed = judgeAnswerSchemas[shape].safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.length ? `"${issue.path.join('.')}": ` : '';
    throw new UnreadableReply(`${where}${issue?.message ?? 'not as asked for'}`);
  }
  const problem = findFault(shape, parsed.data, items);
  if (problem !== undefined) throw new UnreadableReply(problem);
  const missing =
    shape === 'quoted-verdict'
      ? findQuoteFault(parsed.data as AnswerOf<'quoted-verdict'>, question)
      : undefined;
  if (missing !== undefined) throw new MissingQuote(missing);
  return parsed.data;
}

function findFault(shape: AnswerShape, answer: unknown, items: number | undefined): string | undefined {
  if (shape === 'score') return findScoreContradiction(answer as AnswerOf<'score'>);
  if (shape === 'verdict' || shape === 'quoted-verdict')
    return findVerdictContradiction(answer as AnswerOf<'verdict'>);
  if (shape !== 'checks') return undefined;
  const { checks } = answer as AnswerOf<'checks'>;
  const isWhole = checks.length === items && checks.every(({ claim }, index) => claim === index + 1);
  return isWhole ? undefined : `"checks" must hold each of the ${items ?? 0} claims once, in order`;
}
