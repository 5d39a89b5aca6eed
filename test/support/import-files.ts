import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { translateProject } from '../../src/library/api/import-project.ts';
import type { ImportedProject } from '../../src/exchange/importers/importer.ts';

/**
 * Imports files that are given by their names, each as a text, as bytes or as what its JSON says: one of them as a file,
 * several as their folder.
 */
export async function importFiles(files: Readonly<Record<string, unknown>>): Promise<ImportedProject> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'import-'));
  const written = Object.entries(files).map(([name, content]) => {
    const file = path.join(folder.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    const isPlain = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(file, isPlain ? content : JSON.stringify(content));
    return file;
  });
  return await translateProject(written.length === 1 ? (written[0] ?? '') : folder.path);
}

/** A recorded verdict with what importers say of the score. */
export interface RecordedVerdict {
  readonly status: string;
  readonly value?: number;
  readonly unit?: string;
  readonly passed?: boolean;
  readonly evidence?: { readonly source?: string };
}

/** The members of a case or of a recorded answer that tests read one by one. */
interface ImportedLine {
  readonly input: unknown;
  readonly answer?: string;
  readonly error?: string;
  readonly attempt: number;
  readonly verdicts?: Readonly<Record<string, RecordedVerdict>>;
  readonly transcript: readonly {
    readonly role: string;
    readonly content?: string | null;
    readonly toolCalls?: readonly unknown[];
  }[];
}

/** Parses the lines of a file of an imported project; none when it is not there. */
export function linesOf<Line = ImportedLine>({ files }: ImportedProject, name: string): Line[] {
  return (files[name] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
