import { hashContent } from '../../core/lib/content-hash.ts';
import type { Repeats } from '../../core/schema/decision.ts';
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

/** The answers of a target in a run of one attempt. */
export interface SingleAnswers {
  /** The hashes of answers by the position of their question in the plan; a question without an answer has none. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly repeats: Repeats;
}

/** The number of questions that a target which is said to be deterministic is asked twice, with equal answers, before that is believed. */
export const questionsAskedTwice = 5;

/** Returns whether the config says that a target which is asked is deterministic. */
export function isSaidDeterministic({ isDeterministic, isRecorded }: Run['targets'][number]): boolean {
  return isDeterministic === true && isRecorded !== true;
}

/** Returns whether a target is known to be deterministic. */
export function isShownDeterministic(repeats: Repeats | undefined): boolean {
  return repeats !== undefined && repeats.asked >= questionsAskedTwice && repeats.equal === repeats.asked;
}

/** Explains why a target that is said to be deterministic is not known to be. */
export function describeRepeats(target: string, { asked, equal }: Repeats): string {
  if (equal < asked)
    return `${target} is said to be deterministic, and answered ${asked - equal} of ${asked} questions differently when asked again: remove \`deterministic\`, and use \`--attempts 3\``;
  return `${target} is said to be deterministic, which takes the same answers to ${questionsAskedTwice} questions asked twice, and ${asked} were: use \`--attempts 3\``;
}

/** Reads the answers of all targets of a run of one attempt, by the names of the targets. */
export async function readSingleAnswers(run: Run, store: Store): Promise<ReadonlyMap<string, SingleAnswers>> {
  const found = new Map(
    run.targets.map(({ name }) => [
      name,
      { hashes: new Map<number, string>(), repeats: { asked: 0, equal: 0 } },
    ]),
  );
  for await (const trials of store.readTrials(run.id)) {
    for (const { trial } of trials) {
      const answers = found.get(trial.target);
      if (trial.status !== 'completed' || answers === undefined) continue;
      const position = Math.floor(trial.ordinal / (run.targets.length * run.attempts));
      answers.hashes.set(position, hashAnswer(trial));
      if (trial.repeat === undefined || trial.repeat === 'failed') continue;
      answers.repeats.asked += 1;
      if (trial.repeat === 'equal') answers.repeats.equal += 1;
    }
  }
  return found;
}
