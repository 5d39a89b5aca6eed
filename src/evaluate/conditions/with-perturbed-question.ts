import { raceWithAbort } from '../../core/lib/waiting.ts';
import type { Message } from '../../core/schema/message.ts';
import { exchange, type Rewriting, sumRewritings, withFiles } from '../../core/schema/trial.ts';
import { createRandom } from '../../core/stats/random.ts';
import type { Reply, Target, TargetContext, TargetRequest } from '../targets/target.ts';
import type { QuestionContext, QuestionPerturbation } from './perturbations/perturbation.ts';
import type { Rewriter } from './rewriter.ts';
import { withCall, withPartial } from './with-call.ts';

/** The perturbation of a target's questions. */
export interface PerturbationSettings extends Pick<QuestionContext, 'rate' | 'variant'> {
  readonly perturbation: QuestionPerturbation;
  readonly rewriter: Rewriter | undefined;
}

/**
 * Wraps a target so that every question is perturbed. The question as it was really put is recorded with the reply and
 * stored with the trial; metrics still read the original case.
 */
export function withPerturbedQuestion(target: Target, settings: PerturbationSettings): Target {
  const { rewriter } = settings;
  const perturbed = withCall(target, async (request, context) => {
    const rewritings: Rewriting[] = [];
    const rewrite = rewriter?.within(context, (each) => rewritings.push(each));
    const totalRewriting = () => {
      const rewriting = sumRewritings(rewritings);
      return rewriting === undefined ? {} : { rewriting };
    };
    const messages = await perturbMessages(request, { ...settings, rewrite }).catch((error: unknown) => {
      throw withPartial(error, totalRewriting(), context.signal).with({ latency: null });
    });
    const asked = messages.findLast(isOfUser)?.content ?? request.input;
    const condition = {
      asked,
      ...(asked === request.input && { untouched: true as const }),
      ...totalRewriting(),
    };
    const perturbedRequest = { ...request, input: asked, messages };
    try {
      const reply =
        rewriter === undefined
          ? await callTarget(target, perturbedRequest, context)
          : await callTimed(target, perturbedRequest, context);
      return { ...withTranscript(reply, messages), ...condition };
    } catch (error) {
      throw withPartial(error, { ...condition, transcript: messages }, context.signal);
    }
  });
  return rewriter === undefined ? perturbed : { ...perturbed, open: rewriter.open, close: rewriter.close };
}

/** Perturbs the questions of this conversation. Messages that a case has from an earlier conversation stay as they are. */
async function perturbMessages(
  { messages, session, seed, metadata }: TargetRequest,
  {
    perturbation,
    rate,
    variant,
    rewrite,
  }: Omit<PerturbationSettings, 'rewriter'> & Pick<QuestionContext, 'rewrite'>,
): Promise<Message[]> {
  const random = createRandom(seed).fork(perturbation.kind);
  const places = messages.flatMap((message, place) => (isOfUser(message) ? [place] : []));
  const changed = [...messages];
  for (const [index, place] of places.slice(-session.turn).entries()) {
    const message = messages[place] as Message;
    const questionContext = { random: random.fork(index + 1), rate, variant, metadata, rewrite };
    changed[place] = {
      ...message,
      content: await perturbation.perturb(message.content ?? '', questionContext),
    };
  }
  return changed;
}

function isOfUser({ role }: Message): boolean {
  return role === 'user';
}

/** Returns the reply with a transcript that shows the question as it was put. */
function withTranscript(reply: Reply, messages: Message[]): Reply {
  const { answer, toolCalls, attachments } = reply;
  const { transcript = withFiles(exchange(messages, answer, toolCalls), attachments) } = reply;
  return { ...reply, transcript };
}

/** Calls the target. An abandoned call rejects too, so that its question is recorded. */
async function callTarget(target: Target, request: TargetRequest, context: TargetContext): Promise<Reply> {
  return await raceWithAbort(target.call(request, context), context.signal, context.onLate);
}

/**
 * Calls the target and measures its latency, unless the target reports one. The time in which a model rewrote the
 * question is not part of it.
 */
async function callTimed(target: Target, request: TargetRequest, context: TargetContext): Promise<Reply> {
  const start = performance.now();
  const elapsedMs = () => Math.round((performance.now() - start) * 1000) / 1000;
  try {
    const reply = await callTarget(target, request, context);
    const { firstTokenMs, latency = { totalMs: elapsedMs(), firstTokenMs } } = reply;
    return { ...reply, latency };
  } catch (error) {
    const failure = withPartial(error, {}, context.signal);
    throw failure.latency === undefined ? failure.with({ latency: { totalMs: elapsedMs() } }) : failure;
  }
}
