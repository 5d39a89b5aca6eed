import { createKnownSecrets } from '../config/known-secrets.ts';
import { readDataFile } from '../config/load-config.ts';
import { type PeriodLength, readUserRecord } from '../../people/feedback/rated-answers.ts';
import { predict as predictOpinions, type Prediction } from '../../people/feedback/predict.ts';
import { type FeedbackSummary, summarizeFeedback as summarize } from '../../people/feedback/summarize.ts';
import { type FeedbackColumns, readTable } from '../../people/feedback/read-table.ts';
import { type FeedbackReceipt, receiveFeedback, receiveRows } from '../../people/feedback/receive.ts';
import { feedbackSchema, type GivenFeedback } from '../../core/schema/feedback/feedback.ts';
import { readFromStore, type StoreChoice, withStore, withWritableStore } from './open-store.ts';
import { eraseUserKey, type KeptFeedback } from '../../stores/kinds/feedback.ts';
import { countFeedback, matchFeedback, readAllFeedback } from '../../stores/feedback/feedback-records.ts';

const newReception = () => ({
  secrets: createKnownSecrets(undefined, process.env),
  now: new Date().toISOString(),
});

/**
 * Adds feedback of users to a store, as `POST /api/feedback` does. The id decides: a record that is stored already is skipped,
 * and one whose id is stored with another content is refused. Users are stored as keyed hashes, texts are redacted.
 */
export async function addFeedback(
  records: readonly GivenFeedback[],
  choice: StoreChoice = {},
): Promise<FeedbackReceipt> {
  return await withWritableStore(choice, async (store) => {
    await matchFeedback(store, new Date().toISOString());
    return await receiveFeedback(
      records.map((value) => ({ value })),
      { store, ...newReception() },
    );
  });
}

/** Options of an import of feedback: the columns of a table of another program. */
export interface ImportFeedbackOptions extends StoreChoice, FeedbackColumns {}

/**
 * Adds the feedback of a JSONL file to a store, or of a table of another program, as `touchstone feedback import` does. A file is
 * a table if it is CSV, Excel or Parquet, or if columns are named.
 * @param file - Relative to the folder; `-` is standard input.
 * @throws TouchstoneError for a file that cannot be read, and for columns that do not exist or are missing.
 */
export async function importFeedback(
  file: string,
  { map, set, ...choice }: ImportFeedbackOptions = {},
): Promise<FeedbackReceipt> {
  const folder = choice.folder ?? process.cwd();
  const isTable = map !== undefined || set !== undefined || /\.(csv|tsv|xlsx|parquet)$/i.test(file);
  return await withWritableStore(choice, async (store) => {
    await matchFeedback(store, new Date().toISOString());
    const reception = { store, ...newReception(), takesExported: !isTable };
    const rows = isTable
      ? readTable(readDataFile(file, folder), { map, set })
      : readDataFile(file, folder, 'jsonl');
    return await receiveRows(rows, reception);
  });
}

/** Options of an export of feedback. */
export interface ExportFeedbackOptions extends StoreChoice {
  /** Called with a description of each damaged record, which is skipped; without it, a damaged record ends the export. */
  readonly onLost?: (what: string) => void;
}

/**
 * Writes the feedback of a store as JSONL, by the time of the reaction, as `touchstone feedback export` does. An import into this
 * store changes nothing; into another one it adds the same records. Users stay hashes, and the key is not written.
 * @throws TouchstoneError for damaged records.
 */
export function exportFeedback({ onLost, ...choice }: ExportFeedbackOptions = {}): AsyncGenerator<string> {
  return readFromStore(choice, async function* lines({ documents }) {
    // Parsed for one order of the fields, so that the same records are the same text.
    for await (const { feedback: record } of readAllFeedback(documents, onLost))
      yield `${JSON.stringify(feedbackSchema.parse(record))}\n`;
  });
}

/** Yields the feedback of a store with the answers that it belongs to, by the time of the reaction. */
export function readFeedback(choice: StoreChoice = {}): AsyncGenerator<KeptFeedback> {
  return readFromStore(choice, ({ documents }) => readAllFeedback(documents));
}

/**
 * Removes the key with which users are hashed, as `touchstone feedback forget-users` does: stored hashes can no longer be traced
 * to a person, and the hashes of later feedback differ.
 */
export async function forgetFeedbackUsers(choice: StoreChoice = {}): Promise<void> {
  await withWritableStore(choice, async ({ documents }) => await eraseUserKey(documents));
}

/** Options of the summary of feedback. */
export interface SummarizeFeedbackOptions extends StoreChoice {
  /** The length of the periods; a week by default. */
  readonly by?: PeriodLength;
}

/** Summarizes the feedback of a store by period and category, as `touchstone feedback show` does. */
export async function summarizeFeedback({
  by,
  ...choice
}: SummarizeFeedbackOptions = {}): Promise<FeedbackSummary> {
  return await withStore(choice, async (store) => {
    const record = await readUserRecord(store, new Date().toISOString());
    const counts = await countFeedback(store.documents);
    return summarize(record, { counts, length: by });
  });
}

/**
 * Measures whether the scores of evaluations predict what users think of answers, as `touchstone predict` does.
 * It is evidence about a scorecard, and nothing to optimize one for.
 */
export async function predict(choice: StoreChoice = {}): Promise<Prediction> {
  return await withStore(choice, async (store) => {
    const { answers } = await readUserRecord(store, new Date().toISOString());
    return predictOpinions(answers);
  });
}
