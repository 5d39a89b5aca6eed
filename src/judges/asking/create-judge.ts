import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import type { AnswerOf, AnswerShape, JudgeCall, Judgement } from '../../schema/judgement.ts';
import type { Judge, JudgeAnswer, JudgeContext, JudgementKeeper, JudgeQuestion } from '../judge.ts';
import { gatherTurn } from './gather-turn.ts';
import { questionKey } from './question-key.ts';

/** What came of asking one question, with the calls that it took. */
export interface Consultation {
  readonly outcome: Judgement['outcome'];
  readonly calls: readonly JudgeCall[];
}

/** What tells one judge from another. */
export interface JudgeSettings
  extends Pick<Judge, 'name' | 'fingerprint' | 'concurrency' | 'models' | 'estimate'> {
  /** Whether questions about the same trial, asked in the same turn, are put to `consult` at once. */
  readonly together: boolean;
  /** Asks, with one result for each question. Rejects only when the signal is aborted. */
  readonly consult: (
    questions: readonly JudgeQuestion[],
    signal: AbortSignal,
  ) => Promise<readonly Consultation[]>;
  readonly open?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** How a question ended. Without an id nothing was asked, so there is nothing to keep. */
interface Ending {
  readonly outcome: Judgement['outcome'];
  readonly id?: string;
}

type Running = Map<string, Promise<Ending>>;

/**
 * Makes a judge that asks each question once: what was answered before is found, what is being asked is waited for, and
 * whatever comes of asking is kept before anyone sees it.
 */
export function createJudge(settings: JudgeSettings): Judge {
  const { name, fingerprint, concurrency, models, together, consult, open, close, estimate } = settings;
  const limit = limitConcurrency(concurrency);
  const running = new WeakMap<JudgementKeeper, Running>();
  const consultAll = (questions: readonly JudgeQuestion[], { signal }: JudgeContext) =>
    limit(async () => {
      signal.throwIfAborted();
      return await consult(questions, signal);
    });
  // Samples of one question are to be independent of each other, so each goes into a prompt of its own.
  const consultTogether = gatherTurn<JudgeQuestion, Consultation>(
    (questions, context) => consultAll(questions, context as JudgeContext),
    ({ sample }) => sample,
  );

  async function consultOne(question: JudgeQuestion, context: JudgeContext): Promise<Consultation> {
    const canShare = question.shape === 'score' || question.shape === 'verdict';
    if (question.together === true || (together && canShare)) return await consultTogether(question, context);
    const [consultation] = await consultAll([question], context);
    return consultation as Consultation;
  }

  async function findOrAsk(key: string, question: JudgeQuestion, context: JudgeContext): Promise<Ending> {
    const kept = await context.judgements.find(key);
    if (kept !== undefined) return kept;
    const askedAt = new Date().toISOString();
    const { outcome, calls } = await consultOne(question, context);
    if (calls.length === 0 && outcome.status === 'failed') return { outcome };
    const { id, shape, sample } = question;
    const asked = { id, shape, sample };
    return await context.judgements.keep({
      key,
      judge: { name, fingerprint },
      question: asked,
      askedAt,
      outcome,
      calls: [...calls],
    });
  }

  async function askOnce(question: JudgeQuestion, context: JudgeContext): Promise<Ending> {
    const key = questionKey(question, fingerprint);
    const mine = running.get(context.judgements) ?? new Map<string, Promise<Ending>>();
    running.set(context.judgements, mine);
    const asked = mine.get(key) ?? findOrAsk(key, question, context).finally(() => mine.delete(key));
    mine.set(key, asked);
    return await asked;
  }

  return {
    name,
    fingerprint,
    concurrency,
    models,
    estimate,
    ...(open && { open }),
    ...(close && { close }),
    ask: async (question, context) => toAnswer(await askOnce(question, context), name, question.sample),
  };
}

function toAnswer<Shape extends AnswerShape>(
  { id, outcome }: Ending,
  judge: string,
  sample: number,
): JudgeAnswer<Shape> {
  if (outcome.status === 'failed') {
    const { code, reason } = outcome;
    return { status: 'failed', code, reason, judgements: id === undefined ? [] : [id] };
  }
  const answer = outcome.answer as unknown as AnswerOf<Shape>;
  return { status: 'answered', ballots: [{ judge, sample, answer, judgement: id ?? '' }] };
}
