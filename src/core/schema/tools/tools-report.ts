import type { StrayCall } from './run-tools.ts';

/** The report of what came to the tools of a run in one process, as JSON. */
export interface ToolsReport {
  /** Calls after the end of their attempts. */
  readonly late: readonly StrayCall[];
  /** Calls that belong to no attempt. */
  readonly unattributed: readonly StrayCall[];
  /** The places in `mocks` of those that answered no call. */
  readonly unusedMocks: readonly number[];
  /** The prepared results that answered no call in any attempt, for each question that brings some. */
  readonly unusedResults: Readonly<Record<string, readonly string[]>>;
  /** True when nothing ever came to an address. */
  readonly isUntouched: boolean;
  /** The processes of which nothing more is known, since they ended without their report; absent when there are none. */
  readonly unreported?: number;
}

/** Joins the reports of two processes that worked on one run. */
export function joinReports(one: ToolsReport, other: ToolsReport): ToolsReport {
  const unusedResults = { ...one.unusedResults };
  for (const [id, unused] of Object.entries(other.unusedResults))
    unusedResults[id] = unusedResults[id]?.filter((each) => unused.includes(each)) ?? unused;
  return {
    late: joinCalls(one.late, other.late),
    unattributed: joinCalls(one.unattributed, other.unattributed),
    unusedMocks: one.unusedMocks.filter((index) => other.unusedMocks.includes(index)),
    unusedResults,
    isUntouched: one.isUntouched && other.isUntouched,
    unreported: (one.unreported ?? 0) + (other.unreported ?? 0),
  };
}

/** Adds the calls of two lists by their names, the most frequent first. */
export function joinCalls(one: readonly StrayCall[] = [], other: readonly StrayCall[] = []): StrayCall[] {
  const sums = new Map<string, number>();
  for (const { name, calls } of [...one, ...other]) sums.set(name, (sums.get(name) ?? 0) + calls);
  return Array.from(sums, ([name, calls]) => ({ name, calls })).toSorted((a, b) => b.calls - a.calls);
}
