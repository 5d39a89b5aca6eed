import { hashContent } from '../../../core/lib/content-hash.ts';
import { timeNow } from '../../../core/lib/time.ts';
import { batchPerTurn, limitConcurrency } from '../../../core/lib/waiting.ts';
import type { AnswerOf, AnswerShape, JudgeCall, Judgement } from '../../../core/schema/judgement.ts';
import { type AttachmentKind, untakenKinds, wordsOfKinds } from '../../../core/schema/message.ts';
import {
  cannotSeeCode,
  type Judge,
  type JudgeAnswer,
  type JudgeContext,
  type JudgementCache,
  type JudgeQuestion,
  notAskedCode,
  pendingCode,
} from '../judge.ts';

/** The outcome of asking one question, with the calls it took. */
export interface JudgeReply {
  readonly outcome: Judgement['outcome'];
  readonly calls: readonly JudgeCall[];
}

/** The properties and functions that make up a judge. */
export interface JudgeSettings
  extends Pick<Judge, 'name' | 'fingerprint' | 'concurrency' | 'models' | 'isSteady' | 'estimate' | 'batch'> {
  /** True when questions about the same trial, asked in the same turn of the event loop, go to `consult` together. */
  readonly together: boolean;
  /** The kinds of files that it can be shown; none by default. */
  readonly takes?: readonly AttachmentKind[];
  /**
   * Asks the questions and returns one reply for each. Rejects only when the signal is aborted. Questions that still
   * wait when `stop` is aborted fail with `judge-not-asked`, and those that wait for a batch with `judge-pending`.
   * @param keys - The keys of the judgements, in the order of the questions.
   */
  readonly consult: (
    questions: readonly JudgeQuestion[],
    limits: Pick<JudgeContext, 'signal' | 'stop' | 'judgements' | 'readBlob'>,
    keys: readonly string[],
  ) => Promise<readonly JudgeReply[]>;
  readonly open?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}

/**
 * Creates a judge that asks each question once. An earlier answer is found, a question in flight is awaited, and every
 * outcome is stored before the caller sees it. A question about files that the judge is not shown is not asked.
 */
export function createJudge(settings: JudgeSettings): Judge {
  const judge = createAskingJudge(settings);
  const { name, takes } = settings;
  return {
    ...judge,
    ask: async (question, context) => {
      const unseen = untakenKinds(question.material, context.readBlob === undefined ? {} : { takes });
      if (unseen.length > 0) return toAnswer(cannotSee(unseen, name), name, question.sample);
      return await judge.ask(question, context);
    },
  };
}

function createAskingJudge(settings: JudgeSettings): Judge {
  const { name, fingerprint, concurrency, models, isSteady, batch } = settings;
  const { together, consult, open, close, estimate } = settings;
  const limit = limitConcurrency(concurrency);
  /** The gatherers that combine questions about one trial, by their sample. */
  const gathering = new WeakMap<JudgeContext, Map<number, Gatherer>>();

  // No other question gets its turn before the replies are stored, and none that waited while they could not be: a kill,
  // or a store that goes away, can lose only what is in flight.
  function askAll(all: readonly KeyedQuestion[], context: JudgeContext): Promise<QuestionOutcome[]> {
    const { judgements, signal, stop } = context;
    const before = notKept.get(judgements);
    return limit(async () => {
      signal.throwIfAborted();
      throwIfNotKeptSince(before, judgements);
      if (stop?.aborted === true) return all.map(() => notAsked);
      const askedAt = timeNow();
      const questions = all.map(({ question }) => question);
      const keys = all.map(({ key }) => key);
      const replies = await consult(questions, context, keys);
      const sent = { askedAt, judge: { name, fingerprint } };
      return await Promise.all(
        all.map((each, index) => keep({ ...each, ...sent }, replies[index] as JudgeReply, judgements)),
      );
    });
  }

  // Samples of one question must be independent of each other, so each goes into a prompt of its own.
  function askTogether(keyed: KeyedQuestion, context: JudgeContext): Promise<QuestionOutcome> {
    const { sample } = keyed.question;
    const gatherers = gathering.get(context) ?? new Map<number, Gatherer>();
    gathering.set(context, gatherers);
    const gatherer = gatherers.get(sample) ?? batchPerTurn((all) => askAll(all, context));
    gatherers.set(sample, gatherer);
    return gatherer(keyed);
  }

  async function ask(keyed: KeyedQuestion, context: JudgeContext): Promise<QuestionOutcome> {
    const { shape, isTemplate, together: isTogether } = keyed.question;
    const canShare = (shape === 'score' || shape === 'verdict') && isTemplate !== true;
    if (isTogether === true || (together && canShare)) return await askTogether(keyed, context);
    const [outcome] = await askAll([keyed], context);
    return outcome as QuestionOutcome;
  }

  async function findOrAsk(keyed: KeyedQuestion, context: JudgeContext): Promise<QuestionOutcome> {
    const { judgements, signal, stop } = context;
    try {
      return await judgements.findOrAsk<QuestionOutcome>(keyed.key, () => ask(keyed, context), context);
    } catch (error) {
      // The question was waiting for another run that asks it.
      if (stop?.aborted === true && error === stop.reason && !signal.aborted) return notAsked;
      throw error;
    }
  }

  async function askOnce(question: JudgeQuestion, context: JudgeContext): Promise<QuestionOutcome> {
    const key = questionKey(question, fingerprint, isSteady === true ? 1 : context.attempt);
    const inFlight = running.get(context.judgements) ?? new Map<string, Promise<QuestionOutcome>>();
    running.set(context.judgements, inFlight);
    const asked =
      inFlight.get(key) ?? findOrAsk({ key, question }, context).finally(() => inFlight.delete(key));
    inFlight.set(key, asked);
    const outcome = await asked;
    if (isNotAsked(outcome)) context.onNotAsked?.();
    return outcome;
  }

  return {
    name,
    fingerprint,
    concurrency,
    models,
    isSteady,
    ...(batch && { batch }),
    estimate,
    ...(open && { open }),
    ...(close && { close }),
    ask: async (question, context) => toAnswer(await askOnce(question, context), name, question.sample),
  };
}

