import { conditionSettingSchema } from '../config/condition-setting.ts';
import type { Config } from '../config/config.ts';
import { ConfigProblem } from '../config/config-problem.ts';
import { checkConditions } from '../config/find-conditions.ts';
import { TouchstoneError } from '../errors.ts';

/** What `--faults` and `--perturb` hold: kinds with commas between them, each flag as often as you like. */
export interface ConditionFlags {
  readonly faults?: readonly string[];
  readonly perturb?: readonly string[];
}

/** The conditions that flags ask for in place of the config's. Throws `usage-invalid`, naming the flag and what is wrong. */
export function conditionsOf({ faults, perturb }: ConditionFlags): Pick<Config, 'faults' | 'perturb'> {
  return {
    ...(faults !== undefined && { faults: readFlag('faults', faults) }),
    ...(perturb !== undefined && { perturb: readFlag('perturb', perturb) }),
  };
}

function readFlag(flag: 'faults' | 'perturb', given: readonly string[]): string[] {
  const kinds = given.flatMap((text) => text.split(',').map((kind) => kind.trim()));
  for (const kind of kinds) {
    const issue = conditionSettingSchema.safeParse(kind).error?.issues[0];
    if (issue !== undefined) throw refuse(flag, `"${kind}": ${issue.message}`);
  }
  try {
    checkConditions({ faults: [], perturb: [], [flag]: kinds });
    return kinds;
  } catch (error) {
    if (error instanceof ConfigProblem) throw refuse(flag, error.issues[0]?.message ?? '');
    throw error;
  }
}

function refuse(flag: string, message: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', `--${flag}: ${message}`, {
    remedy: 'See `touchstone run --help`, below "Faults and perturbations".',
  });
}
