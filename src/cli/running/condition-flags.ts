import { conditionSettingSchema } from '../../library/config/conditions/condition-setting.ts';
import { checkConditions } from '../../library/config/conditions/find-conditions.ts';
import { ConfigProblem } from '../../library/config/config-problem.ts';
import type { Config } from '../../library/config/config.ts';
import type { InputOf } from '../program/input.ts';
import type { runInputs } from '../program/shared-inputs.ts';
import { TouchstoneError } from '../../core/errors.ts';

/** `--faults` and `--perturb`: kinds separated by commas; each flag may be repeated. */
type ConditionFlags = Pick<InputOf<typeof runInputs>, 'faults' | 'perturb'>;

/** Returns the conditions that flags set in place of the config's. Throws `usage-invalid`, which names the flag. */
export function conditionsOf({ faults, perturb }: ConditionFlags): Pick<Config, 'faults' | 'perturb'> {
  return {
    ...(faults !== undefined && { faults: readFlag('faults', faults) }),
    ...(perturb !== undefined && { perturb: readFlag('perturb', perturb) }),
  };
}

function readFlag(flag: 'faults' | 'perturb', chosen: readonly string[]): string[] {
  const kinds = chosen.flatMap((text) => text.split(',').map((kind) => kind.trim()));
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
    remedy: 'See "Faults and perturbations" in `touchstone run --help`.',
  });
}
