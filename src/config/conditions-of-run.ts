import type { Condition } from '../schema/condition.ts';
import type { Run } from '../schema/run.ts';
import type { AskedCondition } from './condition-setting.ts';

/** The conditions that targets of a run are under, as a config asks for them: its answers need the same metrics again. */
export function conditionsOfRun({ targets }: Pick<Run, 'targets'>): {
  faults: AskedCondition[];
  perturb: AskedCondition[];
} {
  const asked = (wanted: Condition['type']) =>
    targets.flatMap(({ condition }) => {
      if (condition?.type !== wanted) return [];
      const { kind, variant, rate } = condition;
      return [{ kind, ...(variant !== undefined && { variant }), ...(rate !== undefined && { rate }) }];
    });
  return { faults: asked('fault'), perturb: asked('perturbation') };
}
