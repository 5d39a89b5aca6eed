import type { Filter, FilterTerm, Sort } from '../../../../src/core/lib/filter/filter.ts';
import { vocabularyOf } from '../../../../src/core/lib/filter/fields.ts';
import { compileTerm } from '../../../../src/core/lib/filter/match-filter.ts';
import { parseFilter } from '../../../../src/core/lib/filter/parse-filter.ts';
import { parseSort } from '../../../../src/core/lib/filter/parse-sort.ts';
import {
  comparisonFilePath,
  comparisonPath,
  differencesPath,
  pairedCasePath,
  pairsPath,
} from '../../../../src/core/schema/api/comparison/comparison-file.ts';
import {
  comparisonViewSchema,
  pairListSchema,
} from '../../../../src/core/schema/api/comparison/comparison-view.ts';
import type { PairRow } from '../../../../src/core/schema/api/comparison/pair-row.ts';
import { measureKey } from '../../../../src/core/schema/run-comparison.ts';
import { comparePlaces } from '../../../../src/core/trials/trial-values.ts';
import { type DataSource, FailedRequest } from '../data-source.ts';
import { type EmbeddedAnswers, missingAnswer } from './answers.ts';

/**
 * Creates the source of a comparison in one file: the answers of the server that are inside of it. Only the list of cases is
 * filtered and sorted here.
 */
export function createEmbeddedComparison(answers: EmbeddedAnswers): DataSource & {
  readonly a: string;
  readonly b: string;
} {
  const view = comparisonViewSchema.parse(answers.read(comparisonPath));
  const { comparisons } = view.comparison;
  const pairOf = (parameters: URLSearchParams): number => {
    const [a, b] = [parameters.get('targetA'), parameters.get('targetB')];
    return Math.max(
      0,
      comparisons.findIndex((pair) => pair.a.target === a && pair.b.target === b),
    );
  };
  const readPairs = (pair: number) => pairListSchema.parse(answers.read(pairsPath(pair)));
  return {
    a: view.a.id,
    b: view.b.id,
    isFile: true,
    get: async (path) => {
      const { pathname, searchParams: parameters } = new URL(path, 'http://report');
      const pair = pairOf(parameters);
      switch (pathname) {
        case comparisonPath:
          return view;
        case comparisonFilePath:
          return answers.read(comparisonFilePath);
        case '/runs':
          return { runs: [view.a, view.b], next: null };
        case '/compare/cases': {
          const list = readPairs(pair);
          const rows = choosePairs(list.rows, parameters.get('where') ?? '', parameters.get('sort') ?? '');
          const limit = Number(parameters.get('limit') ?? 50);
          const from = Number(parameters.get('after') ?? 0);
          const next = from + limit < rows.length ? String(from + limit) : null;
          return { ...list, rows: rows.slice(from, from + limit), count: rows.length, next };
        }
        case '/compare/case': {
          const row = readPairs(pair).rows.find(({ caseId }) => caseId === parameters.get('case'));
          if (row === undefined) throw missingAnswer('the question');
          return answers.read(pairedCasePath(pair, row.position));
        }
        case '/compare/differences': {
          const measures = comparisons[pair]?.differences ?? [];
          const place = measures.findIndex((row) => measureKey(row) === parameters.get('measure'));
          return answers.read(differencesPath(pair, place));
        }
        default:
          throw missingAnswer(path);
      }
    },
  };
}

/** The numbers of a side that a row of the list has. */
const sideFields: readonly string[] = ['total', 'passed'];
const pairFields: readonly string[] = ['ordinal', 'change', 'flip', 'id', 'category'];

/**
 * Filters and sorts pairs as the server does, by what the rows contain. Throws a {@link FailedRequest} for other fields and
 * for an invalid filter or order.
 */
export function choosePairs(rows: readonly PairRow[], where: string, sort: string): PairRow[] {
  const filter = readFilter(where);
  const order = readSort(sort);
  const tests = filter.map((term) => ({ term, matches: compileTerm(term) }));
  const matching = rows.filter((row) =>
    tests.every(({ term, matches }) => {
      const value = valueOf(row, term);
      return matches(value === null ? [] : [value]);
    }),
  );
  return matching
    .map((row) => ({ row, ordinal: row.position, value: valueOf(row, order) }))
    .sort(comparePlaces(order))
    .map(({ row }) => row);
}

const vocabulary = () => vocabularyOf('pair');

function readFilter(where: string): Filter {
  if (where.trim() === '') return [];
  const { filter, problem } = parseFilter(where, vocabulary());
  return filter?.map(requireKnown) ?? refuse(problem?.message ?? '');
}

function readSort(sort: string): Sort {
  const { sort: order, problem } = parseSort(sort.trim() === '' ? 'ordinal' : sort, vocabulary());
  return order === undefined ? refuse(problem ?? '') : requireKnown(order);
}

function requireKnown<Part extends Sort | FilterTerm>(part: Part): Part {
  const known = part.side === undefined ? pairFields : sideFields;
  if (known.includes(part.field)) return part;
  return refuse(`The report cannot filter or sort by "${part.field}".`);
}

function valueOf(row: PairRow, { side, field }: Pick<Sort, 'side' | 'field'>): string | number | null {
  if (side !== undefined) {
    const { total, passed } = side === 'a' ? row.a : row.b;
    return field === 'total' ? total : passed === null ? null : String(passed);
  }
  const values = {
    ordinal: row.position,
    change: row.change,
    flip: row.flip,
    id: row.caseId,
    category: row.category,
  };
  return values[field as keyof typeof values];
}

function refuse(message: string): never {
  throw new FailedRequest({
    code: 'usage-invalid',
    message,
    remedy: 'Open the comparison with `touchstone view` for every field.',
  });
}
