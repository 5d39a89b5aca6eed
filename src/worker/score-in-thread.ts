import { on } from 'node:events';
import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import { TouchstoneError } from '../errors.ts';
import type { HelpedWork, ScoringHelp } from '../run/scoring-help.ts';
import type { ThreadMessage, ThreadWork } from './thread-messages.ts';

/** Where our code is: in `src` when it runs from source, in `dist` when it is built. */
const [, folder = '', place] = /^(.*\/(src|dist)\/)/.exec(import.meta.url) ?? [];
const thread = new URL(place === 'src' ? 'worker/scoring-thread.ts' : 'scoring-thread.js', folder);

/** A thread begins with cold code: with 100,000 trials it brings nothing (see bench/NOTES.md). */
const leastTrials = 200_000;

/** Megabytes of each half of a thread's young generation: with too few it does little but collect garbage. */
const semiSpace = 16;

/** Scores in a thread of its own, which opens the store by itself. */
export function scoreInThread(shared: Omit<ThreadWork, keyof HelpedWork>): ScoringHelp {
  return {
    leastTrials,
    begin: (work) => {
      const workerData: ThreadWork = { ...shared, ...work };
      // Two heaps may not both grow as much as `limitHeap` lets one grow.
      v8.setFlagsFromString('--heap-growing-percent=100');
      // From the beginning: `limitHeap` has ended the growth of every heap.
      v8.setFlagsFromString(`--min-semi-space-size=${semiSpace}`);
      const worker = new Worker(thread, {
        workerData,
        resourceLimits: { maxYoungGenerationSizeMb: 3 * semiSpace },
      });
      const messages = on(worker, 'message', { close: ['exit'] });
      return {
        [Symbol.asyncIterator]: () => readOrdinals(messages),
        [Symbol.asyncDispose]: async () => {
          await worker.terminate();
        },
      };
    },
  };
}

async function* readOrdinals(messages: AsyncIterable<unknown[]>): AsyncGenerator<number> {
  for await (const [given] of messages) {
    const message = given as ThreadMessage;
    if (message.type === 'done') return;
    if (message.type === 'kept') yield message.to;
    else throw new TouchstoneError(message.code, message.message, { remedy: message.remedy });
  }
  throw new Error('the thread that scores the rest of the run has ended before it was done');
}
