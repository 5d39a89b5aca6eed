import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  Door,
  DoorOutcome,
  ServerToolUse,
  ServerTraffic,
  ToolSession,
  WireOutcome,
} from '../../src/evaluate/tools/door.ts';

/** A session of the tests, with all that doors reported to it. */
export interface KeptSession extends ToolSession {
  readonly calls: (ServerToolUse & { readonly outcome?: DoorOutcome })[];
  /** The names of the calls that have begun. */
  readonly begun: string[];
  readonly traffic: ServerTraffic[];
  readonly past: string[];
  end(): Promise<void>;
}

/** Decides on a use of a tool; by default the real tool is used. */
export type Decide = (use: ServerToolUse, run: () => Promise<WireOutcome>) => Promise<DoorOutcome>;

/** Creates a session that decides by a function, and keeps what doors report to it. */
export function createSession(
  decide: Decide = async (_use, run) => await run(),
  more: Partial<ToolSession> = {},
): KeptSession {
  const over = new AbortController();
  const kept: KeptSession = {
    calls: [],
    begun: [],
    traffic: [],
    past: [],
    trialKey: 'trial',
    mayChange: false,
    isOffline: false,
    over: over.signal,
    folder: async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-trial-'));
      over.signal.addEventListener('abort', () => void rm(folder, { recursive: true, force: true }));
      return folder;
    },
    use: async (use, run) => {
      kept.begun.push(use.name);
      let nth = 0;
      try {
        const outcome = await decide(use, async () => {
          nth += 1;
          return await run({ key: `key-${use.name}-${nth}` });
        });
        kept.calls.push({ ...use, outcome });
        return outcome;
      } catch (error) {
        const outcome = { error: (error as Error).message, from: 'tool' as const };
        kept.calls.push({ ...use, outcome });
        return outcome;
      }
    },
    noteTraffic: (traffic) => void kept.traffic.push(traffic),
    recordedReply: async () => undefined,
    notePast: (_server, count, kind) => void kept.past.push(`${count} ${kind}`),
    end: async () => {
      over.abort(new Error('over'));
      await new Promise((resolve) => setImmediate(resolve));
    },
    ...more,
  };
  return kept;
}

/** Opens a listener before a door, with the address that a bot would get. */
export async function listenFor(door: Door, session: ToolSession | undefined) {
  const prefix = '/t/token/shop';
  const http = createServer((request, response) => {
    void door.handle(request, response, (request.url ?? '').slice(prefix.length), () => session);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}${prefix}`,
    [Symbol.asyncDispose]: async () => {
      await door.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
