import { messageOf } from '../errors.ts';
import type { ChatModel, ChatReply } from '../models/model.ts';
import { type Rewriting, rewritingSchema } from '../schema/trial.ts';
import { type TargetContext, TargetFailure } from '../targets/target.ts';
import { abortedFailure, untilAborted } from '../targets/until-aborted.ts';
import type { Rewrite } from './perturbations/perturbation.ts';
import { toPieces } from './perturbations/pieces.ts';

/** A model that rewrites questions. The same question is rewritten once, however many trials ask it. */
export interface Rewriter {
  /** Changes with whatever can change what it writes. */
  readonly fingerprint: string;
  open(): Promise<void>;
  close(): Promise<void>;
  /** The rewriting for one call of a target: it ends when the call is told to. Told what was taken for this call. */
  within(context: TargetContext, onTaken: (taken: Rewriting) => void): Rewrite;
}

/** What is to be written anew, and how. */
interface Question {
  readonly task: string;
  readonly text: string;
}

const instructions =
  'You rewrite questions that are put to a chatbot. You never answer them. Reply with the new question alone: no comment, no ' +
  'quotation marks around it.';

/** Makes a rewriter of a model. */
export function createRewriter(model: ChatModel): Rewriter {
  const known = new Map<string, string>();
  const asking = new Map<string, Promise<string>>();
  let opened: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  return {
    fingerprint: model.fingerprint,
    open: () => (opened ??= model.open?.() ?? Promise.resolve()),
    close: () => (closed ??= model.close?.() ?? Promise.resolve()),
    within: (context, onTaken) => {
      const write = async (key: string, question: Question) => {
        const reply = await ask(model, question, context);
        onTaken(takenBy(reply, model));
        const written = checkKept(question.text, reply.text?.trim() ?? '');
        known.set(key, written);
        return written;
      };
      return async (task, text) => {
        const key = `${task}\n${text}`;
        // What another call could not have, since it was stopped perhaps, is asked for anew.
        for (let others = asking.get(key); others !== undefined; others = asking.get(key)) {
          await letEnd(others, context);
        }
        context.signal.throwIfAborted();
        const found = known.get(key);
        if (found !== undefined) return found;
        const own = write(key, { task, text }).finally(() => asking.delete(key));
        asking.set(key, own);
        return await own;
      };
    },
  };
}

/** Waits for what another call is asking: that has a time limit of its own, and this one has asked nothing yet. */
async function letEnd(others: Promise<unknown>, { onWaiting }: TargetContext): Promise<void> {
  onWaiting?.(true, true);
  await Promise.allSettled([others]);
  onWaiting?.(false, true);
}

async function ask(
  model: ChatModel,
  { task, text }: Question,
  { signal, onWaiting }: TargetContext,
): Promise<ChatReply> {
  const messages = [
    { role: 'system' as const, content: `${instructions}\n\n${task}` },
    { role: 'user' as const, content: text },
  ];
  try {
    return await untilAborted(model.generate({ messages }, { signal, onWaiting }), signal);
  } catch (error) {
    const failure = signal.aborted ? abortedFailure(signal) : error;
    if (failure instanceof TargetFailure && failure.code === 'cancelled') throw failure;
    const message = `the question could not be rewritten: ${messageOf(failure)}`;
    throw new TargetFailure('perturbation-failed', message, { cause: error });
  }
}

/** Throws where a model of the user's own tells what could not be kept and added up. */
function takenBy({ usage, cost }: ChatReply, { name }: ChatModel): Rewriting {
  const { data, error } = rewritingSchema.safeParse({ model: name, usage, cost });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const what = `${issue?.path.join('.')}: ${issue?.message}`;
  throw new TargetFailure('perturbation-failed', `the model that rewrites questions tells no usable ${what}`);
}

/** Throws where something is missing that carries the meaning: it would be another question. */
function checkKept(text: string, written: string): string {
  const lost = toPieces(text).find(({ text: part, isKept }) => isKept && !written.includes(bare(part)));
  if (written !== '' && lost === undefined) return written;
  const what = lost === undefined ? 'wrote nothing' : `left out "${bare(lost.text)}"`;
  throw new TargetFailure('perturbation-failed', `the model that rewrites questions ${what}`);
}

/** Without the punctuation that a sentence ends in. */
function bare(part: string): string {
  return part.replace(/^[("'“„«]+|[)"'”“»?!.,;:]+$/gu, '');
}
