import { limitConcurrency, wait } from '../../core/lib/waiting.ts';
import { randomId } from '../../core/lib/random-id.ts';
import type { Store } from '../../stores/store.ts';
import { OwnError } from './errors.ts';

/** The process that spends now, and the time until which the others wait, in milliseconds since 1970 on the clock of the store. */
interface Turn {
  readonly owner: string;
  readonly until: number;
}

const name = 'agents-turn';
/** The milliseconds after which the turn of a process that has died is over: longer than clients wait for a start. */
const turnMs = 120_000;
/** The longest that a call waits for its turn, in milliseconds: many clients give up after 60 seconds. */
const longestWaitMs = 40_000;
const lookEveryMs = 100;

/** In one process, no call has to look whether it is its turn. */
const inTurnHere = limitConcurrency(1);

/**
 * Does work by which an agent spends in its turn: one after the other, also in other processes with the store, so that each sees what
 * the one before has spent. Throws `run-in-progress` when the turn of another does not end.
 */
export async function inAgentsTurn<Result>(
  { shared }: Pick<Store, 'shared'>,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const owner = randomId();
  const take = async () =>
    await shared.change<Turn, boolean>(name, (turn, now) =>
      turn !== undefined && now < turn.until
        ? { value: turn, result: false }
        : { value: { owner, until: now + turnMs }, result: true },
    );
  return await inTurnHere(async () => {
    const untilMs = performance.now() + longestWaitMs;
    while (!(await take())) {
      if (signal.aborted || performance.now() > untilMs)
        throw new OwnError(
          'run-in-progress',
          'Another agent begins a run; one at a time.',
          'Call it again in a minute.',
        );
      await wait(lookEveryMs, signal).catch(() => {});
    }
    try {
      return await work();
    } finally {
      await shared.change<Turn, void>(name, (turn) => ({
        value: turn?.owner === owner ? undefined : turn,
        result: undefined,
      }));
    }
  });
}
