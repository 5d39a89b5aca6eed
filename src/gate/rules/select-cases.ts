import type { CaseNumber, CaseNumbers } from './case-numbers.ts';
import type { GateCase } from './gate-rule.ts';

/** The cases that a rule applies to, with their numbers. */
export interface SelectedCases {
  readonly cases: readonly GateCase[];
  /** The numbers at the same positions. */
  readonly numbers: readonly CaseNumber[];
  /** Trials that should have a number. */
  readonly planned: number;
  readonly missing: number;
}

/** Selects the cases to which a subject applies. */
export function selectCases(cases: readonly GateCase[], numbers: CaseNumbers): SelectedCases {
  const found = cases.flatMap((each) => {
    const number = numbers.at(each.position);
    return number === undefined ? [] : [{ each, number }];
  });
  const selected = found.map(({ number }) => number);
  const missing = selected.reduce((sum, number) => sum + number.missing, 0);
  return {
    cases: found.map(({ each }) => each),
    numbers: selected,
    planned: selected.reduce((sum, { measured }) => sum + measured, missing),
    missing,
  };
}

/** Returns the clusters of cases, where a case without one is its own; undefined when no two cases share one. */
export function clustersOf(cases: readonly GateCase[]): string[] | undefined {
  // The prefix keeps the name of a cluster and the number of a case apart.
  const clusters = cases.map(({ cluster, position }) =>
    cluster === undefined ? `#${position}` : `=${cluster}`,
  );
  return new Set(clusters).size === clusters.length ? undefined : clusters;
}
