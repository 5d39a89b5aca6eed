import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider on loopback that counts its calls and refuses those over its rate. */
export interface CountingProvider {
  readonly url: string;
  /** The times of all calls, in milliseconds of `performance.now()`. */
  readonly arrivals: readonly number[];
  /** The times of the calls that were refused. */
  readonly refused: readonly number[];
  /** The largest number of calls that were open at the same time. */
  readonly mostOpen: number;
  /** Refuses all calls for some time, and asks for a pause of the same length with each. */
  refuseFor(milliseconds: number): void;
  close(): void;
}

/** The rules of a provider. */
export interface ProviderRules {
  /** The number of calls that it answers in any second; it refuses more at once. */
  readonly perSecond?: number;
  /** The milliseconds that it takes for an answer. */
  readonly latencyMs: number;
  /** The price of an answer in US dollars. */
  readonly cost?: number;
}

/** Starts a provider. It asks for a pause only while it refuses all calls. */
export async function startProvider({
  perSecond = Infinity,
  latencyMs,
  cost = 0,
}: ProviderRules): Promise<CountingProvider> {
  const [arrivals, refused, answered]: [number[], number[], number[]] = [[], [], []];
  let [open, mostOpen, refusesUntil, pauseMs, oldest] = [0, 0, 0, 0, 0];
  const server = createServer((_request, response) => {
    const now = performance.now();
    arrivals.push(now);
    while (oldest < answered.length && (answered[oldest] as number) <= now - 1000) oldest += 1;
    const isOff = now < refusesUntil;
    if (isOff || answered.length - oldest >= perSecond) {
      refused.push(now);
      response.writeHead(429, isOff ? { 'retry-after': String(pauseMs / 1000) } : {}).end();
      return;
    }
    answered.push(now);
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    setTimeout(() => {
      open -= 1;
      response.end(JSON.stringify({ answer: 'yes', cost }));
    }, latencyMs);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    refused,
    get mostOpen() {
      return mostOpen;
    },
    refuseFor: (milliseconds) => {
      refusesUntil = performance.now() + milliseconds;
      pauseMs = milliseconds;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the largest number of times within any period of this length. Times are in ascending order. */
export function mostWithin(times: readonly number[], milliseconds: number): number {
  let [most, first] = [0, 0];
  for (const [index, time] of times.entries()) {
    while ((times[first] as number) <= time - milliseconds) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** Returns the longest period, in milliseconds, in which nothing happened between two times. */
export function longestGap(times: readonly number[]): number {
  return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] as number)));
}
