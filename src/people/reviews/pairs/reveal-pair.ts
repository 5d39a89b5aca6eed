import { readStoredPreference } from '../../prefer/stored-preferences.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Subject } from '../../../core/schema/review/label.ts';
import type { ReviewTask } from '../../../core/schema/review/review-task.ts';
import { type ShownPairValue, pairValues } from '../../../core/schema/review/rubric.ts';
import type { Store } from '../../../stores/store.ts';
import { type Side, toShownValue } from './sides.ts';

/** The things about a pair that a reviewer may see after the label. */
export interface RevealedPair {
  /** The names of the targets whose answers stand first and second. */
  readonly first: string;
  readonly second: string;
  /** The preferences of judges that are stored, in the order in which the reviewer sees the answers. */
  readonly judges: readonly JudgeOfPair[];
}

/** The stored preference of a judge. */
export interface JudgeOfPair {
  readonly judge: string;
  readonly preference: ShownPairValue;
  /** False when the two orders had different results. */
  readonly isConsistent: boolean;
  readonly reasons: readonly string[];
}

/** A pair with its answers. */
interface PairOfResults {
  readonly subject: Subject;
  readonly result: Result;
  readonly against: Result;
  /** The answer that comes first for the reviewer. */
  readonly first: Side;
}

/** Reads the names of the targets of a pair, and what judges said of it. */
export async function revealPair(
  store: Store,
  task: ReviewTask,
  { subject, result, against, first }: PairOfResults,
): Promise<RevealedPair> {
  const names = { a: nameOf(task, subject), b: nameOf(task, subject.against ?? subject) };
  const judges: JudgeOfPair[] = [];
  const runs = new Set([subject.run, subject.against?.run]);
  for (const id of runs) {
    const run = id === undefined ? undefined : await store.readRun(id);
    for (const rule of run?.preferences ?? []) {
      const found = await readStoredPreference(rule, store, {
        a: { run: subject.run ?? '', result },
        b: { run: subject.against?.run ?? '', result: against },
      });
      if (found?.status !== 'decided') continue;
      const { winner, isConsistent, reasons } = found;
      const preference = toShownValue(pairValues.find((value) => value === winner) ?? 'tie', first);
      judges.push({ judge: rule.judge.name, preference, isConsistent, reasons });
    }
  }
  return { first: names[first], second: names[first === 'a' ? 'b' : 'a'], judges };
}

/** Returns the name of the target of an answer in the reports of a task. */
export function nameOf(
  { pairs }: Pick<ReviewTask, 'pairs'>,
  answer: { readonly run?: string; readonly target: string },
): string {
  const found = pairs?.targets.find(({ run, target }) => run === answer.run && target === answer.target);
  return found?.name ?? answer.target;
}
