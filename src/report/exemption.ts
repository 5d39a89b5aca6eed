import type { Case } from '../schema/case.ts';
import { readGateMark, statusOn } from '../schema/gate-mark.ts';
import type { Run } from '../schema/run.ts';

/**
 * Why a case is not held against a target, by its mark and the day on which the run was made (UTC), as the gate has it:
 * `only watched` or `in quarantine until 2026-12-31`. Undefined for a case that counts.
 */
export function exemptionOf(run: Pick<Run, 'createdAt'>, { gate }: Pick<Case, 'gate'>): string | undefined {
  const mark = gate === undefined ? undefined : readGateMark(gate);
  const status = statusOn(run.createdAt.slice(0, 10), mark);
  if (status === 'watch') return 'only watched';
  return status === 'quarantine' && mark?.status === 'quarantine'
    ? `in quarantine until ${mark.until}`
    : undefined;
}
