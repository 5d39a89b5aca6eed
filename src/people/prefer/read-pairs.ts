import type { Case } from '../../core/schema/case.ts';
import type { Trial } from '../../core/schema/trial.ts';
import type { Store } from '../../stores/store.ts';
import type { Contestant } from './compared-targets.ts';

/** The answers of two targets to the same case, in the same attempt. */
export interface PairOfAnswers {
  readonly case: Case;
  /** The hash of the content of the case. */
  readonly caseHash: string;
  readonly attempt: number;
  readonly a: AnswerOf;
  readonly b: AnswerOf;
}

/** The trial of a target; undefined where it has none. */
export interface AnswerOf {
  readonly contestant: Contestant;
  readonly trial: Trial | undefined;
}

/** The number of pairs to compare between two targets. */
export interface PlannedPairs {
  readonly a: Contestant;
  readonly b: Contestant;
  readonly pairs: number;
  readonly casesOnlyInA: number;
  readonly casesOnlyInB: number;
}

/** The plan of a comparison of every two targets, and the answers. */
export interface ComparisonPlan {
  readonly planned: readonly PlannedPairs[];
  /** Yields the pairs case by case, without keeping them in memory. */
  read(): AsyncGenerator<PairOfAnswers>;
}

/** The position of every case of a run by the hash of its content. */
type Positions = ReadonlyMap<string, number>;

/** Pairs the cases of all targets by content, as a comparison of runs does; every attempt that both have is a pair. */
export async function planComparison(
  contestants: readonly Contestant[],
  store: Store,
): Promise<ComparisonPlan> {
  const positions = new Map<string, Positions>();
  for (const { run } of contestants) {
    if (!positions.has(run)) positions.set(run, await readPositions(run, store));
  }
  const positionsOf = ({ run }: Contestant) => positions.get(run) as Positions;
  const couples = contestants.flatMap((a, place) => contestants.slice(place + 1).map((b) => ({ a, b })));
  const planned = couples.map(({ a, b }) => {
    const [inA, inB] = [positionsOf(a), positionsOf(b)];
    const shared = inA.keys().reduce((count, hash) => count + (inB.has(hash) ? 1 : 0), 0);
    return {
      a,
      b,
      pairs: shared * attemptsOf(a, b),
      casesOnlyInA: inA.size - shared,
      casesOnlyInB: inB.size - shared,
    };
  });
  const hashes = new Set([...positions.values()].flatMap((each) => [...each.keys()]));

  async function* read(): AsyncGenerator<PairOfAnswers> {
    for (const caseHash of hashes) {
      const found = await readCase(caseHash, positions, { contestants, store });
      for (const { a, b } of couples) {
        if (!positionsOf(a).has(caseHash) || !positionsOf(b).has(caseHash)) continue;
        for (let attempt = 1; attempt <= attemptsOf(a, b); attempt += 1) {
          const answerOf = (contestant: Contestant) => ({
            contestant,
            trial: found.trials.get(keyOf(contestant.run, contestant.target, attempt)),
          });
          yield { case: found.case, caseHash, attempt, a: answerOf(a), b: answerOf(b) };
        }
      }
    }
  }
  return { planned, read };
}

function attemptsOf(a: Contestant, b: Contestant): number {
  return Math.min(a.runRecord.attempts, b.runRecord.attempts);
}

async function readPositions(runId: string, store: Store): Promise<Positions> {
  const positions = new Map<string, number>();
  for await (const { hash, position } of store.readCases(runId)) positions.set(hash, position);
  return positions;
}

function keyOf(run: string, target: string, attempt: number): string {
  return JSON.stringify([run, target, attempt]);
}

type Sources = { readonly contestants: readonly Contestant[]; readonly store: Store };

/** Reads a case and the trials at it, of all runs that have it. */
async function readCase(
  hash: string,
  positions: ReadonlyMap<string, Positions>,
  { contestants, store }: Sources,
): Promise<{ readonly case: Case; readonly trials: ReadonlyMap<string, Trial> }> {
  const trials = new Map<string, Trial>();
  let found: Case | undefined;
  for (const [id, inRun] of positions) {
    const position = inRun.get(hash);
    const run = contestants.find((contestant) => contestant.run === id)?.runRecord;
    if (position === undefined || run === undefined) continue;
    for await (const planned of store.readCases(id, [position])) found ??= planned.case;
    const perCase = run.targets.length * run.attempts;
    const ordinals = Array.from({ length: perCase }, (_, place) => position * perCase + place);
    for await (const { trial } of store.readResults(id, ordinals)) {
      trials.set(keyOf(id, trial.target, trial.attempt), trial);
    }
  }
  return { case: found as Case, trials };
}
