import { TouchstoneError } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import type { LiveTarget } from '../run/evaluation.ts';
import { conditionName } from '../schema/condition.ts';
import type { CheckedConfig } from './config.ts';
import { findConditions, type LiveCondition } from './find-conditions.ts';
import { refuseDuplicates } from './refuse-duplicates.ts';
import type { ResolveNeeds } from './resolve-needs.ts';

/** The targets of a run with those that are put under conditions, and what has to be said of the others. */
export interface ExpandedTargets {
  readonly targets: LiveTarget[];
  readonly notices: string[];
}

/**
 * Adds to every target the same one under each condition that the config asks for: `bot`, `bot + fault timeout`, `bot +
 * typos`. Where a condition has no hold on a target, a notice says so. Throws `usage-invalid` when one has on none.
 */
export function expandConditions(
  plain: readonly LiveTarget[],
  config: CheckedConfig,
  needs: ResolveNeeds,
): ExpandedTargets {
  const conditions = findConditions(config, needs);
  const notices: string[] = [];
  for (const live of conditions) {
    const reasons = plain.flatMap((target) => whyNot(live, target) ?? []);
    if (reasons.length === plain.length) throw outOfReach(live, reasons);
    notices.push(...reasons.map((reason) => `Left out: ${reason}`));
  }
  const targets = plain.flatMap((target) => [
    target,
    ...conditions
      .filter((live) => whyNot(live, target) === undefined)
      .map((live) => underCondition(target, live)),
  ]);
  refuseDuplicates('targets', targets);
  return { targets, notices: [...new Set(notices)] };
}

function underCondition(plain: LiveTarget, { condition, identity, wrap }: LiveCondition): LiveTarget {
  const { name, use, fingerprint, target } = plain;
  return {
    name: `${name} + ${conditionName(condition)}`,
    use,
    fingerprint: hashContent({ of: fingerprint, condition, identity }),
    condition: { ...condition, of: name },
    target: wrap(target),
  };
}

/** Why a condition has no hold on a target; undefined when it has. */
function whyNot(
  { condition, isInTools }: LiveCondition,
  { name, use, target }: LiveTarget,
): string | undefined {
  const what = conditionName(condition);
  if (target.holdsConversation === true) {
    return `${what} for ${name}: its answers were recorded before, whatever it is asked.`;
  }
  if (!isInTools || target.hasToolsInReach === true) return undefined;
  return `${what} for ${name}: Touchstone does not run the tools of a \`${use.use}\` target, so it cannot put anything into them.`;
}

function outOfReach({ condition }: LiveCondition, reasons: readonly string[]): TouchstoneError {
  const message = `${conditionName(condition)} can be put on none of the targets:\n  ${reasons.join('\n  ')}`;
  return new TouchstoneError('usage-invalid', message, {
    remedy:
      'Tools are in reach in a `chat` target, and in a `module` target whose function uses them by `request.useTool`. Choose such a target with `--target`, or leave the condition out.',
  });
}
