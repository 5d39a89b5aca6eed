import { parseJson } from '../../../core/lib/json/parse-json.ts';
/** A document that was judged for a query. */
export interface Judgment {
  readonly query: string;
  readonly document: string;
  readonly relevance: number;
}

/** A document that a run found for a query. */
export interface Retrieved {
  readonly query: string;
  readonly document: string;
  readonly score: number;
  /** The name of the run. */
  readonly run: string;
}

/** A file with rows of one kind. Lines that are no such row are faults; those that begin with `#` are comments. */
export type TrecFile = { readonly faults: readonly string[]; readonly comments: readonly string[] } & (
  | { readonly kind: 'judgments'; readonly rows: readonly Judgment[] }
  | { readonly kind: 'run'; readonly rows: readonly Retrieved[] }
  | { readonly kind: 'queries'; readonly rows: readonly (readonly [string, string])[] }
);

type WithoutComments = TrecFile extends infer File
  ? File extends TrecFile
    ? Omit<File, 'comments'>
    : never
  : never;

/** The rows of a file by which its kind is known. */
const firstLines = 5;

const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Reads a file of judgments (`QUERY ITERATION DOCUMENT RELEVANCE`, or `query-id corpus-id score` as BEIR writes them), of a run
 * (`QUERY Q0 DOCUMENT RANK SCORE NAME`), or of queries (an id, a tab and a text; or JSON Lines of `_id` and `text`). The rank is
 * not used, as trec_eval does not use it. Undefined for a file of another kind.
 */
export function readTrecFile(text: string, name: string): TrecFile | undefined {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), place: `${name}:${index + 1}` }));
  const comments = lines.filter(({ line }) => line.startsWith('#')).map(({ place }) => place);
  const filled = lines.filter(({ line }) => line !== '' && !line.startsWith('#'));
  const file = readRows(filled, name);
  return file === undefined ? undefined : { ...file, comments };
}

type Lines = readonly { readonly line: string; readonly place: string }[];

/** Reads the lines of a file that has neither empty ones nor comments. */
function readRows(filled: Lines, name: string): WithoutComments | undefined {
  const head = filled.slice(0, firstLines).map(({ line }) => line);
  if (head.length === 0) return undefined;
  if (areRead(head, readRetrieved)) return collect('run', filled, readRetrieved);
  if (areRead(head, readJudgment)) return collect('judgments', filled, readJudgment);
  if (/^query-id\tcorpus-id\tscore$/i.test(head[0] ?? ''))
    return collect('judgments', filled.slice(1), readBeirJudgment);
  const isQueries = /topics|quer/i.test(name);
  if (isQueries && areRead(head, readQuery)) return collect('queries', filled, readQuery);
  return undefined;
}

/** Returns whether the first line is a row, and most of the lines after it. */
function areRead(lines: readonly string[], read: (line: string) => unknown): boolean {
  const readable = lines.filter((line) => read(line) !== undefined);
  return readable[0] === lines[0] && readable.length * 2 > lines.length;
}

function collect<Kind extends TrecFile['kind'], Row>(
  kind: Kind,
  lines: Lines,
  read: (line: string) => Row | undefined,
): { kind: Kind; rows: Row[]; faults: string[] } {
  const rows: Row[] = [];
  const faults: string[] = [];
  for (const { line, place } of lines) {
    const row = read(line);
    if (row === undefined) faults.push(place);
    else rows.push(row);
  }
  return { kind, rows, faults };
}

/** The most characters of a line of TREC. */
const longestLine = 10_000;

/** Returns the fields of a line; none of one that is too long to be a row. */
function fieldsOf(line: string): string[] {
  return line.length > longestLine ? [] : line.split(/\s+/);
}

function readRetrieved(line: string): Retrieved | undefined {
  const [query = '', , document = '', rank = '', score = '', run = '', ...more] = fieldsOf(line);
  if (more.length > 0 || run === '' || !number.test(rank) || !number.test(score)) return undefined;
  return { query, document, score: Number(score), run };
}

function readJudgment(line: string): Judgment | undefined {
  const [query = '', iteration = '', document = '', relevance = '', ...more] = fieldsOf(line);
  if (more.length > 0 || !/^(?:\d+|Q0)$/i.test(iteration) || !/^-?\d+$/.test(relevance)) return undefined;
  return { query, document, relevance: Number(relevance) };
}

function readBeirJudgment(line: string): Judgment | undefined {
  const [query = '', document = '', relevance = '', ...more] = line.split('\t');
  if (more.length > 0 || !number.test(relevance)) return undefined;
  return { query, document, relevance: Number(relevance) };
}

function readQuery(line: string): readonly [string, string] | undefined {
  if (!line.startsWith('{')) {
    const [id = '', text = ''] = line.split('\t');
    return id === '' || text.trim() === '' ? undefined : [id, text.trim()];
  }
  try {
    const { _id: id, text } = parseJson(line) as { _id?: unknown; text?: unknown };
    return typeof id === 'string' && typeof text === 'string' ? [id, text] : undefined;
  } catch {
    return undefined;
  }
}
