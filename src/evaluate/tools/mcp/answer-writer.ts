import type { ServerResponse } from 'node:http';
import type { Json } from '../../../core/schema/json.ts';
import { writeHead, writeInTime } from '../carry/bodies.ts';
import { type CarriedReply, withoutHeaders } from '../carry/upstream.ts';
import { statusOf } from './mcp-message.ts';

type Head = Pick<CarriedReply, 'status' | 'headers'>;

/** Writes what answers a request of a bot: one message, or a stream of events. */
export interface AnswerWriter {
  /** Begins a stream of events with the head of the server's reply. */
  beginStream(head: Head): void;
  /** Writes a part of the stream. */
  writeEvent(bytes: Uint8Array): Promise<void>;
  /** Writes a reply whole. */
  writeWhole(head: Head, bytes: Buffer): Promise<void>;
  /** Writes a message that the server did not send: as the whole answer, or as an event of the stream that has begun. */
  writeMessage(message: Json): Promise<void>;
  end(): void;
}

const jsonType = ['content-type', 'application/json'] as const;

/** Creates a writer for the answer to one message. */
export function createAnswerWriter(response: ServerResponse): AnswerWriter {
  const writeWhole = async ({ status, headers }: Head, bytes: Buffer) => {
    if (response.headersSent || response.destroyed) return;
    const length = ['content-length', String(bytes.length)] as const;
    writeHead(response, { status, headers: [...withoutHeaders(headers, ['content-length']), length] });
    response.end(bytes);
  };
  return {
    beginStream: (head) => {
      writeHead(response, head);
      response.flushHeaders();
    },
    writeEvent: async (bytes) => await writeInTime(response, bytes),
    writeWhole,
    writeMessage: async (message) => {
      if (response.headersSent) await writeInTime(response, eventOf(message));
      else
        await writeWhole(
          { status: statusOf(message), headers: [jsonType] },
          Buffer.from(JSON.stringify(message)),
        );
    },
    end: () => {
      if (response.headersSent) response.end();
    },
  };
}

/** Creates a writer that joins the answers to all messages of a batch to one stream of events. */
export function createBatchWriter(response: ServerResponse): AnswerWriter {
  const begin = () => {
    if (response.headersSent) return;
    const headers = [['content-type', 'text/event-stream'] as const, ['cache-control', 'no-cache'] as const];
    writeHead(response, { status: 200, headers });
  };
  const writeEvent = async (bytes: Uint8Array) => {
    begin();
    await writeInTime(response, bytes);
  };
  return {
    beginStream: begin,
    writeEvent,
    writeWhole: async (_head, bytes) => {
      const text = bytes.toString('utf8').trim();
      if (text !== '') await writeEvent(Buffer.from(`data: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`));
    },
    writeMessage: async (message) => await writeEvent(eventOf(message)),
    end: () => {},
  };
}

function eventOf(message: Json): Buffer {
  return Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
