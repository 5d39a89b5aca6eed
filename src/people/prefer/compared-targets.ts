import { TouchstoneError } from '../../core/errors.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { ComparedTarget } from '../../core/schema/api/preference/report.ts';
import type { Run } from '../../core/schema/run.ts';

/** A target whose answers are compared, with the record of its run. */
export interface Contestant extends ComparedTarget {
  readonly runRecord: Run;
}

/**
 * Picks the targets whose answers are compared: the targets of all given runs, without conditions, or only the targets of the given
 * names. A name that several runs have is followed by the id of its run. Throws `usage-invalid` for an unknown name, and
 * for fewer than two targets.
 */
export function pickContestants(runs: readonly Run[], chosen: readonly string[] = []): Contestant[] {
  const distinct = [...new Map(runs.map((run) => [run.id, run])).values()];
  const all = distinct.flatMap((runRecord) =>
    (chosen.length === 0 ? withoutConditions(runRecord.targets) : runRecord.targets).map(({ name }) => ({
      runRecord,
      target: name,
    })),
  );
  const unknown = chosen.find((name) => !all.some(({ target }) => target === name));
  if (unknown !== undefined) throw unknownTarget(unknown, all);
  const picked = chosen.length === 0 ? all : all.filter(({ target }) => chosen.includes(target));
  if (picked.length < 2) {
    throw new TouchstoneError('usage-invalid', 'Answers are compared between two targets or more.', {
      remedy: 'Name two runs, `touchstone prefer latest~1 latest`, or one run with several targets.',
    });
  }
  return picked.map(({ runRecord, target }) => {
    const isShared = picked.filter((other) => other.target === target).length > 1;
    const { id } = runRecord;
    return { runRecord, target, run: id, name: isShared ? `${target} @ ${id}` : target };
  });
}

function unknownTarget(unknown: string, all: readonly { readonly target: string }[]): TouchstoneError {
  const known = [...new Set(all.map(({ target }) => target))].join(', ');
  return new TouchstoneError('usage-invalid', `No run has a target "${unknown}"; there are ${known}.`);
}

/** Returns the newest run of targets: judgements about their answers are stored there. */
export function newestOf(contestants: readonly Contestant[]): Run {
  const runs = contestants.map(({ runRecord }) => runRecord);
  const [newest] = runs.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  return newest as Run;
}

function keyOf({ createdAt, id }: Run): string {
  return `${createdAt} ${id}`;
}
