import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import { type QueuedWork, raceWithAbort, startClock } from '../../core/lib/waiting.ts';
import type { Embedder, EmbedReply } from '../models/embedder.ts';
import { ModelFailure } from '../models/model-failure.ts';
import type { JudgeCall, Judgement } from '../../core/schema/judgement.ts';
import {
  callModel,
  createOutageGuard,
  type ModelCall,
  redactorOf,
  withoutSecrets,
} from './asking/call-model.ts';
import { createJudge, type JudgeReply } from './asking/create-judge.ts';
import type { Judge, JudgeContext, JudgeQuestion, VectorSimilarity } from './judge.ts';

/** Settings of the calls to an embedding model. */
export interface EmbeddingJudgeSettings {
  /** The most milliseconds for one call; waiting for a turn does not count. */
  readonly timeLimitMs: number;
  /** The environment whose secrets are removed from texts before they are sent. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The number of questions in flight; the embedding model has limits of its own. */
const concurrency = 8;

const charactersPerToken = 4;

/**
 * Creates a judge from an embedding model. It scores the similarity in meaning of the two texts of the material,
 * whatever the instructions say: the cosine of the angle between their vectors, or as the question says their dot
 * product or 1 / (1 + distance); a negative value counts as 0. Embeddings are stored, reused, counted and limited like
 * any judgement.
 */
export function createEmbeddingJudge(embedder: Embedder, settings: EmbeddingJudgeSettings): Judge {
  const session = { embedder, redactor: redactorOf(settings.environment), ...settings };
  const guard = createOutageGuard();
  const { name, fingerprint } = embedder;
  return createJudge({
    name,
    fingerprint,
    concurrency,
    models: [name],
    isSteady: true,
    // Each text of a trial is embedded once, for all metrics together.
    together: true,
    open: async () => {
      guard.reset();
      await embedder.open?.();
    },
    close: async () => await embedder.close?.(),
    consult: async (questions, limits) =>
      await guard.watch(questions.length, async () => await compareTexts(questions, { ...session, limits })),
    estimate: async (questions) => {
      const groups = [...Map.groupBy(questions, ({ sample }) => sample).values()];
      const lengths = groups.flatMap((group) => lengthsOf(group));
      const inputTokens = Math.ceil(lengths.reduce((sum, length) => sum + length, 0) / charactersPerToken);
      const usage = { inputTokens, outputTokens: 0 };
      return { calls: groups.length, ...usage, cost: await embedder.priceOf?.(usage) };
    },
  });
}

interface Session {
  readonly embedder: Embedder;
  readonly redactor: SecretRedactor;
  readonly timeLimitMs: number;
  readonly limits: Pick<JudgeContext, 'signal' | 'stop'>;
}

function textsOf(questions: readonly Pick<JudgeQuestion, 'material'>[]): string[] {
  return [...new Set(questions.flatMap(({ material }) => material.map(({ text }) => text)))];
}

async function compareTexts(questions: readonly JudgeQuestion[], session: Session): Promise<JudgeReply[]> {
  const shown = questions.map((question) => withoutSecrets(question, session.redactor));
  const texts = textsOf(shown);
  const { call, isSent, reply } = await callEmbedder(texts, session);
  const calls = isSent ? [call] : [];
  const vectors = new Map(texts.map((text, index) => [text, reply?.vectors[index] ?? []]));
  return shown.map((question) => ({ calls, outcome: outcomeOf(question, call, vectors) }));
}

async function callEmbedder(texts: string[], session: Session): Promise<ModelCall<EmbedReply>> {
  const prompt = texts.map((content) => ({ role: 'user' as const, content }));
  const draft = { operation: 'embeddings' as const, prompt, parameters: {}, model: session.embedder.name };
  return await callModel(draft, session, async (work) => {
    const began = performance.now();
    const reply = await embedInTime(texts, session, work);
    return { reply, record: describeReply(reply, performance.now() - began) };
  });
}

/**
 * Embeds texts within the time limit. It gives up when the time is over or the work is cancelled, whether or not the
 * embedder reacts to its signal.
 */
async function embedInTime(
  texts: readonly string[],
  { embedder, timeLimitMs }: Session,
  work: QueuedWork,
): Promise<EmbedReply> {
  const overtime = new AbortController();
  const signal = AbortSignal.any([work.signal, overtime.signal]);
  const clock = startClock(timeLimitMs, () => overtime.abort());
  const onWaiting = (isWaiting: boolean) => {
    clock.onWaiting(isWaiting);
    work.onWaiting(isWaiting);
  };
  try {
    return await raceWithAbort(embedder.embed(texts, { signal, onWaiting }), signal);
  } catch (error) {
    if (!overtime.signal.aborted) throw error;
    const attempts = error instanceof ModelFailure ? error.attempts : [];
    throw new ModelFailure('timeout', `no vectors within ${timeLimitMs} ms`, { attempts });
  } finally {
    clock.stop();
  }
}

/**
 * Returns the lengths of the texts of each part. They are counted per part, because in an estimate the answer may be
 * replaced by the very text it is compared with, which a real answer hardly ever equals.
 */
function lengthsOf(questions: readonly JudgeQuestion[]): number[] {
  const byTitle = Map.groupBy(
    questions.flatMap(({ material }) => material),
    ({ title }) => title,
  );
  return byTitle
    .values()
    .flatMap((parts) => new Set(parts.map(({ text }) => text)))
    .map((text) => text.length)
    .toArray();
}

/**
 * Returns the record of a reply. The vectors are not stored: they are long and unreadable, and the same texts give them again.
 */
function describeReply({ vectors, usage, cost, model, attempts = [] }: EmbedReply, tookMs: number) {
  const [first = []] = vectors;
  return {
    reply: `${vectors.length} vectors of ${first.length} numbers`,
    latencyMs: attempts.at(-1)?.latencyMs ?? tookMs,
    attempts: attempts.map((attempt) => ({ ...attempt })),
    usage,
    cost,
    answeredBy: model,
  };
}

function outcomeOf(
  { material, shape, similarity }: JudgeQuestion,
  { error }: JudgeCall,
  vectors: ReadonlyMap<string, readonly number[]>,
): Judgement['outcome'] {
  const fail = (code: string, reason: string) =>
    ({ status: 'failed', code: `judge-${code}`, reason }) as const;
  if (error !== undefined) return fail(error.code, error.message);
  const [one, other, ...more] = material;
  if (shape !== 'score' || one === undefined || other === undefined || more.length > 0) {
    return fail('not-comparable', 'an embedding model only scores how near two texts are');
  }
  const { name, value, score } = compareVectors(
    vectors.get(one.text) ?? [],
    vectors.get(other.text) ?? [],
    similarity,
  );
  if (!Number.isFinite(value)) {
    return fail('invalid-vectors', 'vectors that cannot be compared: empty, zero or of different lengths');
  }
  if (score > 1 + tolerance) {
    return fail(
      'invalid-vectors',
      `a dot product of ${value}: these vectors are not of length 1; use the cosine`,
    );
  }
  const answer = { reason: `${name} ${value.toFixed(4)}`, score: Math.min(Math.max(score, 0), 1) };
  return { status: 'answered', answer };
}

/** The accuracy of vectors of length 1 that are sent with single precision. */
const tolerance = 1e-3;

/** Compares two vectors; returns the value that is shown, and the score. The value is NaN when they cannot be compared. */
function compareVectors(
  first: readonly number[],
  second: readonly number[],
  similarity: VectorSimilarity | undefined,
): { readonly name: string; readonly value: number; readonly score: number } {
  const cosine = cosineOf(first, second);
  if (similarity === undefined || !Number.isFinite(cosine))
    return { name: 'cosine', value: cosine, score: cosine };
  const product = dot(first, second);
  if (similarity === 'dot') return { name: 'dot product', value: product, score: product };
  const distance = Math.hypot(...first.map((value, index) => value - (second[index] ?? 0)));
  return { name: 'distance', value: distance, score: 1 / (1 + distance) };
}

/** Returns the cosine of the angle between two vectors; NaN when one has no direction or their lengths differ. */
function cosineOf(first: readonly number[], second: readonly number[]): number {
  if (first.length !== second.length) return Number.NaN;
  return dot(first, second) / Math.sqrt(dot(first, first) * dot(second, second));
}

function dot(first: readonly number[], second: readonly number[]): number {
  let sum = 0;
  for (const [index, value] of first.entries()) sum += value * (second[index] ?? 0);
  return sum;
}