/** Keeps the reply to a question as a judgement, unless nothing was asked. */
async function keep(
  { key, question, askedAt, judge }: SentQuestion,
  { outcome, calls }: JudgeReply,
  judgements: JudgeContext['judgements'],
): Promise<QuestionOutcome> {
  if (calls.length === 0 && outcome.status === 'failed') return { outcome };
  const { id, shape, sample } = question;
  const draft = { key, judge, question: { id, shape, sample }, askedAt };
  try {
    return await judgements.keep({ ...draft, outcome, calls: [...calls] });
  } catch (error) {
    notKept.set(judgements, { error });
    throw error;
  }
}

/** The last failure to keep a judgement, by the records of a run that it belongs to. */
const notKept = new WeakMap<JudgeContext['judgements'], { readonly error: unknown }>();

/** Throws the failure to keep a judgement that has happened since a question began to wait. */
function throwIfNotKeptSince(
  before: { readonly error: unknown } | undefined,
  judgements: JudgeContext['judgements'],
): void {
  const failure = notKept.get(judgements);
  if (failure !== undefined && failure !== before) throw failure.error;
}

function toAnswer<Shape extends AnswerShape>(
  { id, outcome }: QuestionOutcome,
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
 * Returns the key of a question: a hash of everything that can change its answer, and nothing else. The same question
 * about the same material to the same judge has the same key in every run, for the same attempt. Another attempt has
 * another key, even with the same answer, because repeats must be independent.
 */
function questionKey(question: JudgeQuestion, judgeFingerprint: string, attempt = 1): string {
  const { material, id, instructions, shape, scale, labels, isTemplate, items } = question;
  const { similarity, quotes, together, sample } = question;
  const kind = { shape, scale, labels, isTemplate, items, similarity, quotes, together };
  const asked = { id, instructions, ...kind, sample };
  const parts = material.map(({ title, text, attachments = [] }) => [
    title,
    text,
    ...attachments.map(({ hash }) => hash),
  ]);
  const repeat = attempt > 1 && { attempt };
  return hashContent({ judge: judgeFingerprint, material: parts, ...asked, ...repeat });
}

/** The outcome of a question. It has no id when nothing was asked, since there is then no judgement to keep. */
interface QuestionOutcome {
  readonly outcome: Judgement['outcome'];
  readonly id?: string;
}

/** A question with the key under which its judgement is stored. */
interface KeyedQuestion {
  readonly key: string;
  readonly question: JudgeQuestion;
}

/** A question that was sent, with the time and the judge. */
interface SentQuestion extends KeyedQuestion {
  readonly askedAt: string;
  readonly judge: Pick<Judge, 'name' | 'fingerprint'>;
}

/** Returns the outcome of a question about files that the judge is not shown: a verdict on half of what was asked would be none. */
function cannotSee(kinds: readonly AttachmentKind[], judge: string): QuestionOutcome {
  const reason = `it is about ${wordsOfKinds(kinds)}, which the judge ${judge} is not shown`;
  return { outcome: { status: 'failed', code: cannotSeeCode, reason } };
}

/** The outcome of a question whose turn had not come when the run was stopped. */
const notAsked: QuestionOutcome = {
  outcome: { status: 'failed', code: notAskedCode, reason: 'the run was stopped before its turn came' },
};

function isNotAsked({ outcome }: QuestionOutcome): boolean {
  return outcome.status === 'failed' && (outcome.code === notAskedCode || outcome.code === pendingCode);
}

type Running = Map<string, Promise<QuestionOutcome>>;

/** The questions in flight of each run, by key. Judges with the same fingerprint share them. */
const running = new WeakMap<JudgementCache, Running>();

type Gatherer = (question: KeyedQuestion) => Promise<QuestionOutcome>;
