import { type StartedProcess, startProgram } from '../../../../core/lib/programs/start.ts';
import { limitConcurrency } from '../../../../core/lib/waiting.ts';
import { type Query, type QueryReply, serveQueries } from './serve-queries.ts';

/** A process that answers queries. It starts with the first query and does not keep the program alive. */
export interface QueryProcess {
  /** Answers a query after the earlier ones; undefined when it took longer than the limit. */
  ask(query: Query, timeLimitMs: number): Promise<QueryReply | undefined>;
  /** Ends the process, unless queries are still waiting. */
  close(): void;
}

/** Creates a process for queries. */
export function createQueryProcess(): QueryProcess {
  const inTurn = limitConcurrency(1);
  let asked = 0;
  let child: StartedProcess | undefined;

  const end = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };

  const askNow = async (query: Query, timeLimitMs: number): Promise<QueryReply | undefined> => {
    const current = (child ??= start());
    const reply = await replyOf(current, query, timeLimitMs);
    if (reply === undefined) end();
    return reply;
  };

  return {
    ask: async (query, timeLimitMs) => {
      asked += 1;
      try {
        return await inTurn(async () => await askNow(query, timeLimitMs));
      } finally {
        asked -= 1;
      }
    },
    close: () => {
      if (asked === 0) end();
    },
  };
}

function start(): StartedProcess {
  const flags = ['--no-warnings', '--max-old-space-size=512'];
  // The environment is empty because ours may hold secrets and options for Node.js.
  const child = startProgram(process.execPath, [...flags, '-e', `(${serveQueries.toString()})()`], {
    environment: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  // An error between queries is ignored: the next query notices it while it waits for its reply.
  return child.on('error', () => {});
}

/** Sends a query and waits for the reply until the time is over or the process ends. */
async function replyOf(
  child: StartedProcess,
  query: Query,
  timeLimitMs: number,
): Promise<QueryReply | undefined> {
  const { promise, resolve } = Promise.withResolvers<QueryReply | undefined>();
  const fail = () => resolve(undefined);
  const succeed = (reply: unknown) => resolve(reply as QueryReply);
  const timer = setTimeout(fail, timeLimitMs);
  child.on('message', succeed).on('exit', fail).on('error', fail).ref();
  child.channel?.ref();
  child.send(query, (error) => error !== null && fail());
  const reply = await promise;
  clearTimeout(timer);
  child.off('message', succeed).off('exit', fail).off('error', fail).unref();
  child.channel?.unref();
  return reply;
}
