import type { Message } from '../../schema/message.ts';
import { exchange } from '../../schema/trial.ts';
import { createRandom } from '../../stats/random.ts';
import type { Reply, Target, TargetContext, TargetRequest } from '../target.ts';
import { withPartial } from './with-partial.ts';
import type { QuestionContext, QuestionPerturbation } from './perturbations/perturbation.ts';
import type { Rewriter } from './rewriter.ts';
import { sameBut } from './same-but.ts';

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
    const messages = await perturbMessages(request, context, perturbing);
    const asked = messages.findLast(isOfUser)?.content ?? request.input;
    const put = { asked, ...(asked === request.input && { untouched: true as const }) };
    try {
      const reply = await target.call({ ...request, input: asked, messages }, context);
      return { ...withTranscript(reply, messages), ...put };
    } catch (error) {
      throw withPartial(error, { ...put, transcript: messages });
    }
  });
  return rewriter === undefined ? perturbed : { ...perturbed, open: rewriter.open, close: rewriter.close };
}

/** The questions of this conversation: what a case tells of an earlier one stays as it is. */
async function perturbMessages(
  { messages, session, seed, metadata }: TargetRequest,
  context: TargetContext,
  { perturbation, rate, variant, rewriter }: Perturbing,
): Promise<Message[]> {
  const random = createRandom(seed).fork(perturbation.kind);
  const rewrite = rewriter === undefined ? undefined : rewriter.within(context);
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
