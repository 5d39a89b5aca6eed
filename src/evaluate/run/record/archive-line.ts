import { z } from 'zod';
import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { canonicalJson, hashText } from '../../../core/lib/content-hash.ts';
import { judgementSchema } from '../../../core/schema/judgement.ts';
import { plannedCaseSchema, resultSchema } from '../../../core/schema/result.ts';
import { runSchema } from '../../../core/schema/run.ts';
import { summarySchema } from '../../../core/schema/summary.ts';

/** The format version of exported runs. */
export const archiveVersion = 1;

const hash = z.string().describe('Hash of this line and of the hash on the line before it.');

/**
 * The schema of an exported run. A summary of an older version, which had fewer numbers, is dropped and computed again
 * from the records.
 */
const exportedRunSchema = () => runSchema().extend({ summary: summarySchema.optional().catch(undefined) });

/**
 * The schema of one line of an exported run. The run comes first, then the pictures and other files that it names, its cases, the judgements that it rests on, and
 * its trials with their scores.
 */
export const archiveLineSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('run'), version: z.literal(archiveVersion), run: exportedRunSchema(), hash }),
    z.object({ type: z.literal('blob'), blob: z.object({ hash: z.string(), base64: z.string() }), hash }),
    z.object({ type: z.literal('case'), case: plannedCaseSchema, hash }),
    z.object({ type: z.literal('judgement'), judgement: judgementSchema, hash }),
    z.object({ type: z.literal('result'), result: resultSchema, hash }),
    z.object({ type: z.literal('end'), cases: z.int(), judgements: z.int(), results: z.int(), hash }),
  ]),
);
type ArchiveLine = z.infer<typeof archiveLineSchema>;

/** Creates a writer of the lines of one file. Each line carries a hash of the file up to and including that line. */
export function createLineWriter() {
  let previous = '';
  return (type: ArchiveLine['type'], content: object): string => {
    const text = canonicalJson(content).slice(1, -1);
    previous = hashLine(previous, type, text);
    return `{"type":"${type}",${text},"hash":"${previous}"}\n`;
  };
}

function hashLine(previous: string, type: string, text: string): string {
  return hashText(`${previous} ${type} ${text}`);
}

/** A line of a file to be imported, parsed as JSON. */
export interface ArchiveRow {
  readonly value: unknown;
  readonly place: Place;
  /** The length of the line in bytes, where it is counted. */
  readonly bytes?: number;
}

/** A line that is unchanged since its export. */
export interface CheckedLine {
  readonly content: ArchiveLine;
  /** The hash of the file up to and including this line. */
  readonly hash: string;
  readonly place: Place;
  /** The length of the line in bytes; 0 where it is not counted. */
  readonly bytes: number;
}

/**
 * Checks lines one after the other. Throws `import-invalid` with the place of the first line that was changed since the
 * export.
 * @param after - The hash of the line before the first one; empty at the beginning of a file.
 */
export async function* checkLines(rows: AsyncIterable<ArchiveRow>, after = ''): AsyncGenerator<CheckedLine> {
  let previous = after;
  for await (const { value, place, bytes = 0 } of rows) {
    const parsed = archiveLineSchema.safeParse(value);
    if (!parsed.success) throw notALine(value, place, parsed.error);
    // The hash covers the text as written, not as parsed, so that it also covers fields that the schema drops.
    const { type, hash: stated, ...written } = value as ArchiveLine;
    previous = hashLine(previous, type, canonicalJson(written).slice(1, -1));
    if (stated !== previous) {
      throw invalidImport(
        `${formatPlace(place)} is not as it was exported: it was edited, or lines before it are missing, doubled or moved.`,
      );
    }
    yield { content: parsed.data, hash: previous, place, bytes };
  }
}

function notALine(value: unknown, place: Place, error: z.ZodError): TouchstoneError {
  const [problem] = error.issues;
  const version = (value as { version?: unknown } | null)?.version;
  if (problem?.path[0] === 'version' && Number(version) > archiveVersion) {
    const message = `${formatPlace(place)} is of version ${Number(version)}, and this Touchstone reads version ${archiveVersion}.`;
    return invalidImport(message, 'Update Touchstone.');
  }
  const found = [problem?.path.join('.'), problem?.message].filter((part) => part !== '').join(': ');
  return invalidImport(`${formatPlace(place)} is not a line of an exported run: ${found}.`);
}

/** Returns the error that refuses a file to be imported. */
export function invalidImport(message: string, remedy?: string): TouchstoneError {
  return new TouchstoneError('import-invalid', message, remedy === undefined ? {} : { remedy });
}
