import { withoutConditions } from '../../schema/condition.ts';
import type { Run } from '../../schema/run.ts';
import type { ReportInput } from '../report-input.ts';

/** The names of the targets of a run that are not put under a condition. */
export function plainTargets({ targets }: Pick<Run, 'targets'>): string[] {
  return withoutConditions(targets).map(({ name }) => name);
}

/** What a report tells in full: the targets as they are. What conditions make of them has a section of its own. */
export function ofPlainTargets(input: ReportInput): ReportInput {
  const { run, summary } = input;
  const names = new Set(plainTargets(run));
  const targets = summary.targets.filter(({ target }) => names.has(target));
  return { ...input, summary: { ...summary, targets } };
}
