import {
  type Dataset,
  explainForeign,
  ForeignFileError,
  type SuspiciousColumn,
} from '../../datasets/dataset.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { renameRemedy } from '../../../core/lib/text/nearest-name.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { CaseCheckRules } from './case-check-rules.ts';
import { checkDraft, type LoadedCase, type Problem } from './check-draft.ts';

/** The number of rows from which compiling the schema of cases pays off. */
const mostUncompiled = 1000;

export type { LoadedCase };

/** Options of loading cases. */
interface LoadChoices {
  readonly onNotice: (notice: LoadNotice) => void;
  /** The rules for the checks that cases bring along; without them, these are not checked. */
  readonly caseChecks?: CaseCheckRules;
}

/**
 * Reads and checks all cases of a dataset, one at a time. Throws one `dataset-invalid` that names the first ten
 * problems and counts the others, once everything has been read, and `dataset-empty` when there is no case.
 */
export async function* loadCases(dataset: Dataset, choices: LoadChoices): AsyncGenerator<LoadedCase> {
  // A file of which half the rows are cases is a dataset, even if another tool wrote it: what is wrong with the others is the answer.
  const seen = { rows: 0, cases: 0 };
  try {
    yield* loadOwnCases(dataset, { ...choices, seen });
  } catch (error) {
    const isDataset = seen.cases > 0 && seen.cases >= seen.rows / 2;
    throw isDataset ? error : await explainForeign(error, dataset.recognize);
  }
}

async function* loadOwnCases(
  dataset: Dataset,
  { onNotice, caseChecks, seen }: LoadChoices & { readonly seen: { rows: number; cases: number } },
): AsyncGenerator<LoadedCase> {
  const problems = new ProblemList();
  const keptFields = new KeptFields();
  const nearMisses = new NearMisses(dataset.sources);
  let rows = 0;
  try {
    for await (const draft of dataset.drafts()) {
      rows += 1;
      seen.rows = rows;
      keptFields.add(draft.unknownFields);
      const { suspicious: columns = [] } = draft;
      nearMisses.add(columns.filter(({ isNearMiss }) => isNearMiss));
      const checked = checkDraft(draft, { isOneOfMany: rows > mostUncompiled, caseChecks });
      if (!('problems' in checked)) seen.cases += 1;
      if ('problems' in checked) problems.add(...checked.problems);
      else if (problems.isEmpty && nearMisses.isEmpty) {
        yield columns.length === 0 ? checked : { ...checked, unreadColumns: columns.map(({ name }) => name) };
      }
    }
  } catch (error) {
    // Problems found before an unreadable part of a file are reported with it.
    if (!(error instanceof TouchstoneError) || error.code !== 'dataset-invalid') throw error;
    problems.add({ message: error.message, remedy: error.remedy });
  }
  problems.add(...nearMisses.problems());
  problems.add(...(dataset.findUnused?.() ?? []));
  problems.throwIfAny();
  if (rows === 0) {
    throw new TouchstoneError('dataset-empty', `There are no questions in ${dataset.sources.join(', ')}.`);
  }
  keptFields.report(onNotice);
}

const mostShown = 10;
const mostRemedies = 3;

