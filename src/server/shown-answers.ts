import type { Subject } from '../schema/review/label.ts';

/** The answers whose verdicts this server has sent to a page since it started. */
export interface ShownAnswers {
  add(run: string, ordinal: number): void;
  /** Adds all answers to a case in a run, for a page that shows how the case turned out. */
  addCase(run: string, caseId: string): void;
  /** Adds every answer that JSON names: an object with an `ordinal`, in one with a `run` or being one. */
  addAll(json: unknown): void;
  has(answer: Partial<Pick<Subject, 'run' | 'ordinal' | 'caseId'>>): boolean;
}

/**
 * Creates the memory of what was shown. A person who has seen the verdict on an answer is not
 * blind to it: labels that are given afterwards record that.
 */
export function createShownAnswers(): ShownAnswers {
  const shown = new Map<string, Set<number | string>>();
  // Ordinals are numbers and ids of cases texts, so that one set holds both.
  const add = (run: string, answer: number | string) => {
    const answers = shown.get(run) ?? new Set();
    shown.set(run, answers.add(answer));
  };
  return {
    add,
    addCase: add,
    addAll: (json) => {
      for (const { run, ordinal } of answersIn(json, undefined)) add(run, ordinal);
    },
    has: ({ run, ordinal, caseId }) => {
      const answers = run === undefined ? undefined : shown.get(run);
      return [ordinal, caseId].some((name) => name !== undefined && answers?.has(name) === true);
    },
  };
}

function* answersIn(json: unknown, around: string | undefined): Generator<{ run: string; ordinal: number }> {
  if (typeof json !== 'object' || json === null) return;
  const { run: named, ordinal } = json as { readonly run?: unknown; readonly ordinal?: unknown };
  const run = typeof named === 'string' ? named : around;
  if (run !== undefined && typeof ordinal === 'number') yield { run, ordinal };
  for (const part of Object.values(json)) yield* answersIn(part, run);
}
