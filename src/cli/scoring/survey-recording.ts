import type { DatasetRow } from '../../datasets/dataset.ts';
import type { FieldMapping } from '../../datasets/field-mapping.ts';
import { holdsReply } from '../../targets/replay/holds-reply.ts';
import { answerColumns, type RecordAliases, verdictColumns } from '../../targets/replay/record-aliases.ts';
import { readRecordings } from '../../targets/replay/read-recordings.ts';
import { type RecordedRow, readRecordedRow } from '../../targets/replay/recorded-row.ts';
import { RecordingIndex } from '../../targets/replay/recording-index.ts';
import { hashCell, knownColumns } from './known-columns.ts';

/** What is known of the columns before a file is looked at. */
export interface SurveyOptions {
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
  /** Columns that are kept beside the answers, whatever is in them. */
  readonly kept: readonly string[];
}

/** What a file of recorded answers turned out to hold. */
export interface Survey {
  /** The answers of each target; the one target without a name in files that know nothing of targets. */
  readonly indexes: ReadonlyMap<string, RecordingIndex>;
  /** Columns that belong to the answers: verdicts on them, and whatever differs between attempts at the same case. */
  readonly recorded: readonly string[];
  /** The column with a verdict on every answer that there is. */
  readonly verdict: string | undefined;
  /** Whether anything is expected of any of the answers. */
  readonly hasExpectations: boolean;
  /** What is worth saying before anything is scored. */
  readonly notices: readonly string[];
}

/** Reads a file of recorded answers once, for what is to be known of all of it. Throws `target-invalid`. */
export async function surveyRecording(
  rows: AsyncIterable<DatasetRow>,
  options: SurveyOptions,
): Promise<Survey> {
  const { aliases, kept } = options;
  const indexes = new Map<string, RecordingIndex>();
  const recorded = new Set(kept);
  const columns = new ColumnWatch(options, recorded);
  const notices: string[] = [];
  const onNotice = (text: string) => void notices.push(text);
  let hasExpectations = false;
  for await (const read of readRecordings(rows, { aliases, onNotice })) {
    if (read.problem !== undefined) continue;
    const row = readRecordedRow(read, aliases);
    for (const name of verdictColumns) if (name in row.value) recorded.add(name);
    columns.watch(row);
    hasExpectations ||= expectsSomething(row, options);
    if (!holdsReply(row.value, aliases)) continue;
    const target = row.target ?? '';
    const index = indexes.get(target) ?? new RecordingIndex();
    indexes.set(target, index);
    index.add(row, 0);
  }
  const verdict = recorded.has('reward') ? 'reward' : undefined;
  return { indexes, recorded: [...recorded], verdict, hasExpectations, notices };
}

function expectsSomething({ value }: RecordedRow, { aliases, mapping }: SurveyOptions): boolean {
  const answers = answerColumns(aliases);
  return Object.entries(value).some(([name, cell]) => {
    const target = mapping.targetOf(name);
    if (!target || !target.field.startsWith('expected') || answers.includes(name)) return false;
    return typeof cell === 'object' ? Object.keys(cell ?? {}).length > 0 : cell !== undefined && cell !== '';
  });
}

/** Finds the columns that do not say the same in all attempts at a case: they are about the answer, not about the case. */
class ColumnWatch {
  readonly #options: SurveyOptions;
  readonly #differing: Set<string>;
  readonly #first = new Map<string, Map<string, string>>();

  constructor(options: SurveyOptions, differing: Set<string>) {
    this.#options = options;
    this.#differing = differing;
  }

  watch({ ids, question = '', value }: RecordedRow): void {
    const known = knownColumns(this.#options);
    const hashes = new Map<string, string>();
    for (const [name, cell] of Object.entries(value)) {
      if (!known(name) && !this.#differing.has(name)) hashes.set(name, hashCell(cell));
    }
    const key = ids[0] ?? question;
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, hashes);
    else for (const name of new Set([...first.keys(), ...hashes.keys()])) this.#compare(name, first, hashes);
  }

  #compare(name: string, first: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): void {
    if (first.get(name) !== other.get(name)) this.#differing.add(name);
  }
}
