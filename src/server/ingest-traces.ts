import { createGunzip } from 'node:zlib';
import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { createKnownSecrets } from '../library/config/known-secrets.ts';
import {
  decodeTraceRequest,
  ProtobufFault,
  encodeFailure,
  encodePartialSuccess,
} from '../evaluate/datasets/otlp/protobuf.ts';
import { type ReadRequest, readRequest, type RequestLimits } from '../evaluate/datasets/otlp/read-request.ts';
import { TouchstoneError } from '../core/errors.ts';
import { isTooDeep } from '../core/lib/json/is-too-deep.ts';
import { parseJson } from '../core/lib/json/parse-json.ts';
import type { Failure } from '../core/schema/api/failure.ts';
import { receiveSpans, type TraceReceipt, trimTraces } from '../cases/traces/receive-spans.ts';
import { readLimitedBody } from './ingest-access.ts';
import type { RouteContext } from './route.ts';

/** The address that exporters of OpenTelemetry send traces to. */
export const tracesPath = '/v1/traces';

/** The longest body after gzip is undone, in bytes. */
const longestInflated = 16_000_000;

/** The deepest nesting of JSON: values of 32 levels, which are three in OTLP, and what is around them. */
const deepestJson = 110;

const limits: RequestLimits = { spans: 10_000, attributes: 4096, text: 1_000_000, events: 4096 };

/** The time between two removals of traces that are beyond the limits, in milliseconds. */
const trimEveryMs = 10 * 60 * 1000;

/**
 * Adds `POST /v1/traces`: OTLP over HTTP, as protobuf or JSON, plain or with gzip. It answers once the spans are on disk. Spans
 * that cannot be stored are counted in a partial success, which no exporter sends again.
 */
export function addTraceIngest(app: Hono, { openStore, isRetaining = false }: RouteContext): void {
  const secrets = createKnownSecrets(undefined, process.env);
  let trimmedAt = Number.NEGATIVE_INFINITY;
  app.post(tracesPath, async (context) => {
    context.header('Cache-Control', 'no-store');
    const isProtobuf = sendsProtobuf(context);
    const bytes = await readBytes(context);
    const request = requireSpans(readRequest(isProtobuf ? decodeBytes(bytes) : readJson(bytes), limits));
    const store = await openStore();
    const now = new Date();
    const receipt = await receiveSpans(request, { store, secrets, now: now.toISOString() });
    if (!isRetaining && now.getTime() - trimmedAt > trimEveryMs) {
      trimmedAt = now.getTime();
      await trimTraces(store, now.toISOString());
    }
    return answer(context, receipt, isProtobuf);
  });
}

/** Returns whether a request sends protobuf. Throws `content-unsupported` for what is neither that nor JSON. */
function sendsProtobuf({ req }: Context): boolean {
  const type = (req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-protobuf') return true;
  if (type === 'application/json') return false;
  throw new TouchstoneError('content-unsupported', `Traces cannot be sent as ${type || 'nothing'}.`);
}

/** Reads the body, and undoes gzip up to a limit, so that a small body cannot fill the memory. */
async function readBytes({ req }: Context): Promise<Uint8Array> {
  const encoding = (req.header('content-encoding') ?? 'identity').trim().toLowerCase();
  const body = await readLimitedBody(req);
  if (encoding === 'identity' || encoding === '') return body;
  if (encoding !== 'gzip')
    throw new TouchstoneError('content-unsupported', `The request is encoded as ${encoding}.`);
  return await inflate(body);
}

async function inflate(body: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const gunzip = createGunzip();
  gunzip.end(body);
  try {
    for await (const piece of gunzip as AsyncIterable<Uint8Array>) {
      length += piece.length;
      if (length > longestInflated) {
        throw new TouchstoneError(
          'request-too-large',
          `The request has more than ${longestInflated} bytes after gzip is undone.`,
        );
      }
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    throw new TouchstoneError('request-invalid', 'The request is not encoded with gzip, as it says.', {
      remedy,
    });
  }
  return Buffer.concat(pieces);
}

function decodeBytes(bytes: Uint8Array): unknown {
  try {
    return decodeTraceRequest(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufFault)) throw error;
    throw new TouchstoneError(
      'request-invalid',
      `The request is no trace of OTLP as protobuf: ${error.message}.`,
      {
        remedy,
      },
    );
  }
}

function readJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (isTooDeep(text, deepestJson))
    throw new TouchstoneError('request-invalid', 'The request is nested too deep.', { remedy });
  try {
    return parseJson(text);
  } catch {
    throw new TouchstoneError('request-invalid', 'The request sends broken JSON.', { remedy });
  }
}

/** Refuses a request of which no record is a span, such as log records that were sent to the address of traces. */
function requireSpans(request: ReadRequest): ReadRequest {
  const withoutIds = request.rejected.get('it has no trace id or no span id') ?? 0;
  if (request.spans.length > 0 || withoutIds === 0) return request;
  throw new TouchstoneError(
    'request-invalid',
    `None of the ${withoutIds} records has the ids of a trace and a span.`,
    { remedy: 'Send traces to this address; logs and metrics are not taken.' },
  );
}

const remedy = 'Send an ExportTraceServiceRequest, as an OTLP exporter over HTTP does: docs/production.md.';

function answer(context: Context, { rejected }: TraceReceipt, isProtobuf: boolean): Response {
  const count = Object.values(rejected).reduce((sum, each) => sum + each, 0);
  const message = Object.entries(rejected)
    .map(([reason, each]) => `${each} ${each === 1 ? 'span' : 'spans'}: ${reason}`)
    .join('; ');
  if (isProtobuf) {
    const body = count === 0 ? new Uint8Array() : encodePartialSuccess(count, message);
    return context.body(body as Uint8Array<ArrayBuffer>, 200, protobuf);
  }
  return context.json(
    count === 0 ? {} : { partialSuccess: { rejectedSpans: String(count), errorMessage: message } },
  );
}

const protobuf = { 'Content-Type': 'application/x-protobuf' };

/** The codes of gRPC by the status of HTTP. */
const codes: Readonly<Record<number, number>> = { 400: 3, 403: 7, 413: 8, 415: 3, 429: 8, 503: 14 };

/** Answers an exporter with a status of gRPC, in the format of its request. */
export function otlpFailure(
  context: Context,
  { message, remedy: action }: Failure,
  status: ContentfulStatusCode,
): Response {
  const code = codes[status] ?? 13;
  const text = `${message} ${action}`;
  const isProtobuf = /^application\/x-protobuf\b/i.test(context.req.header('content-type') ?? '');
  return isProtobuf
    ? context.body(encodeFailure(code, text) as Uint8Array<ArrayBuffer>, status, protobuf)
    : context.json({ code, message: text }, status);
}
