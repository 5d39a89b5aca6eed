import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { TouchstoneError } from '../../core/errors.ts';
import type { SqlDatabase, SqlSession } from '../sql/database.ts';
import type { ClaimedRun } from '../sql/store-parts.ts';
import type { Claim } from '../store.ts';

/** Takes a claim that is free or over, or was given to the same owner in an attempt whose answer was lost. */
const take = `INSERT INTO claims (run, part, token, owner, until)
  SELECT number, CAST(? AS TEXT), 1, CAST(? AS TEXT), clock_timestamp() + CAST(? AS DOUBLE PRECISION) * interval '1 millisecond' FROM runs WHERE id = ?
  ON CONFLICT (run, part) DO UPDATE SET token = claims.token + 1, owner = excluded.owner, until = excluded.until
    WHERE claims.until <= clock_timestamp() OR claims.owner = excluded.owner
  RETURNING run, token`;
const renew = `UPDATE claims SET until = clock_timestamp() + CAST(? AS DOUBLE PRECISION) * interval '1 millisecond'
  WHERE run = ? AND part = ? AND token = ? RETURNING run`;
const release =
  "UPDATE claims SET until = '-infinity' WHERE run = ? AND part = ? AND token = ? RETURNING run";
const look = `SELECT 1 FROM claims JOIN runs ON runs.number = claims.run
  WHERE runs.id = ? AND claims.part = ? AND claims.until > clock_timestamp()`;
/** The lock lets the transaction of the owner end before another process can take the claim. */
const hold = "SELECT 1 FROM claims WHERE run = ? AND part = '' AND token = ? FOR SHARE";

/**
 * Creates the claims of a store on runs. A claim is a lease by the clock of the database, renewed three times in its length;
 * the claim of a process which has ended is over when it runs out. A process that was held up for longer may have lost its claim
 * to another one: its writes to the run are then refused, since each looks at the token of the claim.
 * @param query - Runs a statement in a transaction of its own.
 */
export function createClaims(query: SqlDatabase['all'], leaseMs: number) {
  const held = new Map<number, number>();
  const timers = new Set<NodeJS.Timeout>();

  async function claimRun(runId: string, part: string = ''): Promise<Claim> {
    const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
    const [row] = await query(take, [part, owner, leaseMs, runId]);
    if (row === undefined) throw inProgress(runId, leaseMs);
    const [run, token] = row as readonly [number, number];
    if (part === '') held.set(run, token);
    const lost = new AbortController();
    const timer = setInterval(() => void renewOnce(), leaseMs / 3);
    const end = () => {
      clearInterval(timer);
      return timers.delete(timer);
    };
    // A renewal that fails is tried again: until another process takes the claim, it stays this one's.
    const renewOnce = async () => {
      const renewed = await query(renew, [leaseMs, run, part, token]).catch(() => undefined);
      if (renewed?.length === 0 && end()) lost.abort(wasLost(runId));
    };
    timers.add(timer.unref());
    return {
      lost: lost.signal,
      [Symbol.asyncDispose]: async () => {
        if (!end()) return;
        if (part === '' && held.get(run) === token) held.delete(run);
        // Where the database cannot be reached, the claim runs out.
        await query(release, [run, part, token]).catch(() => {});
      },
    };
  }

  return {
    claimRun,
    isClaimed: async (runId: string, part: string = ''): Promise<boolean> =>
      (await query(look, [runId, part])).length > 0,
    /** Returns the token of the claim that is held here on a run, by its number; undefined when none is. */
    tokenOf: (run: number): number | undefined => held.get(run),
    /** Makes sure, until the end of a transaction, that a run which was claimed here is still claimed here. */
    requireClaim: (session: SqlSession, { runId, number }: ClaimedRun): void => {
      const token = held.get(number);
      if (token === undefined) return;
      session.send(hold, [number, token], ([row]) => {
        if (row === undefined) throw wasLost(runId);
      });
    },
    close: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

function inProgress(runId: string, leaseMs: number): TouchstoneError {
  return new TouchstoneError('run-in-progress', `Run ${runId} is being worked on by another process.`, {
    remedy: `Wait until it ends, or stop it with Ctrl-C. If it was killed, its claim ends within ${Math.ceil(leaseMs / 1000)} s.`,
  });
}

function wasLost(runId: string): TouchstoneError {
  return new TouchstoneError(
    'run-in-progress',
    `This process was delayed for so long that another one has taken over run ${runId}.`,
    { remedy: 'Wait until the other process ends; what was stored is safe.' },
  );
}
