/** Encodes an `ExportTraceServiceResponse` that says how many spans were not stored, and why. */
export function encodePartialSuccess(rejectedSpans: number, errorMessage: string): Uint8Array {
  return field(1, Buffer.concat([number(1, rejectedSpans), field(2, Buffer.from(errorMessage))]));
}

/** Encodes a `google.rpc.Status`. */
export function encodeFailure(code: number, message: string): Uint8Array {
  return Buffer.concat([number(1, code), field(2, Buffer.from(message))]);
}

function number(id: number, value: number): Buffer {
  return Buffer.concat([varint(id << 3), varint(value)]);
}

function field(id: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
