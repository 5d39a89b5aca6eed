import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import { cassetteOf } from '../../config/tools/run-tools-of.ts';
import { writeFile } from '../write-file.ts';

/** A cassette that was written. */
export interface RecordedTools {
  readonly run: string;
  readonly file: string;
  readonly calls: number;
}

/** Writes what the tools of a stored run answered as a cassette. Throws `run-not-found` for a run without observed calls. */
export async function recordTools(run: Run, file: string, store: Store): Promise<RecordedTools> {
  const text = await cassetteOf(run, store, { match: {} });
  const calls = text.split('\n').length - 2;
  if (calls === 0) {
    throw new TouchstoneError(
      'run-not-found',
      `No call of a tool passed through Touchstone in run ${run.id}.`,
      {
        remedy: 'Run it with `tools` in the config, and hand the bot the addresses (docs/tools.md).',
      },
    );
  }
  await writeFile(path.resolve(file), [text]);
  return { run: run.id, file, calls };
}
