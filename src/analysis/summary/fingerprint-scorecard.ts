import { hashContent } from '../../lib/content-hash.ts';
import type { RunScorecard } from '../../schema/run.ts';

/** The hash of all in a scorecard that a total, a grade or a pass follows from; its name is no part of it. */
export function fingerprintScorecard({ name: _name, use: _use, ...rule }: RunScorecard): string {
  // What to do about a grade is words for readers, and older scorecards have none.
  const grades = rule.grades.map(({ action: _action, ...grade }) => grade);
  return hashContent({ ...rule, grades });
}
