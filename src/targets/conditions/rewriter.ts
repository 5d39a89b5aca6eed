import { messageOf } from '../../errors.ts';
import type { ChatModel } from '../../models/model.ts';
import { type TargetContext, TargetFailure } from '../target.ts';
import type { Rewrite } from './perturbations/perturbation.ts';
import { toPieces } from './perturbations/pieces.ts';

/** A model that rewrites questions. The same question is rewritten once, however many trials ask it. */
export interface Rewriter {
  /** Changes with whatever can change what it writes. */
  readonly fingerprint: string;
  open(): Promise<void>;
  close(): Promise<void>;
  /** The rewriting for one call of a target: it ends when the call is told to. */
  within(context: TargetContext): Rewrite;
}

const instructions =
  'You rewrite questions that are put to a chatbot. You never answer them. Reply with the new question alone: no comment, no ' +
  'quotation marks around it.';

/** Makes a rewriter of a model. */
export function createRewriter(model: ChatModel): Rewriter {
  const known = new Map<string, string>();
  let opened: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  return {
    fingerprint: model.fingerprint,
    open: () => (opened ??= model.open?.() ?? Promise.resolve()),
    close: () => (closed ??= model.close?.() ?? Promise.resolve()),
    within: (context) => async (task, text) => {
      const key = `${task}\n${text}`;
      const written = known.get(key) ?? checkKept(text, await ask(model, { task, text }, context));
      known.set(key, written);
      return written;
    },
  };
}

async function ask(
  model: ChatModel,
  { task, text }: { readonly task: string; readonly text: string },
  { signal, onWaiting }: TargetContext,
): Promise<string> {
  const messages = [
    { role: 'system' as const, content: `${instructions}\n\n${task}` },
    { role: 'user' as const, content: text },
  ];
  try {
    const reply = await model.generate({ messages }, { signal, onWaiting });
    return reply.text?.trim() ?? '';
  } catch (error) {
    const message = `the question could not be rewritten: ${messageOf(error)}`;
    throw new TargetFailure('perturbation-failed', message, { cause: error });
  }
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
