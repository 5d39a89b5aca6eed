import path from 'node:path';
import type { FieldOverrides } from '../../evaluate/datasets/field-mapping.ts';
import { openDataset, readHead } from '../../evaluate/datasets/open-dataset.ts';
import { isFields } from '../../evaluate/datasets/fields.ts';
import { loadCases } from '../../evaluate/run/prepare/load.ts';
import { readers } from '../../library/config/load-config.ts';
import { recognizeFile, recognizeRecorded } from '../../library/config/recognize-file.ts';
import { openForRun } from '../../evaluate/run/participants.ts';
import { loadScoring } from '../../library/api/runs/load-scoring.ts';
import { formatPlural } from '../../look/report/format.ts';

/** A file of questions, read as `touchstone run` reads it. */
export interface QuestionFile {
  readonly file: string;
  readonly rows: number;
  /** The number of questions that say what is expected. */
  readonly expecting: number;
  /** The columns that look like expectations and that nothing reads. */
  readonly unread: readonly string[];
  readonly fields: FieldOverrides;
}

/** Reads a file of questions as a run does, and counts what it expects. Throws `TouchstoneError` as a run would. */
export async function surveyQuestions(file: string, fields: FieldOverrides = {}): Promise<QuestionFile> {
  const dataset = await openDataset({
    paths: [path.resolve(file)],
    folder: process.cwd(),
    readers,
    recognize: recognizeFile,
    recognizeRecorded,
    fields,
  });
  const unread = new Set<string>();
  let rows = 0;
  let expecting = 0;
  for await (const { case: question, unreadColumns = [] } of loadCases(dataset, { onNotice: () => {} })) {
    rows += 1;
    if (Object.keys(question.expected).length > 0) expecting += 1;
    for (const name of unreadColumns) unread.add(name);
  }
  return { file, rows, expecting, unread: [...unread], fields };
}

/** Returns the files that recorded answers are scored with; undefined where they bring along their questions. */
export function datasetOf(questions: QuestionFile | undefined): string[] | undefined {
  return questions === undefined ? undefined : [questions.file];
}

/** Checks that recorded answers can be scored, before anything is written. Throws `TouchstoneError` as scoring would. */
export async function checkAnswers(file: string, questions: QuestionFile | undefined): Promise<void> {
  const { evaluation } = await loadScoring(file, { dataset: datasetOf(questions) });
  await using _opened = await openForRun(evaluation);
  for await (const _case of loadCases(evaluation.dataset, { onNotice: () => {} }));
}

/** Returns the names of the columns of a file, from its first rows. */
export async function columnsOf(file: string): Promise<string[]> {
  const { rows } = await readHead({ path: path.resolve(file), folder: process.cwd(), readers });
  return [...new Set(rows.filter(isFields).flatMap((row) => Object.keys(row)))];
}

/** Says how many questions a file has, and of how many it says what is expected. */
export function describeQuestions({ rows, expecting, unread }: QuestionFile): string {
  const open = rows - expecting;
  const counts = `${formatPlural(rows, 'question')}: ${expecting} say what is expected, ${open} ${open === 1 ? 'does' : 'do'} not`;
  return unread.length === 0 ? `${counts}.` : `${counts}. Nothing reads the columns ${unread.join(', ')}.`;
}
