import type { SqlSession, SqlWork } from './database.ts';

/** A piece of work that waits for a transaction, with the functions that settle its promise. */
interface Waiting {
  readonly work: SqlWork<unknown>;
  readonly parts: readonly string[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The steps of a transaction. Only `rollback` never throws. */
interface TransactionSteps {
  begin(): Promise<SqlSession>;
  /** Waits until no other transaction is in some parts of the store; absent where transactions run one at a time anyway. */
  enter?(session: SqlSession, parts: readonly string[]): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Returns whether a failed transaction is to be run again, after a pause; absent where the first failure counts. */
  mayRepeat?(error: unknown, tries: number): Promise<boolean>;
}

/**
 * Creates a queue that runs transactions one after the other. Work that waits at the same time shares one, since a
 * transaction costs more than most of the work in it. `settled` resolves when none is open or waiting.
 */
export function createTransactions(steps: TransactionSteps) {
  let waiting: Waiting[] = [];
  let committed = Promise.resolve();

  const takeWaiting = (): readonly Waiting[] => {
    const group = waiting;
    waiting = [];
    return group;
  };

  /**
   * Runs a group of work in one transaction; when one piece fails, runs each piece in a transaction of its own. Without a group, runs
   * all that waits once the transaction has begun: what comes while another process holds the store goes with it.
   */
  async function run(given?: readonly Waiting[], tries = 1): Promise<void> {
    let group = given;
    let results: unknown[];
    try {
      results = await runSteps(steps, () => (group ??= takeWaiting()));
    } catch (error) {
      group ??= takeWaiting();
      if ((await steps.mayRepeat?.(error, tries)) === true) return await run(group, tries + 1);
      if (group.length > 1 && !(error instanceof NotBegun)) for (const one of group) await run([one]);
      else for (const { reject } of group) reject(error instanceof NotBegun ? error.cause : error);
      return;
    }
    for (const [index, { resolve }] of (group ?? []).entries()) resolve(results[index]);
  }

  async function transaction<Result>(work: SqlWork<Result>, parts: readonly string[] = []): Promise<Result> {
    return await new Promise<Result>((resolve, reject) => {
      waiting.push({ work, parts, resolve: resolve as Waiting['resolve'], reject });
      if (waiting.length > 1) return;
      setImmediate(() => {
        committed = committed.then(async () => await run());
      });
    });
  }

  const settled = async (): Promise<void> => {
    if (waiting.length > 0) await transaction(async () => {}).catch(() => {});
    await committed;
  };
  return { transaction, settled };
}

/** A failure to begin: no piece of work is at fault. */
class NotBegun extends Error {}

async function runSteps(steps: TransactionSteps, take: () => readonly Waiting[]): Promise<unknown[]> {
  const session = await steps.begin().catch((cause: unknown) => {
    throw new NotBegun('', { cause });
  });
  try {
    const results: unknown[] = [];
    for (const { work, parts } of take()) {
      if (parts.length > 0) await steps.enter?.(session, parts);
      results.push(await work(session));
    }
    await steps.commit();
    return results;
  } catch (error) {
    await steps.rollback();
    throw error;
  }
}
