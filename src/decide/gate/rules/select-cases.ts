import type { CaseNumber, CaseNumbers } from '../case-numbers.ts';
import type { GateCase } from '../gate-rule.ts';

/** The cases that a rule applies to, with their numbers. */
export interface SelectedCases {
  readonly cases: readonly GateCase[];
  /** The numbers at the same positions. */
  readonly numbers: readonly CaseNumber[];
  /** Trials that should have a number. */
  readonly planned: number;
  readonly missing: number;
  /** The share of the weight of these trials that is missing; undefined when all cases weigh the same. */
  readonly missingWeight?: number;
}

/** Selects the cases to which a subject applies. */
export function selectCases(cases: readonly GateCase[], numbers: CaseNumbers): SelectedCases {
  const found = cases.flatMap((each) => {
    const number = numbers.at(each.position);
    return number === undefined ? [] : [{ each, number }];
  });
  const selected = found.map(({ number }) => number);
  const missing = selected.reduce((sum, number) => sum + number.missing, 0);
  const chosen = found.map(({ each }) => each);
  return {
    cases: chosen,
    numbers: selected,
    planned: selected.reduce((sum, { measured }) => sum + measured, missing),
    missing,
    missingWeight: missingWeightOf(chosen, selected),
  };
}

/** Returns the share of the weight of trials that were not measured; undefined when all cases weigh the same. */
export function missingWeightOf(
  cases: readonly GateCase[],
  trials: readonly Pick<CaseNumber, 'measured' | 'missing'>[],
): number | undefined {
  const weights = weightsOf(cases);
  if (weights === undefined) return undefined;
  let [planned, lost] = [0, 0];
  for (const [place, { measured, missing }] of trials.entries()) {
    planned += (weights[place] as number) * (measured + missing);
    lost += (weights[place] as number) * missing;
  }
  return planned === 0 ? 0 : lost / planned;
}

/** Returns the weights of cases; undefined when all weigh the same. */
export function weightsOf(cases: readonly GateCase[]): number[] | undefined {
  const weights = cases.map(({ weight = 1 }) => weight);
  return weights.every((weight) => weight === weights[0]) ? undefined : weights;
}

/** Returns the clusters of cases, where a case without one is its own; undefined when no two cases share one. */
export function clustersOf(cases: readonly GateCase[]): string[] | undefined {
  // The prefix keeps the name of a cluster and the number of a case apart.
  const clusters = cases.map(({ cluster, position }) =>
    cluster === undefined ? `#${position}` : `=${cluster}`,
  );
  return new Set(clusters).size === clusters.length ? undefined : clusters;
}
