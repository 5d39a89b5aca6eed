import type { Hono } from 'hono';
import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import type { Permission } from '../../core/schema/account/rights.ts';
import { isTooDeep } from '../../core/lib/json/is-too-deep.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { ArchiveRow } from '../../evaluate/run/record/archive-line.ts';
import { receiveRun } from '../../evaluate/run/record/receive.ts';
import type { Store } from '../../stores/store.ts';
import { describeUse, parseInput } from '../route.ts';
import { requireOwnProject } from './principal.ts';

/** The longest body of a part of a run, in bytes: a part has one line at least, and a line can be a picture. */
const longestPart = 64_000_000;

/** The deepest nesting of JSON in a line. */
const deepestLine = 1000;

const querySchema = z.strictObject({
  run: z.string().regex(/^[\w.:-]{1,80}$/),
  end: z.string().regex(/^[0-9a-f]{16,128}$/),
  from: z.coerce.number().int().min(0).default(0),
});

/** The parts of a server of a project that receive runs. */
interface IntakeParts {
  readonly openStore: () => Promise<Store>;
  readonly may: (permission: Permission) => boolean;
  /** The size of the largest run that may be sent, in bytes. */
  readonly mostRunBytes: number;
}

/**
 * Adds `POST /api/projects/:project/runs?run=ID&end=HASH&from=LINES`: a part of a run as lines of JSON, as `touchstone export` writes them. It
 * answers how many lines are stored, so that a sender goes on from there after whatever has cut it off.
 */
export function addRunIntake(app: Hono, { openStore, may, mostRunBytes }: IntakeParts): void {
  app.post('/api/projects/:project/runs', async (context) => {
    const { req, env, json } = context;
    requireOwnProject(env, req.param('project'));
    const { run, end, from } = parseInput(querySchema, req.query());
    const rows = readRows(req.raw, from);
    const allows = { mostBytes: mostRunBytes, holds: may('manage') };
    const received = await receiveRun({ run, end, from, rows, allows }, await openStore());
    describeUse(context, { run, lines: String(received.lines), whole: String(received.isWhole) });
    return json(received);
  });
}

/** Yields the lines of a body as they come. What follows the last line break is no line: the connection was cut off in it. */
async function* readRows({ headers, body }: Request, from: number): AsyncGenerator<ArchiveRow> {
  requireShort(Number(headers.get('content-length') ?? 0));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [begun, bytes, line] = [[] as string[], 0, from];
  for await (const piece of piecesOf(body)) {
    bytes += piece.length;
    requireShort(bytes);
    const [head = '', ...parts] = decode(decoder, piece).split('\n');
    begun.push(head);
    for (const part of parts) {
      line += 1;
      const text = begun.join('');
      yield {
        value: readLine(text, line),
        place: { file: 'the run', line },
        bytes: Buffer.byteLength(text) + 1,
      };
      begun = [part];
    }
  }
}

/** Yields the pieces of a body. Throws `request-invalid` when the connection is cut off, which is no fault of this server. */
async function* piecesOf(body: Request['body']): AsyncGenerator<Uint8Array> {
  try {
    yield* (body ?? []) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new TouchstoneError(
      'request-invalid',
      'The connection was cut off before all of the part was there.',
      {
        remedy: 'Send it again: what has arrived is stored.',
        cause: error,
      },
    );
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: true });
  } catch {
    throw new TouchstoneError('request-invalid', 'The run is not a text in UTF-8.', { remedy });
  }
}

function readLine(text: string, line: number): unknown {
  try {
    if (!isTooDeep(text, deepestLine)) return parseJson(text);
  } catch {
    // Said below.
  }
  throw new TouchstoneError(
    'request-invalid',
    `Line ${line} of the run is not JSON, or is nested too deep.`,
    {
      remedy,
    },
  );
}

function requireShort(bytes: number): void {
  if (bytes > longestPart)
    throw new TouchstoneError('request-too-large', `A part of a run has more than ${longestPart} bytes.`, {
      remedy: 'Send it in smaller parts, as `touchstone push` does.',
    });
}

const remedy = 'Send the lines that `touchstone export` writes, as they are; `touchstone push` does so.';
