import type { Case } from '../../core/schema/case.ts';
import type { Run } from '../../core/schema/run.ts';
import { createCompensatedSum } from '../../core/stats/compensated-sum.ts';
import type { Store } from '../../stores/store.ts';

/** A counter of the weights of cases. */
export interface WeightCounter {
  add(testCase: Pick<Case, 'id' | 'weight'>): void;
  /** Returns the weights; nothing when all cases weigh the same. */
  finish(): Pick<Run['dataset'], 'caseWeights'>;
}

/** Creates a counter of weights; a case without one has the weight 1. */
export function createWeightCounter(): WeightCounter {
  const [total, squares] = [createCompensatedSum(), createCompensatedSum()];
  let heaviest: { readonly id: string; readonly weight: number } | undefined;
  let first: number | undefined;
  let isUneven = false;
  return {
    add: ({ id, weight = 1 }) => {
      first ??= weight;
      isUneven ||= weight !== first;
      total.add(weight);
      squares.add(weight ** 2);
      if (heaviest === undefined || weight > heaviest.weight) heaviest = { id, weight };
    },
    finish: () => {
      if (!isUneven || heaviest === undefined) return {};
      const sum = total.total();
      return { caseWeights: { total: sum, effectiveCases: sum ** 2 / squares.total(), heaviest } };
    },
  };
}

/**
 * Reads the weights of a run's cases by their position in the plan; undefined when all weigh the same, in which case nothing
 * is read.
 */
export async function readCaseWeights(
  { id, dataset: { caseWeights, cases } }: Pick<Run, 'id' | 'dataset'>,
  store: Pick<Store, 'readCases'>,
): Promise<Float64Array | undefined> {
  if (caseWeights === undefined) return undefined;
  const weights = new Float64Array(cases).fill(1);
  for await (const { position, case: testCase } of store.readCases(id))
    weights[position] = testCase.weight ?? 1;
  return weights;
}
