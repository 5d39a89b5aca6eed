import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { collectTrials, type FoundTrial } from '../collect-trials.ts';
import type { CellTable, ImportContent, RowTable } from '../content/content.ts';
import type { Importer, JsonObject, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { translateAnswer, translateCase } from '../records/translate-records.ts';
import { type Fields, jsonObject } from '../values.ts';
import { type Judgment, readTrecFile, type Retrieved, type TrecFile } from './read-trec-file.ts';

/**
 * Judgments and runs of TREC: `qrels`, runs with a document on each line, and the texts of queries. A folder with several of
 * them is joined by the ids of the queries.
 * @see https://github.com/usnistgov/trec_eval
 */
export const trec: Importer = {
  name: 'trec',
  title: 'TREC',
  reads: ['*'],
  detect(content) {
    const found = find(content);
    return found === undefined ? undefined : describe(found);
  },
  async read(content, ledger) {
    const found = find(content);
    if (found === undefined) {
      throw new TouchstoneError(
        'import-invalid',
        `${content.name}: there are neither judgments nor a run of TREC in it.`,
        {
          remedy:
            'A line of judgments is `QUERY 0 DOCUMENT RELEVANCE`, one of a run `QUERY Q0 DOCUMENT RANK SCORE NAME`.',
        },
      );
    }
    return translate(found, ledger);
  },
};

interface TrecData {
  /** The judgments of each query, by its id. */
  readonly judgments: ReadonlyMap<string, readonly Judgment[]>;
  /** The documents of each query, by the name of the run. */
  readonly runs: ReadonlyMap<string, ReadonlyMap<string, readonly Retrieved[]>>;
  readonly queries: ReadonlyMap<string, string>;
  /** Lines that cannot be read, with their places. */
  readonly faults: readonly string[];
  readonly comments: readonly string[];
  /** Files of the folder that are named like files of TREC, but are none. */
  readonly others: readonly string[];
}

/** Names of files of a folder that may be of TREC. */
const names = /(?:qrels?|topics|queries|\.(?:qrels?|run|trec|res|txt|tsv|jsonl)(?:\.gz)?$)/i;

function find(content: ImportContent): TrecData | undefined {
  const read = filesOf(content);
  const files = read.flatMap(({ file }) => (file === undefined ? [] : [file]));
  if (files.length === 0) return undefined;
  const judgments = files.flatMap((file) => (file.kind === 'judgments' ? file.rows : []));
  const retrieved = files.flatMap((file) => (file.kind === 'run' ? file.rows : []));
  const runs = [...Map.groupBy(retrieved, ({ run }) => run)].map(
    ([name, rows]) => [name, Map.groupBy(rows, ({ query }) => query)] as const,
  );
  return {
    judgments: Map.groupBy(judgments, ({ query }) => query),
    runs: new Map(runs),
    queries: new Map(files.flatMap((file) => (file.kind === 'queries' ? file.rows : []))),
    faults: files.flatMap(({ faults }) => faults),
    comments: files.flatMap(({ comments }) => comments),
    others: read.flatMap(({ name, file }) => (file === undefined && ofTrec.test(name) ? [name] : [])),
  };
}

/** Endings that only files of TREC have. */
const ofTrec = /\.(?:qrels?|run|trec)(?:\.gz)?$/i;

interface ReadFile {
  readonly name: string;
  readonly file: TrecFile | undefined;
}

function filesOf(content: ImportContent): ReadFile[] {
  const read = (name: string, text: string) => ({ name, file: readTrecFile(text, name) });
  if (content.form === 'text') return [read(content.name, content.text)];
  if (content.form === 'csv' || content.form === 'jsonl') return [read(content.name, linesOf(content))];
  if (content.form !== 'folder') return [];
  const candidates = content.names.filter((name) => names.test(name));
  return candidates.map((name) => read(name, content.files.read(name)));
}

/** Returns the lines of a table again. */
function linesOf(table: CellTable | RowTable): string {
  const lines =
    table.form === 'csv'
      ? [table.header, ...table.rows].map((cells) => cells.join('\t'))
      : table.rows.map((row) => JSON.stringify(row));
  return lines.join('\n');
}

function describe({ judgments, runs, queries }: TrecData): string {
  if (judgments.size + runs.size === 0) return formatPlural(queries.size, 'query', 'queries');
  const judged = [...judgments.values()].reduce((sum, each) => sum + each.length, 0);
  return [
    ...(judged > 0
      ? [`${formatPlural(judged, 'judgment')} of ${formatPlural(judgments.size, 'query', 'queries')}`]
      : []),
    ...(runs.size > 0
      ? [`${formatPlural(runs.size, 'run')} (${[...runs.keys()].slice(0, 3).join(', ')})`]
      : []),
  ].join(', ');
}

/** The order of documents in files of runs: the order of trec_eval, whose numbers the project then gives. */
const order = 'trec';

function translate(found: TrecData, ledger: Ledger): Translation {
  const { judgments, runs } = found;
  const used = new Set([...judgments.keys(), ...[...runs.values()].flatMap((run) => [...run.keys()])]);
  const queries = used.size === 0 ? [...found.queries.keys()] : [...used];
  noteRest(found, new Set(queries), ledger);
  const cases = new Map(queries.map((query) => [query, caseOf(query, found, ledger)]));
  const answered = [...runs].flatMap(([target, byQuery]) =>
    [...byQuery].map(([query, documents]): FoundTrial => {
      const testCase = cases.get(query) ?? {};
      return {
        caseKey: query,
        name: query,
        testCase,
        target,
        row: rowOf(query, { documents, testCase, ledger }),
      };
    }),
  );
  const asked = new Set(answered.map(({ caseKey }) => caseKey));
  const unasked = [...cases]
    .filter(([query]) => !asked.has(query))
    .map(([query, testCase]) => ({ caseKey: query, name: query, testCase }));
  const { cases: lines, answers } = collectTrials([...answered, ...unasked], { title: trec.title, ledger });
  return {
    found: describe(found),
    description: `TREC: ${describe(found)}`,
    cases: lines,
    answers,
    config: jsonObject({
      metrics: [
        { use: 'ndcg', name: 'ndcg@10', k: 10, order },
        { use: 'average-precision', order },
        { use: 'reciprocal-rank', order },
        { use: 'retrieval-recall', name: 'recall@100', k: 100, order },
      ],
      scorecard: null,
    }),
  };
}

/** Names the lines, the files and the queries that become nothing. */
function noteRest(
  { faults, comments, others, queries }: TrecData,
  used: ReadonlySet<string>,
  ledger: Ledger,
): void {
  for (const place of faults)
    ledger.leaveOut('line that cannot be read', { note: 'It has another number of fields.', place });
  for (const place of comments) ledger.leaveOut('comment', { note: 'A line that begins with `#`.', place });
  for (const place of others)
    ledger.leaveOut('file of the folder', { note: 'Its lines are neither judgments nor a run.', place });
  for (const [place] of queries) {
    const note = 'It is neither judged nor in a run.';
    if (!used.has(place)) ledger.leaveOut('text of a query', { note, place });
  }
}

function caseOf(query: string, { judgments, queries }: TrecData, ledger: Ledger): JsonObject {
  const judged = judgments.get(query) ?? [];
  const text = queries.get(query);
  if (text === undefined) {
    ledger.approximate('query without its text', {
      became: 'question',
      note: 'Its id is the question. Put the file with the texts of the queries into the folder.',
    });
  }
  for (const _ of judged) ledger.take('judgment', 'expected.documents');
  const testCase = translateCase({ input: text ?? `query ${query}`, origin: { query } }, ledger);
  const documents = judged.map(({ document, relevance }) => ({ id: document, relevance }));
  return jsonObject({ ...testCase, ...(documents.length > 0 && { expected: { documents } }) });
}

function rowOf(
  query: string,
  {
    documents,
    testCase,
    ledger,
  }: { readonly documents: readonly Retrieved[]; readonly testCase: JsonObject; readonly ledger: Ledger },
): Fields {
  return translateAnswer(
    {
      output: undefined,
      isUnseen: true,
      documents: documents.map(({ document, score }) => ({ id: document, score })),
      source: { query },
    },
    testCase,
    ledger,
  );
}
