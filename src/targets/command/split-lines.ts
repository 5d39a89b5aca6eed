import { maxReplyBytes } from '../reply/read-text.ts';

/** Who is told of the lines of a stream. */
export interface LineListener {
  /** A line without its ending. */
  onLine(line: Buffer): void;
  /** A line that is too long to be kept; `head` is how it begins. The rest of it is skipped. */
  onLongLine(head: Buffer): void;
}

/** Makes a function that takes a stream's chunks and tells of its lines, keeping no more than the longest reply. */
export function createLineSplitter(listener: LineListener): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let isSkipping = false;
  const keep = (part: Buffer) => {
    if (isSkipping || part.length === 0) return;
    parts.push(part);
    length += part.length;
    if (length <= maxReplyBytes) return;
    isSkipping = true;
    listener.onLongLine((parts[0] as Buffer).subarray(0, 1024));
    parts = [];
  };
  const endLine = () => {
    if (!isSkipping) listener.onLine(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
    parts = [];
    length = 0;
    isSkipping = false;
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      endLine();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  };
}
