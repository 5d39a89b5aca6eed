import { checkDomain } from '../check-domain.ts';
import type { StoppingDecision } from '../stopping/sequence-decision.ts';

/** "At least `required` of `planned` attempts pass": the rule by which a case passes, and by which its attempts stop. */
export type AttemptRule = {
  readonly planned: number;
  readonly required: number;
};

/** The verdict on the attempts at one case, and the weight of each attempt. */
export type SettledAttempts = {
  readonly decision: StoppingDecision;
  /** The number of attempts up to and including the one that settled the verdict; all attempts while it is open. */
  readonly used: number;
  /**
   * A weight for each attempt in a mean over the attempts of the case. The weights sum to `planned` once the verdict is
   * settled or all attempts are made; until then each is 1.
   */
  readonly weights: readonly number[];
};

/**
 * Applies a rule to attempts that stop as soon as they settle its verdict, and corrects the bias of their mean:
 * attempts that end with a pass contain too many passes. The mean of any number, weighted like this, is an unbiased
 * estimate of the mean of single attempts.
 *
 * Method: M. A. Girshick, F. Mosteller & L. J. Savage, "Unbiased estimates for certain binomial sampling problems with
 * applications", Annals of Mathematical Statistics 17 (1946): the share of the ways to the end that begin with a pass.
 * When the last attempt settled the verdict, each outcome counts as often as it occurred before the last, out of N − 1;
 * the mean of a number within an outcome does not depend on when the attempts stopped (D. Blackwell, Annals of
 * Mathematical Statistics 18 (1947)).
 *
 * @param results - The results in the order of the attempts; null for one that could not be measured, which neither
 * passes nor fails.
 * @throws RangeError unless the counts are whole with 1 ≤ required ≤ planned, and there are not more results than
 * planned.
 */
export function settleAttempts(
  options: AttemptRule & { readonly results: readonly (boolean | null)[] },
): SettledAttempts {
  const { results, planned } = options;
  checkRule(options);
  const most = `a whole number of at most planned (${planned})`;
  checkDomain(results.length <= planned, 'results', results.length, most);
  const { decision, used } = findSettling(results, options);
  const counted = results.slice(0, used);
  if (decision === 'continue') {
    return { decision, used, weights: results.map(() => 1) };
  }
  const last = counted.at(-1);
  const weightOf = (result: boolean | null): number => {
    const all = counted.filter((other) => other === result).length;
    if (used === 1) return planned;
    return ((all - Number(result === last)) / (used - 1) / all) * planned;
  };
  return { decision, used, weights: results.map((result, place) => (place < used ? weightOf(result) : 0)) };
}

/**
 * Checks a rule.
 * @throws RangeError unless both are whole numbers with 1 ≤ required ≤ planned.
 */
export function checkRule({ planned, required }: AttemptRule): void {
  checkDomain(
    Number.isSafeInteger(planned) && planned > 0,
    'planned',
    planned,
    'a whole number of at least 1',
  );
  const isRequirement = Number.isSafeInteger(required) && required > 0 && required <= planned;
  checkDomain(isRequirement, 'required', required, `a whole number from 1 to planned (${planned})`);
}

function findSettling(
  results: readonly (boolean | null)[],
  { planned, required }: AttemptRule,
): Pick<SettledAttempts, 'decision' | 'used'> {
  let [passed, failed] = [0, 0];
  for (const [place, result] of results.entries()) {
    passed += Number(result === true);
    failed += Number(result === false);
    if (passed === required) return { decision: 'pass', used: place + 1 };
    if (failed > planned - required) return { decision: 'fail', used: place + 1 };
  }
  return { decision: 'continue', used: results.length };
}
