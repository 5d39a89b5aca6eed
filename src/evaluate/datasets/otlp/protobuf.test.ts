import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { exactNumber } from '../../../core/lib/json/exact-number.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { decodeTraceRequest, ProtobufFault, encodePartialSuccess } from './protobuf.ts';
import { readRequest } from './read-request.ts';

const folder = path.join(import.meta.dirname, '../../../../test/otlp');
const sent = (file: string) => readFileSync(path.join(folder, file));
const proto = gunzipSync(sent('exporter-proto.pb.gz'));
const limits = { spans: 10_000, attributes: 4096, text: 1_000_000, events: 4096 };

test('the same spans are read from protobuf and from JSON of the exporters of OpenTelemetry', () => {
  const json: unknown = JSON.parse(sent('exporter-http.json').toString());
  const fromJson = readRequest(json, limits);
  const fromProto = readRequest(decodeTraceRequest(proto), limits);
  expect(fromProto).toEqual(fromJson);
  expect(fromProto.spans.map(({ name }) => name)).toEqual([
    'execute_tool opening_hours',
    'chat small-model',
    'invoke_agent library',
  ]);
  const chat = fromProto.spans[1];
  expect(chat).toMatchObject({
    traceId: '5b8efff798038103d269b633813fc60c',
    startMs: 1767348000530,
    endMs: 1767348001300,
    attributes: {
      'gen_ai.usage.input_tokens': 812,
      'gen_ai.usage.cost': 0.0021,
      'list.of.texts': ['a', 'b'],
      'a.truth': true,
      'a.negative': -7,
    },
    events: [{ name: 'gen_ai.evaluation.result', timeMs: 1767348001200 }],
    resource: { 'service.name': 'library-bot' },
  });
  expect(chat?.parentId).toBe(fromProto.spans[2]?.spanId);
});

test('the request of the exporter of Python is read', () => {
  const { spans, rejected } = readRequest(decodeTraceRequest(gunzipSync(sent('python.pb.gz'))), limits);
  expect(rejected.size).toBe(0);
  expect(spans).toMatchObject([
    {
      name: 'ChatOpenAI',
      attributes: {
        'llm.input_messages.0.message.content': 'Wie lange ist am Samstag offen? ☎ +49 30 1234567',
        'llm.token_count.prompt': 12,
      },
      resource: { 'service.name': 'py-bot', 'telemetry.sdk.language': 'python' },
    },
  ]);
});

test('every type of value is read as the protobuf library of Python writes it', () => {
  // ExportTraceServiceRequest with one Span(trace_id=b'\x01'*16, span_id=b'\x02'*8, name='n',
  // start_time_unix_nano=1767348000000000000, attributes=[i=-2**63, d=-0.5, b=b'\x00\\xff', l=[True, 'é'], m={'x': 7}],
  // status=Status(code=2, message='bad')), SerializeToString().hex()
  const hex =
    '0a89011286011283010a1001010101010101010101010101010101120802020202020202022a016e3900407f66a4e186184a100a0169120b1880' +
    '8080808080808080014a0e0a0164120921000000000000e0bf4a090a016212043a0200ff4a110a016c120c2a0a0a0210010a040a02c3a94a100a' +
    '016d120b32090a070a0178120218077a0712036261641802';
  const { spans } = readRequest(decodeTraceRequest(Buffer.from(hex, 'hex')), limits);
  expect(spans).toEqual([
    {
      place: { file: 'request' },
      traceId: '01'.repeat(16),
      spanId: '02'.repeat(8),
      name: 'n',
      startMs: 1767348000000,
      // A number cannot represent the least integer among its neighbours.
      attributes: { i: exactNumber('-9223372036854775808'), d: -0.5, b: 'AP8=', l: [true, 'é'], m: { x: 7 } },
      events: [],
      error: 'bad',
      resource: {},
    },
  ]);
  expect(decodeTraceRequest(new Uint8Array())).toEqual({});
});

test.each([
  ['a field number 0', '0200'],
  ['a group', '0b'],
  ['a length beyond the end', '0a05aa'],
  ['a number of eleven bytes', '08ffffffffffffffffffff01'],
  ['a length of 2^31', '0a8080808008'],
  ['a fixed number that is cut off', '09000000'],
])('bytes with %s are refused', (_what, hex) => {
  expect(() => decodeTraceRequest(Buffer.from(hex, 'hex'))).toThrow(ProtobufFault);
});

test('values that are nested too deep are refused, and no depth overflows the stack', () => {
  const nested = (depth: number) => {
    let value: Buffer = Buffer.from([0x0a, 0x01, 0x78]);
    for (let level = 0; level < depth; level += 1) value = wrap(5, wrap(1, value));
    return wrap(
      1,
      wrap(2, wrap(2, wrap(9, Buffer.concat([Buffer.from([0x0a, 0x01, 0x6b]), wrap(2, value)])))),
    );
  };
  expect(() => decodeTraceRequest(nested(30))).not.toThrow();
  expect(() => decodeTraceRequest(nested(40))).toThrow('nested too deep');
  expect(() => decodeTraceRequest(nested(5_000))).toThrow('nested too deep');
});

test('unknown fields, and known ones of another type, are skipped', () => {
  const unknown = Buffer.concat([wrap(7, Buffer.from('x')), Buffer.from([0x08, 0x01, 0x65, 1, 2, 3, 4])]);
  expect(decodeTraceRequest(Buffer.concat([unknown, proto]))).toEqual(decodeTraceRequest(proto));
});

test('whatever bytes come, the outcome is a request or a fault', () => {
  const random = createRandom(7);
  let whole = 0;
  for (let round = 0; round < 3000; round += 1) {
    const bytes = Buffer.from(proto);
    const changes = 1 + Math.floor(random.next() * 4);
    for (let change = 0; change < changes; change += 1)
      bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
    const cut = random.next() < 0.3 ? bytes.subarray(0, Math.floor(random.next() * bytes.length)) : bytes;
    try {
      readRequest(decodeTraceRequest(cut), limits);
      whole += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(ProtobufFault);
    }
  }
  // Most changes hit a text, and leave a request.
  expect(whole).toBeGreaterThan(1000);
});

test('a partial success is written as protobuf has it', () => {
  // google.protobuf of Python: ExportTraceServiceResponse(partial_success=ExportTracePartialSuccess(rejected_spans=300,
  // error_message='late')).SerializeToString().hex()
  expect(Buffer.from(encodePartialSuccess(300, 'late')).toString('hex')).toBe('0a0908ac0212046c617465');
});

/** Returns a field whose content is bytes. */
function wrap(id: number, content: Uint8Array): Buffer {
  const length: number[] = [];
  let rest = content.length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
  return Buffer.concat([Buffer.from([(id << 3) | 2, ...length, rest]), content]);
}
