import { messageOf } from '../../core/errors.ts';
import { raceWithAbort } from '../../core/lib/waiting.ts';
import type { ChatModel, ChatReply } from '../models/model.ts';
import { type Rewriting, rewritingSchema } from '../../core/schema/trial.ts';
import { abortedFailure, type TargetContext, TargetFailure } from '../targets/target.ts';
import type { Rewrite } from './perturbations/perturbation.ts';
import { toPieces } from './perturbations/pieces.ts';

/** A model that rewrites questions. The same question is rewritten once, however many trials ask it. */
export interface Rewriter {
  /** A hash of everything that can change what the rewriter writes. */
  readonly fingerprint: string;
  open(): Promise<void>;
  close(): Promise<void>;
  /**
   * Returns the rewriting function for one call of a target; it ends when the call is aborted. `onRewriting` receives the
   * usage and cost of a rewriting made for this call.
   */
  within(context: TargetContext, onRewriting: (rewriting: Rewriting) => void): Rewrite;
}

/** A question to rewrite, with the task for the model. */
interface Question {
  readonly task: string;
  readonly text: string;
}

const instructions =
  'You rewrite questions that are put to a chatbot. You never answer them. Reply with the new question alone: no comment, no ' +
  'quotation marks around it.';

/** Creates a rewriter from a model. */
export function createRewriter(model: ChatModel): Rewriter {
  const known = new Map<string, string>();
  const asking = new Map<string, Promise<string>>();
  let opened: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  return {
    fingerprint: model.fingerprint,
    open: () => {
      closed = undefined;
      return (opened ??= model.open?.() ?? Promise.resolve());
    },
    close: () => {
      opened = undefined;
      return (closed ??= model.close?.() ?? Promise.resolve());
    },
    within: (context, onRewriting) => {
      const write = async (key: string, question: Question) => {
        const reply = await ask(model, question, context);
        onRewriting(toRewriting(reply, model));
        const written = checkKept(question.text, reply.text?.trim() ?? '');
        known.set(key, written);
        return written;
      };
      return async (task, text) => {
        const key = `${task}\n${text}`;
        // If another call fails to get the rewriting, for example because it was stopped, this one asks itself.
        for (let others = asking.get(key); others !== undefined; others = asking.get(key)) {
          await waitForOther(others, context);
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

/** Waits for the same question in another call, which has a time limit of its own; this call has asked nothing yet. */
async function waitForOther(others: Promise<unknown>, { onWaiting }: TargetContext): Promise<void> {
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
    return await raceWithAbort(model.generate({ messages }, { signal, onWaiting }), signal);
  } catch (error) {
    const failure = signal.aborted ? abortedFailure(signal) : error;
    if (failure instanceof TargetFailure && failure.code === 'cancelled') throw failure;
    const message = `the question could not be rewritten: ${messageOf(failure)}`;
    throw new TargetFailure('perturbation-failed', message, { cause: error });
  }
}

/** Returns what a rewriting took. Throws when a user's own model reports values that cannot be stored and added up. */
function toRewriting({ usage, cost }: ChatReply, { name }: ChatModel): Rewriting {
  const { data, error } = rewritingSchema.safeParse({ model: name, usage, cost });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const what = `${issue?.path.join('.')}: ${issue?.message}`;
  throw new TargetFailure(
    'perturbation-failed',
    `the model that rewrites questions reported no usable ${what}`,
  );
}

/** Returns the rewritten text. Throws when a part that carries the meaning is missing: it would be another question. */
function checkKept(text: string, written: string): string {
  const lost = toPieces(text).find(({ text: part, isKept }) => isKept && !written.includes(bare(part)));
  if (written !== '' && lost === undefined) return written;
  const what = lost === undefined ? 'wrote nothing' : `left out "${bare(lost.text)}"`;
  throw new TargetFailure('perturbation-failed', `the model that rewrites questions ${what}`);
}

/** Returns a part without the punctuation around it. */
function bare(part: string): string {
  return part.replace(/^[("'“„«]+|[)"'”“»?!.,;:]+$/gu, '');
}
