/**
 * The id of a trace as 32 hexadecimal digits: OTLP says so, protobuf's own JSON has base64. Ids of other lengths stay as
 * they are. Undefined for none and for the one of all zeros.
 */
export function readTraceId(given: unknown): string | undefined {
  return readId(given, 16);
}

/** The id of a span as 16 hexadecimal digits; else as `readTraceId`. */
export function readSpanId(given: unknown): string | undefined {
  return readId(given, 8);
}

function readId(given: unknown, bytes: number): string | undefined {
  if (typeof given !== 'string' || given === '') return undefined;
  const id = given.replace(/^0x/, '');
  if (/^[0-9a-f]+$/i.test(id)) return /^0*$/.test(id) ? undefined : id.toLowerCase();
  const decoded = /^[\w+/-]+={0,2}$/.test(id) ? Buffer.from(id, 'base64') : Buffer.alloc(0);
  if (decoded.length !== bytes || id.replace(/=+$/, '').length !== Math.ceil((bytes * 4) / 3)) return id;
  return decoded.every((byte) => byte === 0) ? undefined : decoded.toString('hex');
}
