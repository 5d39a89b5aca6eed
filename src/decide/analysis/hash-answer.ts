import { hashContent } from '../../core/lib/content-hash.ts';
import type { Message } from '../../core/schema/message.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Trial } from '../../core/schema/trial.ts';
import type { Store } from '../../stores/store.ts';

/**
 * Returns the hash of what a person reads of an answer: its conversation, with tool calls and their results but without
 * their ids, which differ from call to call.
 */
export function hashAnswer({ answer, transcript }: Pick<Trial, 'answer' | 'transcript'>): string {
  return hashContent({ answer, transcript: transcript.map(withoutIds) });
}

function withoutIds({ role, content, toolCalls }: Message): object {
  const calls = toolCalls?.map(({ name, arguments: args, result, error }) => ({
    name,
    args,
    result,
    error,
  }));
  return { role, content, calls };
}

/** The hashes of answers by the position of their question in the plan; a question without an answer has none. */
export type AnswerHashes = ReadonlyMap<number, string>;

/** Reads the hashes of all answers of a run of one attempt, by the names of its targets. */
export async function readAnswerHashes(run: Run, store: Store): Promise<ReadonlyMap<string, AnswerHashes>> {
  const hashes = new Map(run.targets.map(({ name }) => [name, new Map<number, string>()]));
  for await (const trials of store.readTrials(run.id)) {
    for (const { trial } of trials) {
      if (trial.status !== 'completed') continue;
      const position = Math.floor(trial.ordinal / (run.targets.length * run.attempts));
      hashes.get(trial.target)?.set(position, hashAnswer(trial));
    }
  }
  return hashes;
}
