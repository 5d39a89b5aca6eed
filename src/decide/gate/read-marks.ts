import { readGateMark, statusOn, uncategorized } from '../../core/schema/case.ts';
import type { ExemptCases } from '../../core/schema/decision.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import type { GateCase } from './gate-rule.ts';

const mostIds = 20;
const statuses = ['watch', 'quarantine', 'expired'] as const;

/** The cases of a run, grouped by their gate marks. */
export interface MarkedCases {
  readonly counted: readonly GateCase[];
  /** Every case of the plan by the hash of its content. */
  readonly planned: ReadonlyMap<string, GateCase>;
  readonly exempt: readonly ExemptCases[];
}

/**
 * Reads the gate marks of a run's cases. A quarantine that ended before the day of the run (UTC) no longer applies.
 */
export async function readMarks(run: Run, store: Store): Promise<MarkedCases> {
  const day = run.createdAt.slice(0, 10);
  const counted: GateCase[] = [];
  const planned = new Map<string, GateCase>();
  const exempt: Record<ExemptCases['status'], string[]> = { watch: [], quarantine: [], expired: [] };
  for await (const { position, hash, case: testCase } of store.readCases(run.id)) {
    const { id, category = uncategorized, cluster, gate, weight } = testCase;
    const each = { position, id, hash, category, cluster, weight };
    planned.set(hash, each);
    const status = statusOn(day, gate === undefined ? undefined : readGateMark(gate));
    if (status !== undefined) exempt[status].push(id);
    if (status === undefined || status === 'expired') counted.push(each);
  }
  return { counted, planned, exempt: statuses.flatMap((status) => listExempt(status, exempt[status])) };
}

function listExempt(status: ExemptCases['status'], ids: readonly string[]): ExemptCases[] {
  return ids.length === 0 ? [] : [{ status, cases: ids.length, ids: ids.slice(0, mostIds) }];
}
