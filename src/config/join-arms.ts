import { TouchstoneError } from '../errors.ts';
import type { Evaluation, LiveTarget } from '../run/evaluation.ts';
import type { TargetChoice } from '../analysis/compare/pick-targets.ts';
import { gateSchema } from '../schema/gate.ts';
import { describeArms } from './describe-arms.ts';
import { findArmDifferences } from './find-arm-differences.ts';
import { joinSecrets } from './known-secrets.ts';
import type { LoadedEvaluation } from './load-evaluation.ts';
import { pickArms } from './pick-arms.ts';

/** An A/B test that is ready to be run. */
export interface LoadedArms {
  /** Both targets over one dataset, taking turns. */
  readonly loaded: LoadedEvaluation;
  /** The names that the two bear there. */
  readonly targets: TargetChoice;
}

/**
 * One evaluation over a target of each of two: what is asked and how it is scored is that of the first, and has to be that
 * of the second. Throws `usage-invalid` where it is not, and where both targets are the same.
 */
export async function joinArms(a: LoadedEvaluation, b: LoadedEvaluation): Promise<LoadedArms> {
  const differences = await findArmDifferences(a, b);
  if (differences.length > 0) throw notComparable(differences);
  const [first, second] = pickArms(a.evaluation.targets, b.evaluation.targets);
  const [armA, armB] = first.name === second.name ? [named(first, 'a'), named(second, 'b')] : [first, second];
  return {
    loaded: {
      ...a,
      evaluation: {
        ...a.evaluation,
        targets: [armA, armB],
        notices: [...(a.evaluation.notices ?? []), describeArms(armA, armB)],
        ...caseRuleOf(a),
        isInterleaved: true,
        gate: gateSchema.parse({}),
        ...secretsOf(a, b),
      },
    },
    targets: { a: armA.name, b: armB.name },
  };
}

/** Attempts are made side by side, so that none is left out because of how the others went. */
function caseRuleOf({ evaluation: { caseRule } }: LoadedEvaluation): Pick<Evaluation, 'caseRule'> {
  return caseRule === undefined ? {} : { caseRule: { ...caseRule, isCurtailed: false } };
}

function secretsOf(a: LoadedEvaluation, b: LoadedEvaluation): Pick<Evaluation, 'secrets'> {
  const [one, other] = [a.evaluation.secrets, b.evaluation.secrets];
  return { secrets: one === undefined || other === undefined ? (one ?? other) : joinSecrets(one, other) };
}

function named(target: LiveTarget, side: 'a' | 'b'): LiveTarget {
  return { ...target, name: `${target.name}-${side}` };
}

function notComparable(differences: readonly string[]): TouchstoneError {
  const list = differences.map((difference) => `\n  ${difference}`).join('');
  const message = `A and B differ in more than the target, so that a difference in scores could not be told from one in the rules:${list}`;
  return new TouchstoneError('usage-invalid', message, {
    remedy:
      'Make these the same on both sides; runs that were made by different rules are compared with `touchstone rescore` and `touchstone compare`.',
  });
}
