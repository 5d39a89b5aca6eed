import type { Run } from '../../schema/run.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';

/**
 * Trials in groups: the attempts of one target at one case. Those of a case stand side by side, in the order of
 * their first attempts.
 */
export async function* byCase(
  { targets, attempts }: Pick<Run, 'targets' | 'attempts'>,
  trials: AsyncIterable<TrialSpec>,
): AsyncGenerator<TrialSpec[]> {
  let ofCase: TrialSpec[] = [];
  const caseOf = ({ ordinal }: TrialSpec) => Math.floor(ordinal / (targets.length * attempts));
  for await (const spec of trials) {
    const [first] = ofCase;
    if (first !== undefined && caseOf(first) !== caseOf(spec)) {
      yield* byTarget(ofCase);
      ofCase = [];
    }
    ofCase.push(spec);
  }
  yield* byTarget(ofCase);
}

function byTarget(trials: readonly TrialSpec[]): TrialSpec[][] {
  return [...Map.groupBy(trials, ({ target }) => target).values()];
}
