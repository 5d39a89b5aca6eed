import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { displayPath } from '../../lib/display-path.ts';
import { type Baseline, baselineSchema } from '../../schema/baseline.ts';

/** The text of a baseline: JSON with a line for each case, so that a version control system shows what changed. */
export function encodeBaseline({ targets, ...rules }: Baseline): string {
  const head = JSON.stringify(rules, null, 2).replace(/\n\}$/, '');
  const written = targets.map(({ cases, ...target }) => {
    const lines = cases.map((each) => `        ${JSON.stringify(each)}`);
    const begin = JSON.stringify(target, null, 2)
      .replaceAll('\n', '\n    ')
      .replace(/\n {4}\}$/, '');
    return `    ${begin},\n      "cases": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n      `}]\n    }`;
  });
  return `${head},\n  "targets": [\n${written.join(',\n')}\n  ]\n}\n`;
}

/** Reads a baseline. Throws `baseline-not-found`, or `baseline-unreadable` for a file that is none. */
export async function readBaselineFile(file: string): Promise<Baseline> {
  const read = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));
  const content = await read().catch((error: unknown) => {
    if (!isMissing(error)) throw unreadable(file, messageOf(error));
    throw new TouchstoneError('baseline-not-found', `There is no baseline at ${displayPath(file)}.`);
  });
  const parsed = baselineSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unreadable(file, `${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
}

/** Writes a baseline in one step: who reads it meanwhile sees the old one or the new one. Throws `output-unwritable`. */
export async function writeBaselineFile(file: string, baseline: Baseline): Promise<void> {
  const half = path.join(path.dirname(file), `.${path.basename(file)}.${crypto.randomUUID()}`);
  try {
    await writeFile(half, encodeBaseline(baseline), { flush: true });
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true });
    const message = `${displayPath(file)} cannot be written: ${messageOf(error)}.`;
    throw new TouchstoneError('output-unwritable', message, { cause: error });
  }
}

function unreadable(file: string, problem: string): TouchstoneError {
  return new TouchstoneError('baseline-unreadable', `${displayPath(file)} is no baseline: ${problem}.`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
