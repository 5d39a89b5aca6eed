import { readDataFile } from '../config/load-config.ts';
import { fromArgilla, toArgilla } from '../../people/reviews/files/argilla.ts';
import { fromLabelStudio, toLabelStudio } from '../../people/reviews/files/label-studio.ts';
import {
  exportLabels as exportLines,
  importLabels as importLines,
} from '../../people/reviews/files/labels-file.ts';
import { importForeign, readLabelledTask } from '../../people/reviews/files/other-tools.ts';
import { findTask } from '../../people/reviews/read-view.ts';
import {
  readVersions,
  type RubricVersion,
  type SameMeaning,
  stateSameMeaning as storeSameMeaning,
} from '../../decide/certificates/rubric.ts';
import { readFromStore, type StoreChoice, withStore, withWritableStore } from './open-store.ts';
import { labelKind } from '../../stores/kinds/label.ts';

/** The forms of files of labels. */
export type LabelsFormat = 'jsonl' | 'label-studio' | 'argilla';

/** Options of an export of labels. */
export interface ExportLabelsOptions extends StoreChoice {
  /** `jsonl` by default: everything, without loss. The others write the items of one task. */
  readonly format?: LabelsFormat;
  /** The id of a review task, the beginning or end of it, or `latest`; all tasks by default, or the latest for other tools. */
  readonly task?: string;
  /** Called with a description of each damaged label, which is skipped; without it, a damaged label ends the export. */
  readonly onLost?: (what: string) => void;
}

/**
 * Writes rubrics, review tasks and labels as text, as `touchstone labels export` does. Each line ends with a line break.
 * @throws TouchstoneError for an unknown task, and for damaged records.
 */
export function exportLabels(options: ExportLabelsOptions = {}): AsyncGenerator<string> {
  const { format = 'jsonl', task, onLost, ...choice } = options;
  return readFromStore(choice, async function* lines(store) {
    if (format === 'jsonl') {
      const found = task === undefined ? undefined : (await findTask(store.documents, task)).id;
      yield* exportLines(store.documents, { task: found, onLost });
      return;
    }
    const labelled = await readLabelledTask(store, task ?? 'latest');
    const records = format === 'argilla' ? toArgilla(labelled) : toLabelStudio(labelled);
    yield `${JSON.stringify(records, null, 2)}\n`;
  });
}

/** Options of an import of labels. */
export interface ImportLabelsOptions extends StoreChoice {
  /** `jsonl` by default: a file of `exportLabels`. */
  readonly format?: LabelsFormat;
  /** For other tools: the review task whose items were labelled; `latest` by default. */
  readonly task?: string;
  /**
   * For other tools: the person who states that people saw neither verdicts of a judge nor labels of others there. Without such a
   * statement these labels never count for a certificate.
   */
  readonly blindSaidBy?: string;
}

/** The numbers of labels that were added, and of those that were in the store already. */
export interface ImportLabelsReport {
  readonly added: number;
  readonly known: number;
}

/**
 * Adds the labels of a file to a store, as `touchstone labels import` does: all of them, or none.
 * @param file - Relative to the folder; `-` is standard input.
 * @throws TouchstoneError for a file that cannot be used, and for labels that contradict labels in the store.
 */
export async function importLabels(
  file: string,
  { format = 'jsonl', task: taskId = 'latest', blindSaidBy, ...choice }: ImportLabelsOptions = {},
): Promise<ImportLabelsReport> {
  const folder = choice.folder ?? process.cwd();
  return await withWritableStore(choice, async (store) => {
    if (format === 'jsonl') {
      const before = await store.documents.count(labelKind);
      let read = 0;
      const rows = readDataFile(file, folder, 'jsonl');
      const counted = async function* () {
        for await (const row of rows) {
          read += Number((row.value as { readonly type?: unknown } | null)?.type === 'label');
          yield row;
        }
      };
      await importLines(counted(), store.documents);
      const added = (await store.documents.count(labelKind)) - before;
      return { added, known: read - added };
    }
    const task = await findTask(store.documents, taskId);
    const rubrics = task.rubrics.map(({ id }) => id);
    const rows = readDataFile(file, folder);
    const read = format === 'argilla' ? fromArgilla(rows, rubrics) : fromLabelStudio(rows, rubrics);
    return await importForeign(store, task.id, await read, { blindSaidBy });
  });
}

/**
 * Reads the versions of a rubric with their labels, as `touchstone labels same-meaning RUBRIC` does.
 * @throws TouchstoneError for a rubric that no review task of the store asks.
 */
export async function readRubricVersions(rubric: string, choice: StoreChoice = {}): Promise<RubricVersion[]> {
  return await withStore(choice, async ({ documents }) => await readVersions(documents, rubric));
}

/**
 * Stores a person's statement that two versions of a rubric mean the same, so that labels of one count for the other, as
 * `touchstone labels same-meaning` does. Returns false when that was stated before.
 * @throws TouchstoneError for unknown versions, and for versions with other scales.
 */
export async function stateSameMeaning(statement: SameMeaning, choice: StoreChoice = {}): Promise<boolean> {
  return await withStore(choice, async ({ documents }) => await storeSameMeaning(documents, statement));
}
