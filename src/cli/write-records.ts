import { escapeJson } from '../core/lib/objects.ts';
import { toTerminalText } from '../core/lib/text/terminal-text.ts';
import { checkOutputFiles } from '../library/api/output-files.ts';
import { withStore } from '../library/api/open-store.ts';
import { writeFile } from '../library/api/write-file.ts';
import type { Store } from '../stores/store.ts';
import type { Output } from './output.ts';

/** The exit code when records of a store are damaged. */
export const damagedCode = 2;

/** Where records go. */
interface RecordsTarget {
  /** A file, or `-` for standard output. */
  readonly file: string;
  /** True to write the intact records of a damaged store, and to list the others. */
  readonly salvage?: boolean;
  readonly store?: string;
  /** The records, such as `labels`. */
  readonly what: string;
  readonly output: Output;
}

/** Writes records as lines to a file or to standard output. Returns the exit code: 2 when records are damaged. */
export async function writeRecords(
  read: (source: { store: Store; onLost?: (what: string) => void }) => AsyncIterable<string>,
  { file, salvage, store: place, what, output }: RecordsTarget,
): Promise<number> {
  return await withStore({ store: place }, async (store) => {
    const lost: string[] = [];
    const lines = read({
      store,
      ...(salvage === true && { onLost: (each: string) => void lost.push(each) }),
    });
    if (file === '-') await output.writeAll(forTerminals(lines));
    else {
      await checkOutputFiles([file], { store });
      await writeFile(file, lines);
      console.error(toTerminalText(`Wrote the ${what} to ${file}.`));
    }
    if (lost.length === 0) return 0;
    console.error(describeLost(lost));
    return damagedCode;
  });
}

/** Escapes characters that a terminal would interpret. An import reads the same values from the escaped lines. */
export async function* forTerminals(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield escapeJson(line);
}

/** Lists the records that are damaged or missing. */
export function describeLost(lost: readonly string[]): string {
  const names = lost.map((what) => `  ${toTerminalText(what)}`);
  return `Damaged or missing, and not in the file:\n${names.join('\n')}`;
}
