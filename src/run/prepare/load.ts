import type { Dataset, SuspiciousColumn } from '../../datasets/dataset.ts';
import { TouchstoneError } from '../../errors.ts';
import { shorten } from '../../lib/text/terminal-text.ts';
import { checkDraft, type LoadedCase, type Problem, ProblemList } from './check-draft.ts';

/** A longer dataset is worth compiling the schema of its cases. */
const mostUncompiled = 1000;

export type { LoadedCase, LoadNotice };

/**
 * Reads and checks all cases of a dataset, one at a time. Throws one `dataset-invalid` that names the first ten
 * problems and counts the others once everything has been read, and `dataset-empty` when there is nothing.
 */
export async function* loadCases(
  dataset: Dataset,
  { onNotice }: { readonly onNotice: (notice: LoadNotice) => void },
): AsyncGenerator<LoadedCase> {
  const problems = new ProblemList();
  const keptFields = new KeptFields();
  const suspicious = new SuspiciousFields(dataset.sources);
  let rows = 0;
  try {
    for await (const draft of dataset.drafts()) {
      rows += 1;
      keptFields.add(draft.unknownFields);
      suspicious.add(draft.suspicious);
      const checked = checkDraft(draft, rows > mostUncompiled);
      if ('problems' in checked) problems.add(...checked.problems);
      else if (problems.isEmpty && suspicious.isEmpty) yield checked;
    }
  } catch (error) {
    // Where the rest of a file cannot be read, what was wrong before it is told all the same.
    if (!(error instanceof TouchstoneError) || error.code !== 'dataset-invalid') throw error;
    problems.add({ message: error.message, remedy: error.remedy });
  }
  problems.add(...suspicious.problems());
  problems.add(...(dataset.findUnused?.() ?? []));
  problems.throwIfAny();
  if (rows === 0) {
    throw new TouchstoneError('dataset-empty', `There are no cases in ${dataset.sources.join(', ')}.`);
  }
  keptFields.report(onNotice);
}

/** Something that the user should know of and that stops nothing. */
interface LoadNotice {
  readonly message: string;
}

const mostNames = 20;
const longestName = 60;

/** Which fields went to metadata, and in how many rows. */
class KeptFields {
  readonly #names = new Set<string>();
  #hasMore = false;
  #rows = 0;

  /** Counts a row and remembers the names of its fields that went to metadata. */
  add(names: readonly string[]): void {
    if (names.length > 0) this.#rows += 1;
    for (const name of names) {
      if (this.#names.size < mostNames) this.#names.add(name);
      else if (!this.#names.has(name)) this.#hasMore = true;
    }
  }

  /** Tells of all of them in one sentence; says nothing when there are none. */
  report(onNotice: (notice: LoadNotice) => void): void {
    if (this.#rows === 0) return;
    const names = Array.from(this.#names, (name) => shorten(name, longestName)).join(', ');
    const rows = this.#rows === 1 ? '1 row' : `${this.#rows} rows`;
    onNotice({ message: `Kept as metadata: ${names}${this.#hasMore ? ' and others' : ''} (${rows})` });
  }
}

/** Columns that look like expectations and that nothing reads: named once each, whatever the number of rows. */
class SuspiciousFields {
  readonly #sources: readonly string[];
  readonly #found = new Map<string, SuspiciousColumn>();

  constructor(sources: readonly string[]) {
    this.#sources = sources;
  }

  get isEmpty(): boolean {
    return this.#found.size === 0;
  }

  add(columns: readonly SuspiciousColumn[] = []): void {
    for (const column of columns) if (this.#found.size < mostNames) this.#found.set(column.name, column);
  }

  /** Returns one problem that names them all, with what to do; none where there are none. */
  problems(): Problem[] {
    if (this.isEmpty) return [];
    const columns = [...this.#found.values()];
    const named = columns.map(({ name, nearest }) => {
      const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
      return `"${shorten(name, longestName)}"${hint}`;
    });
    const verb =
      columns.length === 1
        ? 'looks like an expectation, and nothing reads it'
        : 'look like expectations, and nothing reads them';
    const fields = columns.map(({ name }) => `'${shorten(name, longestName)}': null`).join(', ');
    const flags = columns.map(({ name }) => `'${shorten(name, longestName)}'`).join(' ');
    return [
      {
        message: `${this.#sources.join(', ')}: ${named.join(', ')} ${verb}`,
        remedy: `Rename what is to be checked (docs/datasets.md), or keep it as metadata on purpose: \`--metadata ${flags}\`, or in the config \`dataset: { path: …, fields: { ${fields} } }\`.`,
      },
    ];
  }
}

/**
 * Adds what is wrong with a dataset to a refusal that has nothing to do with it, such as a missing key: who mends the one
 * is not refused again for the other. Gives the refusal itself where the dataset is fine, or can be read only once.
 * @param dataset - It, or what was thrown when it was opened.
 */
export async function withDatasetProblems(
  refusal: unknown,
  dataset: Dataset | TouchstoneError,
): Promise<unknown> {
  if (!(refusal instanceof TouchstoneError)) return refusal;
  const problem = dataset instanceof TouchstoneError ? dataset : await problemOf(dataset);
  if (problem === undefined) return refusal;
  return new TouchstoneError(problem.code, `${problem.message}\nAnd another problem: ${refusal.message}`, {
    remedy: `${problem.remedy}\n  → ${refusal.remedy}`,
    cause: refusal,
  });
}

async function problemOf(dataset: Dataset): Promise<TouchstoneError | undefined> {
  if (dataset.sources.includes('<stdin>')) return undefined;
  try {
    for await (const _case of loadCases(dataset, { onNotice: () => {} }));
    return undefined;
  } catch (error) {
    return error instanceof TouchstoneError ? error : undefined;
  }
}
