import type { QuestionRow } from './question-row.ts';

/** Rows with one and the same error are told up to this many times. */
const mostAlike = 5;

/** Attempts at a question that came out the same in every respect become one row. Rows come in the order of the plan. */
export function mergeAttempts(rows: readonly QuestionRow[]): QuestionRow[] {
  const merged: QuestionRow[] = [];
  for (const row of rows) {
    const alike = merged.findLastIndex((other) => isSame(other, row));
    const other = merged[alike];
    if (other === undefined) merged.push(row);
    else merged[alike] = { ...other, attempts: [...other.attempts, ...row.attempts] };
  }
  return merged;
}

function isSame(one: QuestionRow, other: QuestionRow): boolean {
  if (one.id !== other.id) return false;
  return JSON.stringify({ ...one, attempts: [] }) === JSON.stringify({ ...other, attempts: [] });
}

/** Leaves out questions whose call failed with the very error that several before them failed with. */
export function withoutRepeats(rows: readonly QuestionRow[]): QuestionRow[] {
  const counts = new Map<string, number>();
  return rows.filter(({ mark, notes }) => {
    if (mark !== 'error') return true;
    const key = JSON.stringify(notes);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= mostAlike;
  });
}
