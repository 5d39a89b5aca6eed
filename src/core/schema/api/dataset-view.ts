import { z } from 'zod';
import { caseSchema } from '../case.ts';
import { lintReportSchema } from './lint-finding.ts';
import { trialOutcomeSchema } from './trial-row.ts';
import { positiveInt, wholeNumber } from '../json.ts';

const count = wholeNumber();

/** A dataset that runs of the store name: the files that they read together. */
export const datasetRowSchema = z.object({
  /** The names of its files, with commas between them. */
  name: z.string(),
  /** The number of cases in the newest run. */
  cases: count,
  /** The number of different contents. */
  versions: count,
  runs: count,
  /** The newest run. */
  latest: z.object({ id: z.string(), createdAt: z.string() }),
});
export type DatasetRow = z.infer<typeof datasetRowSchema>;

/** The datasets of a store, the one of the newest run first. */
export const datasetListSchema = z.lazy(() => z.object({ datasets: z.array(datasetRowSchema) }));
export type DatasetList = z.infer<typeof datasetListSchema>;

/** One content of a dataset, as runs asked it. */
const datasetVersionSchema = z.lazy(() =>
  z.object({
    hash: z.string(),
    cases: count,
    /** The time of the first run over it. */
    firstSeen: z.string(),
    runs: count,
    /** The newest run over it. */
    latestRun: z.string(),
    /**
     * The cases that differ from the version before, by their ids: new ones, ones that are gone, and ones with another
     * content. Null for the first version, and for versions that are too old to be compared.
     */
    changes: z.object({ added: count, removed: count, changed: count }).nullable(),
  }),
);
export type DatasetVersion = z.infer<typeof datasetVersionSchema>;

/** The kinds of cases by their results in several runs. */
export const stabilityKinds = ['always-failed', 'flaky', 'differs', 'always-passed', 'unknown'] as const;
export type StabilityKind = (typeof stabilityKinds)[number];

/** The results of one case in several runs. */
export const caseStabilitySchema = z.lazy(() =>
  z.object({
    id: z.string(),
    category: z.string(),
    /** `flaky` when one target passed and failed it; `differs` when targets differ and none is flaky. */
    kind: z.enum(stabilityKinds),
    /** The number of trials that passed, and of those that failed; errors are neither. */
    passed: count,
    failed: count,
  }),
);
export type CaseStability = z.infer<typeof caseStabilitySchema>;

/** A dataset: its versions, its categories, and the results of its cases in the last runs. */
export const datasetViewSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    versions: z.array(datasetVersionSchema),
    /** The categories in the newest completed run. */
    categories: z.array(
      z.object({
        category: z.string(),
        cases: count,
        /** Half the width of the widest interval of its score, among the targets; null when there is none. */
        halfWidth: z.number().nullable(),
      }),
    ),
    stability: z.object({
      /** The runs that were counted: the last ones that are completed. */
      runs: count,
      counts: z.record(z.enum(stabilityKinds), count),
      /** The cases that are flaky or failed always, and those on which targets differ; the most frequent failures first. */
      cases: z.array(caseStabilitySchema),
    }),
  }),
);
export type DatasetView = z.infer<typeof datasetViewSchema>;

/** The findings about the files of a dataset; `missing` says why there are none. */
export const datasetLintSchema = z.lazy(() =>
  z.union([z.object({ report: lintReportSchema }), z.object({ missing: z.string() })]),
);
export type DatasetLint = z.infer<typeof datasetLintSchema>;

/** One case of a dataset: its contents, and its results in all runs. */
export const caseHistorySchema = z.lazy(() =>
  z.object({
    name: z.string(),
    id: z.string(),
    /** The different contents, the newest first. */
    contents: z.array(
      z.object({
        hash: z.string(),
        /** The place of the row in its file, `file:line`, in the newest run. */
        place: z.string(),
        /** The times of the first and the last run with this content. */
        firstSeen: z.string(),
        lastSeen: z.string(),
        case: caseSchema,
      }),
    ),
    /** The runs that asked it, the newest first. */
    runs: z.array(
      z.object({
        run: z.string(),
        createdAt: z.string(),
        description: z.string().optional(),
        /** The content that was asked. */
        hash: z.string(),
        trials: z.array(
          z.object({
            ordinal: count,
            target: z.string(),
            attempt: positiveInt(),
            result: trialOutcomeSchema,
            total: z.number().nullable(),
          }),
        ),
      }),
    ),
  }),
);
export type CaseHistory = z.infer<typeof caseHistorySchema>;
