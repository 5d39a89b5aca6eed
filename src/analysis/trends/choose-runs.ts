import type { Run } from '../../schema/run.ts';

/** Which runs a trend is made of. */
export interface RunChoices {
  /** The newest so many; all when left out. */
  readonly last?: number | undefined;
  /** A moment before which runs are left out, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** The only branch of git to look at. */
  readonly branch?: string | undefined;
}

/** A run at the moment at which its answers were given. */
export interface PlacedRun {
  readonly run: Run;
  readonly createdAt: string;
}

/** The runs that were chosen, the oldest first, and how many were left out for a newer scoring of the same answers. */
export interface ChosenRuns {
  readonly runs: readonly PlacedRun[];
  readonly superseded: number;
}

/**
 * The runs of a trend in the order in which their answers were given. Answers that were scored several times count once, as
 * the newest scoring that is done has them, at the time and the commit of the answers.
 */
export function chooseRuns(kept: readonly Run[], { last, since, branch }: RunChoices): ChosenRuns {
  const byId = new Map(kept.map((run) => [run.id, run]));
  const scorings = Map.groupBy(kept, (run) => originOf(run, byId).id);
  const placed = [...scorings.values()].map((runs) => {
    const newest = newestOf(runs);
    return { run: newest, createdAt: originOf(newest, byId).createdAt, others: runs.length - 1 };
  });
  const chosen = placed
    .filter(({ createdAt }) => since === undefined || Date.parse(createdAt) >= since)
    .filter(({ run }) => branch === undefined || run.git?.branch === branch)
    .toSorted((a, b) => compareTexts(a.createdAt, b.createdAt) || compareTexts(a.run.id, b.run.id))
    .slice(last === undefined ? 0 : -last);
  return {
    runs: chosen.map(({ run, createdAt }) => ({ run, createdAt })),
    superseded: chosen.reduce((sum, { others }) => sum + others, 0),
  };
}

/** The run that the answers were given in, as far as it is kept. */
function originOf(run: Run, byId: ReadonlyMap<string, Run>): Run {
  const seen = new Set<string>();
  let origin = run;
  while (origin.rescoredFrom !== undefined && !seen.has(origin.id)) {
    seen.add(origin.id);
    const earlier = byId.get(origin.rescoredFrom);
    if (earlier === undefined) return origin;
    origin = earlier;
  }
  return origin;
}

/** A scoring that was broken off does not take the place of one that is done. */
function newestOf(runs: readonly Run[]): Run {
  const done = runs.filter(({ status }) => status === 'completed');
  const candidates = done.length > 0 ? done : runs;
  return candidates.reduce((newest, run) => (run.createdAt > newest.createdAt ? run : newest));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
