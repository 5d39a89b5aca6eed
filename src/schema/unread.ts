import { nameExpectations, type UnreadExpectation } from './expectation.ts';
import type { Run } from './run.ts';

/** Returns the expectations of a run's cases that none of its metrics reads, from the record of the run alone. */
export function findUnread({
  dataset: { expectations: counted = [] },
  metrics,
  unread: accepted = [],
}: Pick<Run, 'dataset' | 'metrics' | 'unread'>): UnreadExpectation[] {
  const read = new Set(metrics.flatMap(({ reads = [] }) => reads));
  return counted
    .filter(({ expectation }) => !read.has(expectation))
    .map((each) => (accepted.includes(each.expectation) ? { ...each, isAccepted: true } : each));
}

/** Returns those of them that the configuration does not list: they keep a gate from deciding. */
export function findUnchecked(run: Pick<Run, 'dataset' | 'metrics' | 'unread'>): UnreadExpectation[] {
  return findUnread(run).filter(({ isAccepted }) => isAccepted !== true);
}

/** Returns a clause on an expectation that no metric reads. */
export function describeUnread({ expectation, cases }: UnreadExpectation): string {
  return `${cases} of ${cases} ${nameExpectations(expectation)} are read by no metric`;
}
