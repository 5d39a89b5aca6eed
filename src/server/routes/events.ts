import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { type AddRoute, parseInput } from '../route.ts';
import { createRunFeed, type FeedEvent } from '../run-feed.ts';

const inputSchema = z.object({
  /** The id of a run; only events of this run and of those that continue it are sent. */
  run: z.string().optional(),
});

/**
 * Adds `GET /api/events`: server-sent events about the runs of the store, as `RunEvent` describes them. A page that connects
 * again with `Last-Event-ID` is sent what it has missed.
 */
export const addEvents: AddRoute = (app, { openStore, person, isSignedIn = false }) => {
  const feed = createRunFeed(openStore);
  app.get('/api/events', async (context) => {
    const { run } = parseInput(inputSchema, context.req.query());
    const outbox = createOutbox();
    const { lastId, stop } = feed.listen(
      {
        onEvent: (event) => {
          if (run === undefined || isAbout(event, run)) outbox.add(event);
        },
        onQuiet: outbox.beat,
        onEnd: outbox.end,
      },
      {
        lastId: context.req.header('last-event-id'),
        person: isSignedIn ? await person?.() : undefined,
      },
    );
    return streamSSE(context, async (stream) => {
      stream.onAbort(() => outbox.end());
      try {
        // An id without an event: a page that loses the connection before the first event continues from here.
        await stream.write(`id: ${lastId}\n\n`);
        for (let sent = await outbox.take(); sent !== undefined; sent = await outbox.take()) {
          if (sent.length === 0) await stream.write(': quiet\n\n');
          for (const { id, name, data } of sent) {
            await stream.writeSSE({ id, event: name, data: JSON.stringify(data) });
          }
        }
      } finally {
        stop();
      }
    });
  });
};

function isAbout({ data }: FeedEvent, run: string): boolean {
  return data !== null && (data.run === run || data.continues === run);
}

/** Creates the queue of what is to be sent. While a page is slow to read, a newer event replaces the older one of its kind. */
function createOutbox() {
  const waiting = new Map<string, FeedEvent>();
  let wake = Promise.withResolvers<void>();
  let isOver = false;
  return {
    add: (event: FeedEvent): void => {
      const key = `${event.name} ${event.data?.run}`;
      waiting.delete(key);
      waiting.set(key, event);
      wake.resolve();
    },
    beat: (): void => wake.resolve(),
    end: (): void => {
      isOver = true;
      wake.resolve();
    },
    /** Waits for events and removes them; returns none for a beat, and undefined at the end. */
    take: async (): Promise<FeedEvent[] | undefined> => {
      if (waiting.size === 0 && !isOver) await wake.promise;
      wake = Promise.withResolvers();
      const events = [...waiting.values()];
      waiting.clear();
      return isOver ? undefined : events;
    },
  };
}
