import { raceWithAbort } from '../lib/waiting.ts';
import type { Message } from '../schema/message.ts';
import { exchange, type Rewriting, sumRewritings } from '../schema/trial.ts';
import { createRandom } from '../stats/random.ts';
import type { Reply, Target, TargetContext, TargetRequest } from '../targets/target.ts';
import type { QuestionContext, QuestionPerturbation } from './perturbations/perturbation.ts';
import type { Rewriter } from './rewriter.ts';
import { sameBut, withPartial } from './with-call.ts';

/** How a target's questions are put. */
export interface Perturbing extends Pick<QuestionContext, 'rate' | 'variant'> {
  readonly perturbation: QuestionPerturbation;
  readonly rewriter: Rewriter | undefined;
}

/**
 * The same target with every question put in another way. What it was really asked is told with the reply, so that it is
 * kept with the trial; what metrics read of the case stays as it was.
 */
export function withPerturbedQuestion(target: Target, perturbing: Perturbing): Target {
  const { rewriter } = perturbing;
  const perturbed = sameBut(target, async (request, context) => {
    const taken: Rewriting[] = [];
    const rewrite = rewriter?.within(context, (each) => taken.push(each));
    const tell = () => {
      const rewriting = sumRewritings(taken);
      return rewriting === undefined ? {} : { rewriting };
    };
    const messages = await perturbMessages(request, { ...perturbing, rewrite }).catch((error: unknown) => {
      throw withPartial(error, tell(), context.signal).with({ latency: null });
    });
    const asked = messages.findLast(isOfUser)?.content ?? request.input;
    const put = { asked, ...(asked === request.input && { untouched: true as const }), ...tell() };
    const perturbedRequest = { ...request, input: asked, messages };
    try {
      const reply =
        rewriter === undefined
          ? await callTarget(target, perturbedRequest, context)
          : await callTimed(target, perturbedRequest, context);
      return { ...withTranscript(reply, messages), ...put };
    } catch (error) {
      throw withPartial(error, { ...put, transcript: messages }, context.signal);
    }
  });
  return rewriter === undefined ? perturbed : { ...perturbed, open: rewriter.open, close: rewriter.close };
}

/** The questions of this conversation: what a case tells of an earlier one stays as it is. */
async function perturbMessages(
  { messages, session, seed, metadata }: TargetRequest,
  { perturbation, rate, variant, rewrite }: Omit<Perturbing, 'rewriter'> & Pick<QuestionContext, 'rewrite'>,
): Promise<Message[]> {
  const random = createRandom(seed).fork(perturbation.kind);
  const places = messages.flatMap((message, place) => (isOfUser(message) ? [place] : []));
  const changed = [...messages];
  for (const [index, place] of places.slice(-session.turn).entries()) {
    const message = messages[place] as Message;
    const of = { random: random.fork(index + 1), rate, variant, metadata, rewrite };
    changed[place] = { ...message, content: await perturbation.perturb(message.content ?? '', of) };
  }
  return changed;
}

function isOfUser({ role }: Message): boolean {
  return role === 'user';
}

/** The trial shows what was really asked. */
function withTranscript(reply: Reply, messages: Message[]): Reply {
  const { answer, toolCalls, transcript = exchange(messages, answer, toolCalls) } = reply;
  return { ...reply, transcript };
}

/** One that is given up tells what it was asked all the same. */
async function callTarget(target: Target, request: TargetRequest, context: TargetContext): Promise<Reply> {
  return await raceWithAbort(target.call(request, context), context.signal, context.onLate);
}

/** The time in which a model wrote the question is none of the answer's: the call gets its own, unless the target tells it. */
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
