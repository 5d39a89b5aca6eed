import { messageOf } from '../../errors.ts';
import type { ChatModel, ChatReply } from '../../models/model.ts';
import type { Rewriting } from '../../schema/rewriting.ts';
import { type TargetContext, TargetFailure } from '../target.ts';
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

const instructions =
  'You rewrite questions that are put to a chatbot. You never answer them. Reply with the new question alone: no comment, no ' +
  'quotation marks around it.';

/** Makes a rewriter of a model. */
export function createRewriter(model: ChatModel): Rewriter {
  const written = new Map<string, Promise<string>>();
  let opened: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  return {
    fingerprint: model.fingerprint,
    open: () => (opened ??= model.open?.() ?? Promise.resolve()),
    close: () => (closed ??= model.close?.() ?? Promise.resolve()),
    within: (context, onTaken) => async (task, text) => {
      const key = `${task}\n${text}`;
      for (let others = written.get(key); others !== undefined; others = written.get(key)) {
        // What another call could not have, since it was stopped perhaps, is asked for anew.
        const known = await others.catch(() => undefined);
        if (known !== undefined) return known;
      }
      context.signal.throwIfAborted();
      const asking = ask(model, { task, text }, context).then((reply) => {
        onTaken({ model: model.name, ...takenBy(reply) });
        return checkKept(text, reply.text?.trim() ?? '');
      });
      written.set(key, asking);
      asking.catch(() => written.delete(key));
      return await asking;
    },
  };
}

async function ask(
  model: ChatModel,
  { task, text }: { readonly task: string; readonly text: string },
  { signal, onWaiting }: TargetContext,
): Promise<ChatReply> {
  const messages = [
    { role: 'system' as const, content: `${instructions}\n\n${task}` },
    { role: 'user' as const, content: text },
  ];
  try {
    return await model.generate({ messages }, { signal, onWaiting });
  } catch (error) {
    const message = `the question could not be rewritten: ${messageOf(error)}`;
    throw new TargetFailure('perturbation-failed', message, { cause: error });
  }
}

function takenBy({ usage, cost }: ChatReply): Omit<Rewriting, 'model'> {
  return { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost }) };
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