/** The problems of a dataset: the first ones in full, the others counted. */
class ProblemList {
  readonly #messages: string[] = [];
  readonly #remedies = new Set<string>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Adds problems in the order in which they are to be reported. */
  add(...problems: readonly Problem[]): void {
    for (const { message, remedy } of problems) {
      this.#count += 1;
      if (this.#messages.length < mostShown) this.#messages.push(message);
      if (remedy !== undefined && this.#remedies.size < mostRemedies) this.#remedies.add(remedy);
    }
  }

  /** Throws `dataset-invalid` with a line for each problem, if there are any. */
  throwIfAny(): void {
    if (this.isEmpty) return;
    const remedy = this.#remedies.size === 0 ? {} : { remedy: [...this.#remedies].join(' ') };
    throw new TouchstoneError('dataset-invalid', this.#describe(), remedy);
  }

  #describe(): string {
    const [only] = this.#messages;
    if (this.#count === 1 && only !== undefined) return only;
    const more = this.#count - this.#messages.length;
    const lines = more === 0 ? this.#messages : [...this.#messages, `… and ${more} more`];
    return `The dataset has ${this.#count} problems:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  }
}

/** A message that the user should see and that stops nothing. */
export interface LoadNotice {
  readonly message: string;
}

const mostNames = 20;
const longestName = 60;

/** The fields that became metadata, and the number of rows that have them. */
class KeptFields {
  readonly #names = new Set<string>();
  #hasMore = false;
  #rows = 0;

  /** Counts a row, and collects the names of its fields that became metadata. */
  add(names: readonly string[]): void {
    if (names.length > 0) this.#rows += 1;
    for (const name of names) {
      if (this.#names.size < mostNames) this.#names.add(name);
      else if (!this.#names.has(name)) this.#hasMore = true;
    }
  }

  /** Reports all of them in one sentence; reports nothing when there are none. */
  report(onNotice: (notice: LoadNotice) => void): void {
    if (this.#rows === 0) return;
    const names = Array.from(this.#names, (name) => shorten(name, longestName)).join(', ');
    const rows = this.#rows === 1 ? '1 row' : `${this.#rows} rows`;
    onNotice({ message: `Kept as metadata: ${names}${this.#hasMore ? ' and others' : ''} (${rows})` });
  }
}

/**
 * Columns that are almost named as an expectation: a typing error would leave their cases unchecked. Each is named once,
 * whatever the number of rows.
 */
class NearMisses {
  readonly #sources: readonly string[];
  readonly #found = new Map<string, SuspiciousColumn>();

  constructor(sources: readonly string[]) {
    this.#sources = sources;
  }

  get isEmpty(): boolean {
    return this.#found.size === 0;
  }

  add(columns: readonly SuspiciousColumn[]): void {
    for (const column of columns) if (this.#found.size < mostNames) this.#found.set(column.name, column);
  }

  /** Returns one problem that names them all, with its remedy; none when there are no such columns. */
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
    const quoted = columns.map(({ name }) => `'${shorten(name, longestName)}'`);
    const fields = columns.map(({ nearest = '…' }, index) => `${quoted[index]}: ${nearest}`).join(', ');
    const renaming = columns.flatMap(({ name, nearest }) =>
      nearest === undefined ? [] : [renameRemedy(name, nearest)],
    );
    return [
      {
        message: `${this.#sources.join(', ')}: ${named.join(', ')} ${verb}`,
        remedy: [
          ...renaming,
          `${renaming.length === 0 ? 'Say' : 'Or say'} in the config as what it is read: \`dataset: { path: …, fields: { ${fields} } }\` (docs/datasets.md). To keep it as metadata on purpose: \`--metadata ${quoted.join(' ')}\`.`,
        ].join(' '),
      },
    ];
  }
}

/**
 * Adds the problems of a dataset to an unrelated error, such as a missing key, so that the user can fix both at once.
 * Returns the error itself when the dataset is fine or can be read only once.
 * @param dataset - The dataset, or the error that opening it threw.
 */
export async function withDatasetProblems(
  refusal: unknown,
  dataset: Dataset | TouchstoneError,
): Promise<unknown> {
  if (!(refusal instanceof TouchstoneError)) return refusal;
  const problem = dataset instanceof TouchstoneError ? dataset : await problemOf(dataset);
  if (problem === undefined) return refusal;
  if (problem.message === refusal.message) return problem;
  // A file of another tool has no answers of ours either, nor has an empty one: that is no second problem.
  const isCause = problem instanceof ForeignFileError || problem.code === 'dataset-empty';
  if (isCause && refusal.code === 'target-invalid') return problem;
  if (refusal.remedy !== '' && problem.remedy.startsWith(refusal.remedy)) return refusal;
  return new TouchstoneError(problem.code, `${problem.message}\nAnd another problem: ${refusal.message}`, {
    remedy: `${problem.remedy}\n  → ${refusal.remedy}`,
    cause: refusal,
  });
}

async function problemOf(dataset: Dataset): Promise<TouchstoneError | undefined> {
  if (dataset.isReadOnce === true) return undefined;
  try {
    for await (const _case of loadCases(dataset, { onNotice: () => {} }));
    return undefined;
  } catch (error) {
    return error instanceof TouchstoneError ? error : undefined;
  }
}
