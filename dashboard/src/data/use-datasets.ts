import {
  caseHistorySchema,
  datasetLintSchema,
  datasetListSchema,
  datasetViewSchema,
} from '../../../src/core/schema/api/dataset-view.ts';
import { useAnswer } from './use-answer.ts';

/** Asks for the datasets that runs name. */
export function useDatasets() {
  return useAnswer('/datasets', datasetListSchema);
}

/** Asks for one dataset: its versions, categories, and the results of its cases. */
export function useDataset(name: string) {
  return useAnswer(pathOf(name), datasetViewSchema);
}

/** Asks for what is wrong with the files of a dataset. */
export function useDatasetLint(name: string) {
  return useAnswer(`${pathOf(name)}/lint`, datasetLintSchema);
}

/** Asks for the contents and the results of a case over all runs. */
export function useCaseHistory(name: string, id: string) {
  return useAnswer(`${pathOf(name)}/cases/${encodeURIComponent(id)}`, caseHistorySchema);
}

function pathOf(name: string): string {
  return `/datasets/${encodeURIComponent(name)}`;
}
