import { z } from 'zod';
import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import { canonicalJson, hashText } from '../../lib/content-hash.ts';
import { judgementSchema } from '../../schema/judgement.ts';
import { plannedCaseSchema, resultSchema } from '../../schema/result.ts';
import { runSchema } from '../../schema/run.ts';
import { summarySchema } from '../../schema/summary.ts';

/** The version of the form of exported runs. */
export const archiveVersion = 1;

const hash = z.string().describe('Hash of this line and of the hash on the line before it.');

/** A run whose numbers are those of an older version, which kept fewer, has none: they are made of its records. */
const exportedRunSchema = () => runSchema().extend({ summary: summarySchema.optional().catch(undefined) });

/** One line of an exported run: first the run, then its cases, then the
 * judgements it rests on, then its trials with all that was said of them. */
export const archiveLineSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('run'), version: z.literal(archiveVersion), run: exportedRunSchema(), hash }),
    z.object({ type: z.literal('case'), case: plannedCaseSchema, hash }),
    z.object({ type: z.literal('judgement'), judgement: judgementSchema, hash }),
    z.object({ type: z.literal('result'), result: resultSchema, hash }),
    z.object({ type: z.literal('end'), cases: z.int(), judgements: z.int(), results: z.int(), hash }),
  ]),
);
type ArchiveLine = z.infer<typeof archiveLineSchema>;

/** Makes the lines of one file. Each carries a hash of all that stands in the file up to there. */
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

/** A line of a file that is to be imported, parsed as JSON. */
export interface ArchiveRow {
  readonly value: unknown;
  readonly place: Place;
}

/** A line that is as it was written. */
export interface CheckedLine {
  readonly content: ArchiveLine;
  readonly place: Place;
}

/** Checks lines one after the other. Throws `import-invalid` with the place of the first that is not as it was written. */
export async function* checkLines(rows: AsyncIterable<ArchiveRow>): AsyncGenerator<CheckedLine> {
  let previous = '';
  for await (const { value, place } of rows) {
    const parsed = archiveLineSchema.safeParse(value);
    if (!parsed.success) throw notALine(value, place, parsed.error);
    // The text as it was written, not as it was parsed: nothing that a schema leaves out escapes the hash.
    const { type, hash: stated, ...written } = value as ArchiveLine;
    previous = hashLine(previous, type, canonicalJson(written).slice(1, -1));
    if (stated !== previous) {
      throw invalidImport(
        `${formatPlace(place)} is not as it was exported: it was edited, or lines before it are missing, doubled or moved.`,
      );
    }
    yield { content: parsed.data, place };
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
  return invalidImport(`${formatPlace(place)} is no line of an exported run: ${found}.`);
}

/** The refusal of a file that is to be imported. */
export function invalidImport(message: string, remedy?: string): TouchstoneError {
  return new TouchstoneError('import-invalid', message, remedy === undefined ? {} : { remedy });
}
