/** The answers whose verdicts this server has sent to a page since it started. */
export interface ShownAnswers {
  add(run: string, ordinal: number): void;
  has(run: string, ordinal: number): boolean;
}

/**
 * Creates the memory of what was shown. A person who has seen the verdict on an answer is not
 * blind to it: labels that are given afterwards record that.
 */
export function createShownAnswers(): ShownAnswers {
  const shown = new Map<string, Set<number>>();
  return {
    add: (run, ordinal) => {
      const ordinals = shown.get(run) ?? new Set();
      shown.set(run, ordinals.add(ordinal));
    },
    has: (run, ordinal) => shown.get(run)?.has(ordinal) === true,
  };
}
