import type { Filter, Sort } from '../../../../src/core/lib/filter/filter.ts';
import { vocabularyOf } from '../../../../src/core/lib/filter/fields.ts';
import { parseFilter } from '../../../../src/core/lib/filter/parse-filter.ts';
import { parseSort } from '../../../../src/core/lib/filter/parse-sort.ts';
import { matrixPath } from '../../../../src/core/schema/api/comparison/matrix.ts';
import {
  blobPath,
  reportedTrialSchema,
  reportFilePath,
  reportFileSchema,
  runPath,
} from '../../../../src/core/schema/api/report-file.ts';
import { runViewSchema } from '../../../../src/core/schema/api/run-view.ts';
import type { TrialPlace } from '../../../../src/core/schema/api/trial-facets.ts';
import type { TrialList } from '../../../../src/core/schema/api/trial-row.ts';
import type { TrialView } from '../../../../src/core/schema/api/trial-view.ts';
import type { Result } from '../../../../src/core/schema/result.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { selectInMemory } from '../../../../src/core/trials/select-in-memory.ts';
import { type DataSource, FailedRequest } from '../data-source.ts';
import { type EmbeddedAnswers, missingAnswer } from './answers.ts';
import { readMatrix } from './matrix.ts';

/**
 * Creates the source of a report in one file: the answers of the server that are inside the document. Only lists of
 * trials are made here, of the trials in the document, with the code of the store in memory.
 */
export function createEmbeddedSource(answers: EmbeddedAnswers): DataSource & { readonly run: string } {
  const { read } = answers;
  const { run: id } = reportFileSchema.parse(read(reportFilePath));
  const trials = `${runPath(id)}/trials`;
  let kept: EmbeddedTrials | undefined;
  const readTrials = (): EmbeddedTrials => {
    const { run } = runViewSchema.parse(read(runPath(id)));
    const paths = answers.paths.filter((path) => /^\d+$/.test(path.slice(trials.length + 1)));
    return { run, results: paths.map((path) => reportedTrialSchema.parse(read(path)).result) };
  };
  return {
    run: id,
    isFile: true,
    picture: (hash) => (answers.has(blobPath(hash)) ? String(read(blobPath(hash))) : undefined),
    get: async (path) => {
      const { pathname, searchParams } = new URL(path, 'http://report');
      if (pathname.startsWith(matrixPath)) return readMatrix(answers, path);
      if (!pathname.startsWith(trials)) return read(path);
      kept ??= readTrials();
      if (pathname === trials) return listTrials(kept, searchParams);
      const [, ordinal, part] = pathname.slice(trials.length).split('/');
      switch (part) {
        case undefined:
          return viewTrial(kept, Number(ordinal)) ?? read(pathname);
        case 'place':
          return findPlace(kept, Number(ordinal), searchParams);
        case 'judgements':
          return answers.has(pathname) ? read(pathname) : { judgements: [], cuts: [] };
        case 'history':
          return { runs: [] };
        default:
          throw missingAnswer(path);
      }
    },
  };
}

/** The trials in a file. */
interface EmbeddedTrials {
  readonly run: Omit<Run, 'summary'>;
  readonly results: readonly Result[];
}

/** Lists trials as `GET /api/runs/:run/trials` does, one row for each case and target. The list has no further parts. */
function listTrials({ run, results }: EmbeddedTrials, parameters: URLSearchParams): TrialList {
  const metrics = run.metrics.map(({ name }) => name);
  const vocabulary = vocabularyOf('trial', metrics);
  const where = parseWhere(parameters.get('where') ?? '', vocabulary);
  const sort = parseOrder(parameters.get('sort') ?? '', vocabulary);
  const limit = Number(parameters.get('limit') ?? 100);
  const { rows } = selectInMemory(run, results, { where, sort, limit, fold: true });
  return { rows: [...rows], next: null };
}

/** Returns everything that is known about a trial; undefined for one that is not in the file. */
function viewTrial({ run, results }: EmbeddedTrials, ordinal: number): TrialView | undefined {
  const result = results.find(({ trial }) => trial.ordinal === ordinal);
  if (result === undefined) return undefined;
  const ofCase = run.targets.length * run.attempts;
  const position = Math.floor(ordinal / ofCase);
  const siblings = results.filter(({ trial }) => Math.floor(trial.ordinal / ofCase) === position);
  const { rows } = selectInMemory(run, siblings, { limit: ofCase });
  const messages = result.trial.transcript.length;
  return { run, result, messages, place: '', trials: [...rows], cuts: [] };
}

/** Finds the place of a trial, or of another attempt at the same case by the same target, in a list. */
function findPlace(trials: EmbeddedTrials, ordinal: number, parameters: URLSearchParams): TrialPlace {
  const all = new URLSearchParams(parameters);
  all.set('limit', String(trials.results.length));
  const { rows } = listTrials(trials, all);
  const rowOf = (each: number) => Math.floor(each / trials.run.attempts);
  const index = rows.findIndex((row) => rowOf(row.ordinal) === rowOf(ordinal));
  const among = parameters.get('among');
  if (among !== null) all.set('where', `${all.get('where') ?? ''} ${among}`);
  const matches = new Map(listTrials(trials, all).rows.map((row) => [rowOf(row.ordinal), row.ordinal]));
  const isMatch = (row: { readonly ordinal: number }): boolean => matches.has(rowOf(row.ordinal));
  const nearest = (row: { readonly ordinal: number } | undefined): number | null =>
    row === undefined ? null : (matches.get(rowOf(row.ordinal)) ?? null);
  return {
    index: index < 0 ? null : index,
    rows: rows.length,
    previous: nearest(rows.slice(0, Math.max(0, index)).findLast(isMatch)),
    next: nearest(rows.slice(index + 1).find(isMatch)),
  };
}

type Vocabulary = ReturnType<typeof vocabularyOf>;

function parseWhere(text: string, vocabulary: Vocabulary): Filter {
  if (text.trim() === '') return [];
  const { filter, problem } = parseFilter(text, vocabulary);
  return filter ?? refuse(problem.message);
}

function parseOrder(text: string, vocabulary: Vocabulary): Sort | undefined {
  if (text.trim() === '') return undefined;
  const { sort, problem } = parseSort(text, vocabulary);
  return sort ?? refuse(problem);
}

function refuse(message: string): never {
  throw new FailedRequest({ code: 'usage-invalid', message, remedy: 'Correct the filter.' });
}
