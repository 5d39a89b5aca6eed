import { hashText } from '../../../core/lib/content-hash.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { PlannedCase } from '../../../core/schema/result.ts';
import type { Run, RunTarget } from '../../../core/schema/run.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';

/**
 * Returns the trials of a case in the order of the plan: target by target, then attempt by attempt. The same case,
 * target and attempt have the same key and seed in every run. Under a condition the seed is the seed of the target without
 * it, so that two such trials differ in the condition alone.
 */
export function trialsOfCase(run: Run, planned: PlannedCase): TrialSpec[] {
  const specs: TrialSpec[] = [];
  // The key contains the simulated user, since another user says other things. A script is part of the case.
  const player = planned.case.user?.goal === undefined ? '' : ` ${run.user?.fingerprint}`;
  const recording = recordingOf(run, planned.case);
  const keyOf = (fingerprint: string, attempt: number) =>
    hashText(`${planned.hash} ${fingerprint} ${attempt}${player}${recording}`);
  for (const [targetNumber, target] of run.targets.entries()) {
    const { name, fingerprint } = target;
    const plain = withoutCondition(run, target).fingerprint;
    for (let attempt = 1; attempt <= run.attempts; attempt += 1) {
      const key = keyOf(fingerprint, attempt);
      const seedKey = plain === fingerprint ? key : keyOf(plain, attempt);
      specs.push({
        key,
        ordinal: (planned.position * run.targets.length + targetNumber) * run.attempts + attempt - 1,
        case: planned.case,
        caseHash: planned.hash,
        target: name,
        attempt,
        seed: (Number.parseInt(seedKey.slice(0, 8), 16) ^ run.seed) >>> 0,
      });
    }
  }
  return specs;
}

/** Returns the part of the keys of a case that stands for the recorded results of its tools; empty where there are none. */
export function recordingOf({ tools }: Pick<Run, 'tools'>, { id }: Case): string {
  const hash = tools?.recordings?.[id];
  return hash === undefined ? '' : ` tools ${hash}`;
}

/** Returns the target that a condition is compared with; a target without a condition is its own. */
function withoutCondition({ targets }: Run, target: RunTarget): RunTarget {
  const { condition } = target;
  if (condition === undefined) return target;
  return targets.find(({ name }) => name === condition.of) ?? target;
}
