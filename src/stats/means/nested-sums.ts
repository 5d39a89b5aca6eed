import type { Moments } from '../moments.ts';

/** Numbers of values, squares of these numbers, and sums of squared distances at each level. */
export function newSums() {
  return {
    questions: 0,
    attempts: 0,
    samples: 0,
    /** Σ n_i², over questions. */
    ofQuestions: 0,
    /** Σ n_ij², over attempts. */
    ofAttempts: 0,
    /** Σ_i Σ_j n_ij² / n_i. */
    ofAttemptsInQuestions: 0,
    withinAttempts: 0,
    withinQuestions: 0,
    between: 0,
    mean: 0,
  };
}

/** The sums over the questions that were added. */
export type NestedSums = ReturnType<typeof newSums>;

/** Adds a question by the moments of its attempts, at least one. */
export function addQuestion(sums: NestedSums, cells: readonly Moments[]): void {
  const n = cells.reduce((sum, cell) => sum + cell.n, 0);
  const origin = (cells[0] as Moments).mean;
  const mean = origin + cells.reduce((sum, cell) => sum + cell.n * (cell.mean - origin), 0) / n;
  const squares = cells.reduce((sum, cell) => sum + cell.n ** 2, 0);
  const before = sums.samples;
  const distance = mean - sums.mean;
  sums.questions += 1;
  sums.attempts += cells.length;
  sums.samples += n;
  sums.ofQuestions += n ** 2;
  sums.ofAttempts += squares;
  sums.ofAttemptsInQuestions += squares / n;
  sums.withinAttempts += cells.reduce((sum, cell) => sum + cell.squares, 0);
  sums.withinQuestions += cells.reduce((sum, cell) => sum + cell.n * (cell.mean - mean) ** 2, 0);
  sums.between += (distance ** 2 * before * n) / sums.samples;
  sums.mean += (distance * n) / sums.samples;
}
