import type * as BullMq from 'bullmq';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../../core/errors.ts';
import { needPackage } from '../../core/lib/packages/need-package.ts';
import { mostAttempts, type Queue } from './queue.ts';

/** The options of a queue that is opened. */
export interface QueueOptions {
  /** `redis://…`, `rediss://…` or `postgres://…`. */
  readonly url: string;
  /** The id of the run. */
  readonly run: string;
  /** The milliseconds after which the part of a process that died is given to another one; 30,000 by default. */
  readonly lockMs?: number;
  /** The milliseconds after which a part that failed is given to a process again, which double each time; 200 by default. */
  readonly backOffMs?: number;
}

/** The part of BullMQ that is used, over either of its engines. */
interface Engine {
  readonly createQueue: (name: string) => BullMq.Queue;
  readonly createWorker: (
    name: string,
    handle: (job: Pick<BullMq.Job, 'id'>) => Promise<void>,
    options: Omit<BullMq.WorkerOptions, 'connection'>,
  ) => BullMq.Worker;
}

/**
 * Opens the queue of a run in Redis, Valkey or PostgreSQL, through BullMQ. Throws `usage-invalid` for another address, and
 * `package-missing` when a package is not installed.
 */
export async function openQueue({
  url,
  run,
  lockMs = 30_000,
  backOffMs = 200,
}: QueueOptions): Promise<Queue> {
  const engine = await loadEngine(url);
  // BullMQ allows no colon in names.
  const name = `touchstone-${run.replaceAll(':', '-')}`;
  const queue = engine.createQueue(name);
  // A connection that is lost is opened again; without a listener it would end the process.
  queue.on('error', () => {});
  return {
    add: async (parts) => {
      const added = queue.addBulk(
        parts.map((part) => ({
          name: 'part',
          data: null,
          opts: {
            jobId: part,
            attempts: mostAttempts,
            backoff: { type: 'exponential', delay: backOffMs },
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
      await answerOf(added);
    },
    work: async (handle, { concurrency, signal }) => {
      if (signal.aborted) return;
      let working = 0;
      const handleJob = async ({ id }: Pick<BullMq.Job, 'id'>) => {
        working += 1;
        await handle(id ?? '').finally(() => (working -= 1));
      };
      const worker = engine.createWorker(name, handleJob, {
        concurrency,
        lockDuration: lockMs,
        stalledInterval: Math.ceil(lockMs / 2),
        maxStalledCount: mostAttempts,
        // The longest wait for a part; the signal ends it at once.
        drainDelay: 1,
      });
      worker.on('error', () => {});
      await once(signal, 'abort');
      const closed = worker.close();
      // The part that is worked on is finished first, however long it takes.
      while (working > 0) await Promise.race([closed, wait(50)]);
      await endWithin(closed, worker);
    },
    pause: async () => await answerOf(queue.pause()),
    resume: async () => await answerOf(queue.resume()),
    remove: async () => await answerOf(queue.obliterate({ force: true })),
    count: async () => {
      // PostgreSQL counts what waits in a paused queue by itself; the types of BullMQ do not know that.
      const states = ['waiting', 'delayed', 'paused', 'active'] as BullMq.JobType[];
      const {
        waiting = 0,
        delayed = 0,
        paused = 0,
        active = 0,
      } = await answerOf(queue.getJobCounts(...states));
      return { waiting: waiting + delayed + paused, active };
    },
    close: async () => await endWithin(queue.close(), queue),
  };
}

/** The time that an engine has to answer, in milliseconds; the connection itself would be tried again for minutes. */
const answerMs = 5000;

async function answerOf<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const isLate: unique symbol = Symbol('late');
  const answer = await Promise.race([asked, wait(answerMs, isLate, { ref: false })]);
  if (answer !== isLate) return answer;
  throw new TouchstoneError(
    'queue-unreachable',
    `The queue has not answered for ${answerMs / 1000} seconds.`,
  );
}

/** The time that an engine has to answer at the end, in milliseconds. */
const endMs = 2000;

/**
 * Waits until connections are closed, and cuts them off where the engine does not answer any more. BullMQ may wait for its
 * connections for ever then, which is not waited for.
 */
async function endWithin(closed: Promise<void>, connection: { disconnect(): Promise<void> }): Promise<void> {
  const isClosed = closed.then(
    () => true,
    () => true,
  );
  if (!(await Promise.race([isClosed, wait(endMs, false)]))) void connection.disconnect().catch(() => {});
}

async function loadEngine(url: string): Promise<Engine> {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'redis:' || protocol === 'rediss:') return await loadRedis(new URL(url));
  if (protocol === 'postgres:' || protocol === 'postgresql:') return await loadPostgres(url);
  // The address itself may contain a password.
  throw new TouchstoneError('usage-invalid', 'The address of the queue is of no known kind.', {
    remedy: 'Use redis://HOST:PORT or postgres://USER@HOST/DATABASE.',
  });
}

async function loadRedis({ hostname, port, username, password, pathname, protocol }: URL): Promise<Engine> {
  const use = 'A queue in Redis';
  await needPackage('ioredis', { for: use, load: async () => await import('ioredis') });
  const bull = await needPackage('bullmq', { for: use, load: async () => await import('bullmq') });
  const connection = {
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    db: Number(pathname.slice(1) || 0),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
  return {
    createQueue: (name) => new bull.Queue(name, { connection }),
    createWorker: (name, handle, options) =>
      new bull.Worker(name, handle, {
        ...options,
        connection: { ...connection, maxRetriesPerRequest: null },
      }),
  };
}

/** The schema of the tables that BullMQ makes. */
const schema = 'touchstone_queue';

async function loadPostgres(connectionString: string): Promise<Engine> {
  const use = 'A queue in PostgreSQL';
  await needPackage('pg', { for: use, load: async () => await import('pg') });
  const bull = await needPackage('bullmq', { for: use, load: async () => await import('bullmq') });
  const { Queue: QueueClass, Worker } = bull.withBackend(bull.createPostgresBackend);
  // A worker holds a pool for its queue, one for its parts, and a connection that waits for the next: at most five in all.
  const connection = { connectionString, schema, max: 2, migrate: true };
  return {
    createQueue: (name) => new QueueClass(name, { connection }) as unknown as BullMq.Queue,
    createWorker: (name, handle, options) =>
      new Worker(name, handle, { ...options, connection }) as unknown as BullMq.Worker,
  };
}
