import { checkDomain } from '../check-domain.ts';
import type { StoppingDecision } from '../stopping/sequence-decision.ts';

/** "At least `required` of `planned` attempts pass": the rule by which a case passes, and by which its attempts stop. */
export type AttemptRule = {
  readonly planned: number;
  readonly required: number;
};

/** Where the attempts at one case stand, and for how many of the planned ones each stands. */
export type SettledAttempts = {
  readonly decision: StoppingDecision;
  /** Attempts up to the one that settled the verdict, with it; all of them while it is open. */
  readonly used: number;
  /**
   * One for each attempt, by which it is to be multiplied in a mean over the attempts of the case. They add up to
   * `planned` once the verdict is settled or all attempts are made; until then each is 1.
   */
  readonly weights: readonly number[];
};

/**
 * Applies a rule to attempts that stop as soon as they settle its verdict, and undoes what that does to their mean: of
 * attempts that end with a pass there are too many passes among them. The mean of any number, weighted like this, is
 * without bias for what a single attempt gives on average.
 *
 * Method: M. A. Girshick, F. Mosteller & L. J. Savage, "Unbiased estimates for certain binomial sampling problems
 * with applications", Annals of Mathematical Statistics 17 (1946): the share of the ways to the end that begin with a
 * pass. Where the last attempt settled the verdict, each outcome counts as often as it came before the last, out of
 * N − 1; what a number is on average within an outcome does not depend on when the attempts stopped
 * (D. Blackwell, Annals of Mathematical Statistics 18 (1947)).
 *
 * @param results - In the order of the attempts; null for one that could not be measured, which neither passes nor fails.
 * @throws RangeError unless the counts are whole with 1 ≤ required ≤ planned, and there are not more results than planned.
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

/** @throws RangeError unless both are whole numbers with 1 ≤ required ≤ planned. */
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
