import { readDataFile } from '../../config/load-config.ts';
import { importRun } from '../../run/record/archive.ts';
import { toTerminalText } from '../../lib/text/terminal-text.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { openWritableStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import { jsonDocument } from '../../lib/objects.ts';

/** Runs `touchstone import FILE`: adds an exported run to the store. Returns the exit code. */
export async function importCommand(
  file: string,
  flags: { store?: string; json?: boolean },
): Promise<number> {
  const output = claimStdout();
  const store = await openWritableStore(flags.store);
  const onNotice = (message: string) => console.error(toTerminalText(message));
  const signals = listenForInterrupts(onNotice, () => false);
  try {
    const rows = readDataFile(file, process.cwd(), 'jsonl');
    const run = await importRun(rows, store, { onNotice, stop: signals.stop });
    await output.write(flags.json === true ? jsonDocument(run) : `Imported run ${run.id}.\n`);
    return 0;
  } finally {
    await store.close();
    signals.release();
  }
}
