import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Run } from '../../../core/schema/run.ts';
import { readCassette } from '../../../evaluate/tools/cassette.ts';
import type { Store } from '../../../stores/store.ts';
import { loadEvaluation } from '../../config/load-evaluation.ts';
import { cassetteOf } from '../../config/tools/run-tools-of.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { type StoreChoice, withStore } from '../open-store.ts';
import { writeFile } from '../write-file.ts';

/** A cassette that was written. */
export interface RecordedTools {
  readonly run: string;
  readonly file: string;
  /** The calls in the file. */
  readonly calls: number;
}

/** The choices of a cassette that is made of a run. */
export interface RecordChoices extends Omit<StoreChoice, 'config'> {
  readonly file: string;
  /** The config whose `tools` say what of the arguments does not count (`match`), and whether personal data are removed (`redact`). */
  readonly config?: string;
  /** True to keep the calls that the file has, and the run has not made. */
  readonly isAdding?: boolean;
}

/**
 * Writes what the tools of a stored run answered as a cassette. Throws `run-not-found` for a run without observed calls, and
 * `cassette-invalid` for a file that is to be added to and is none.
 */
export async function recordTools(
  runId: string,
  { file, config, isAdding = false, ...choice }: RecordChoices,
): Promise<RecordedTools> {
  return await withStore({ ...choice, config }, async (store) => {
    const run = await findRun(store, runId);
    const text = await writeCassette(run, store, { file, config, isAdding });
    return { run: run.id, file, calls: text.split('\n').length - 2 };
  });
}

async function writeCassette(
  run: Run,
  store: Store,
  { file, config, isAdding }: Pick<RecordChoices, 'file' | 'config' | 'isAdding'>,
): Promise<string> {
  const setting = config === undefined ? undefined : (await loadEvaluation(config)).config.tools;
  const { match = {}, redact } = setting ?? {};
  const full = path.resolve(file);
  const isThere = isAdding === true && existsSync(full);
  const before = isThere ? readCassette(readFileSync(full, 'utf8'), file, match) : undefined;
  const made = await cassetteOf(run, store, { match, redact });
  if (made.split('\n').length === 2) {
    throw new TouchstoneError(
      'run-not-found',
      `No call of a tool passed through Touchstone in run ${run.id}.`,
      {
        remedy: 'Run it with `tools` in the config, and hand the bot the addresses (docs/tools.md).',
      },
    );
  }
  const text = before === undefined ? made : await cassetteOf(run, store, { match, redact, before });
  await writeFile(full, [text]);
  return text;
}
