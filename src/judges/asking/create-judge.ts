import { hashContent } from '../../lib/content-hash.ts';
import { timeNow } from '../../lib/time.ts';
import { batchPerTurn, limitConcurrency } from '../../lib/waiting.ts';
import type { AnswerOf, AnswerShape, JudgeCall, Judgement } from '../../schema/judgement.ts';
import {
  type Judge,
  type JudgeAnswer,
  type JudgeContext,
  type JudgementCache,
  type JudgeQuestion,
  notAskedCode,
} from '../judge.ts';

/** What came of asking one question, with the calls that it took. */
export interface Consultation {
  readonly outcome: Judgement['outcome'];
  readonly calls: readonly JudgeCall[];
}

/** What tells one judge from another. */
export interface JudgeSettings
  extends Pick<Judge, 'name' | 'fingerprint' | 'concurrency' | 'models' | 'isSteady' | 'estimate'> {
  /** Whether questions about the same trial, asked in the same turn, are put to `consult` at once. */
  readonly together: boolean;
  /**
   * Asks, with one result for each question. Rejects only when the signal is aborted. What waits once `stop` is aborted
   * fails with `judge-not-asked`.
   */
  readonly consult: (
    questions: readonly JudgeQuestion[],
    limits: Pick<JudgeContext, 'signal' | 'stop'>,
  ) => Promise<readonly Consultation[]>;
  readonly open?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** How a question ended. Without an id nothing was asked, so there is nothing to keep. */
interface Ending {
  readonly outcome: Judgement['outcome'];
  readonly id?: string;
}

/** A question with the key under which it is kept. */
interface Posed {
  readonly key: string;
  readonly question: JudgeQuestion;
}

/** A question that was put, and when. */
interface Asked extends Posed {
  readonly askedAt: string;
}

/** Of a question whose turn had not come when the run was stopped. */
const notAsked: Ending = {
  outcome: { status: 'failed', code: notAskedCode, reason: 'the run was stopped before its turn came' },
};

function isNotAsked({ outcome }: Ending): boolean {
  return outcome.status === 'failed' && outcome.code === notAskedCode;
}

type Running = Map<string, Promise<Ending>>;

/** What is being asked for each run, by whichever of its judges: those of one fingerprint are one and the same. */
const running = new WeakMap<JudgementCache, Running>();

type Gatherer = (posed: Posed) => Promise<Ending>;

/**
 * Makes a judge that asks each question once: what was answered before is found, what is being asked is waited for, and
 * whatever comes of asking is kept before anyone sees it.
 */
export function createJudge(settings: JudgeSettings): Judge {
  const { name, fingerprint, concurrency, models, isSteady, together, consult, open, close, estimate } =
    settings;
  const limit = limitConcurrency(concurrency);
  /** Of each trial, what puts questions about it together, by their sample. */
  const gathering = new WeakMap<JudgeContext, Map<number, Gatherer>>();

  async function keep({ key, question, askedAt }: Asked, said: Consultation, { judgements }: JudgeContext) {
    const { outcome, calls } = said;
    if (calls.length === 0 && outcome.status === 'failed') return { outcome };
    const { id, shape, sample } = question;
    const asked = { key, judge: { name, fingerprint }, question: { id, shape, sample }, askedAt };
    return await judgements.keep({ ...asked, outcome, calls: [...calls] });
  }

  // Nobody else has their turn before what was said is kept: what a kill can lose is what is in flight.
  const askAll = (posed: readonly Posed[], context: JudgeContext): Promise<Ending[]> =>
    limit(async () => {
      context.signal.throwIfAborted();
      if (context.stop?.aborted === true) return posed.map(() => notAsked);
      const askedAt = timeNow();
      const questions = posed.map(({ question }) => question);
      const consultations = await consult(questions, context);
      return await Promise.all(
        posed.map((each, index) => keep({ ...each, askedAt }, consultations[index] as Consultation, context)),
      );
    });
  // Samples of one question are to be independent of each other, so each goes into a prompt of its own.
  function askTogether(posed: Posed, context: JudgeContext): Promise<Ending> {
    const { sample } = posed.question;
    const gatherers = gathering.get(context) ?? new Map<number, Gatherer>();
    gathering.set(context, gatherers);
    const gatherer = gatherers.get(sample) ?? batchPerTurn((all) => askAll(all, context));
    gatherers.set(sample, gatherer);
    return gatherer(posed);
  }

  async function ask(posed: Posed, context: JudgeContext): Promise<Ending> {
    const { shape, isTemplate, together: isTogether } = posed.question;
    const canShare = (shape === 'score' || shape === 'verdict') && isTemplate !== true;
    if (isTogether === true || (together && canShare)) return await askTogether(posed, context);
    const [ending] = await askAll([posed], context);
    return ending as Ending;
  }

  async function findOrAsk(posed: Posed, context: JudgeContext): Promise<Ending> {
    const { judgements, signal, stop } = context;
    try {
      return await judgements.findOrAsk<Ending>(posed.key, () => ask(posed, context), context);
    } catch (error) {
      // It waited for what another run is asking.
      if (stop?.aborted === true && error === stop.reason && !signal.aborted) return notAsked;
      throw error;
    }
  }

  async function askOnce(question: JudgeQuestion, context: JudgeContext): Promise<Ending> {
    const key = questionKey(question, fingerprint, isSteady === true ? 1 : context.attempt);
    const mine = running.get(context.judgements) ?? new Map<string, Promise<Ending>>();
    running.set(context.judgements, mine);
    const asked = mine.get(key) ?? findOrAsk({ key, question }, context).finally(() => mine.delete(key));
    mine.set(key, asked);
    const ending = await asked;
    if (isNotAsked(ending)) context.onNotAsked?.();
    return ending;
  }

  return {
    name,
    fingerprint,
    concurrency,
    models,
    isSteady,
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

/**
 * The address of a question: everything that can change its answer, and nothing else. The same question about the same
 * material to the same judge has the same key in every run, for the same attempt: repeats are to be independent, also where
 * they give the same answer.
 */
function questionKey(question: JudgeQuestion, judgeFingerprint: string, attempt = 1): string {
  const { id, instructions, material, shape, scale, isTemplate, items, quotes, together, sample } = question;
  const asked = { id, instructions, shape, scale, isTemplate, items, quotes, together, sample };
  const parts = material.map(({ title, text }) => [title, text]);
  const repeat = attempt > 1 && { attempt };
  return hashContent({ judge: judgeFingerprint, material: parts, ...asked, ...repeat });
}
