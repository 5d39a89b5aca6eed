import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const valueSchema = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({
    arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
  }),
]);
const attributesSchema = z.array(z.strictObject({ key: z.string().min(1), value: valueSchema }));
const nanoseconds = z.string().regex(/^\d{19}$/);
const traceId = z.string().regex(/^(?!0{32})[0-9a-f]{32}$/);
const spanId = z.string().regex(/^(?!0{16})[0-9a-f]{16}$/);

const spanSchema = z.strictObject({
  traceId,
  spanId,
  parentSpanId: spanId.optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: attributesSchema,
  events: z.array(
    z.strictObject({ name: z.string(), timeUnixNano: nanoseconds, attributes: attributesSchema }),
  ),
  links: z.array(z.strictObject({ traceId, spanId })).optional(),
  status: z.strictObject({ code: z.int().min(0).max(2).optional(), message: z.string().optional() }),
});

/** The schema of the JSON that an OpenTelemetry collector accepts over HTTP: protobuf's ExportTraceServiceRequest. */
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: attributesSchema }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(spanSchema),
        }),
      ),
    }),
  ),
});

const pointSchema = z.object({
  attributes: attributesSchema,
  timeUnixNano: nanoseconds,
  startTimeUnixNano: nanoseconds,
});
const count = z.string().regex(/^\d+$/);
const numbersSchema = z.array(pointSchema.extend({ asInt: count }).strict());
const overTime = { aggregationTemporality: z.literal(2) };
const metricSchema = z.union([
  z.strictObject({ name: z.string(), gauge: z.strictObject({ dataPoints: numbersSchema }) }),
  z.strictObject({
    name: z.string(),
    sum: z.strictObject({ dataPoints: numbersSchema, isMonotonic: z.boolean(), ...overTime }),
  }),
  z.strictObject({
    name: z.string(),
    unit: z.string(),
    histogram: z.strictObject({
      dataPoints: z.array(
        pointSchema
          .extend({
            count,
            sum: z.number(),
            explicitBounds: z.array(z.number()),
            bucketCounts: z.array(count),
          })
          .strict(),
      ),
      ...overTime,
    }),
  }),
]);

/** The schema of the JSON of metrics: protobuf's ExportMetricsServiceRequest. */
const metricsSchema = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: attributesSchema }),
      scopeMetrics: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          metrics: z.array(metricSchema),
        }),
      ),
    }),
  ),
});

/** A metric as it was received. */
type ReceivedMetric = z.infer<typeof metricSchema>;

/** A span as it was received, its attributes by name. */
export type ReceivedSpan = Omit<z.infer<typeof spanSchema>, 'attributes' | 'events'> & {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
};

/** A running collector. */
export interface TraceCollector extends AsyncDisposable {
  /** The address: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly metrics: readonly ReceivedMetric[];
  /** All bodies as received, joined. */
  readonly text: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

/**
 * Starts a collector of traces on the loopback address. It checks the form of requests, and refuses invalid ones with
 * 400.
 * @param statuses - The statuses with which it refuses the first requests, one each.
 */
export async function startTraceCollector(statuses: readonly number[] = []): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const metrics: ReceivedMetric[] = [];
  let text = '';
  const takeMetrics = (body: string, response: ServerResponse): void => {
    const { data, error } = metricsSchema.safeParse(JSON.parse(body));
    const found = data?.resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap((each) => each.metrics),
    );
    metrics.push(...(found ?? []));
    response.writeHead(error === undefined ? 200 : 400).end(error?.message ?? '{}');
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const status = statuses[requests.length] ?? 200;
    requests.push({ path: request.url ?? '', headers: request.headers });
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString('utf8');
    if (request.url === '/v1/metrics') return takeMetrics(body, response);
    const parsed = requestSchema.safeParse(JSON.parse(body));
    if (status !== 200 || parsed.error !== undefined) {
      response.writeHead(status === 200 ? 400 : status).end(parsed.error?.message);
      return;
    }
    text += body;
    spans.push(...spansIn(parsed.data));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    requests,
    get text() {
      return text;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function spansIn({ resourceSpans }: z.infer<typeof requestSchema>): ReceivedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({
      ...span,
      attributes: readAttributes(span.attributes),
      events: span.events.map(({ name, attributes }) => ({ name, attributes: readAttributes(attributes) })),
    }));
}

function readAttributes(list: z.infer<typeof attributesSchema>): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, readValue(value)]));
}

function readValue(value: z.infer<typeof valueSchema>): unknown {
  if ('intValue' in value) return BigInt(value.intValue);
  if ('arrayValue' in value) return value.arrayValue.values.map(({ stringValue }) => stringValue);
  return Object.values(value)[0];
}
