/** A hash or an id as its bytes, half as long. */
export function hexToBytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}
