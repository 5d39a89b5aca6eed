import { hashContent } from '../../../core/lib/content-hash.ts';
import type { RunScorecard } from '../../../core/schema/run.ts';

/** Returns the hash of everything in a scorecard that determines totals, grades and passes; its name is excluded. */
export function fingerprintScorecard({ name: _name, use: _use, ...rule }: RunScorecard): string {
  // The action for a grade is a text for readers, and older scorecards have none.
  const grades = rule.grades.map(({ action: _action, ...grade }) => grade);
  return hashContent({ ...rule, grades });
}
