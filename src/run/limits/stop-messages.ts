/** What a run has cost when it is stopped, in US dollars. */
export interface CostStop {
  readonly spent: number;
  /** What one more trial is likely to cost, judges included. */
  readonly next: number;
  readonly maxCost: number;
}

/** Why a run was stopped that may cost so much. */
export function describeCostStop({ spent, next, maxCost }: CostStop): string {
  const limit = `its limit of ${dollars(maxCost)}`;
  if (spent > maxCost + 1e-6) return `the run has cost ${dollars(spent)}, and ${limit} is passed`;
  return `the run has cost ${dollars(spent)}, and one more trial (about ${dollars(next)}) could pass ${limit}`;
}

/** Why a run was stopped that may take so long. */
export function describeTimeStop(maxDurationMs: number): string {
  return `the time limit of the run, ${maxDurationMs} ms, is over`;
}

/** Why a target is not asked any more. */
export function describeFailureStop(target: string, failures: number): string {
  return `${target} failed ${times(failures)}, and is not asked any more`;
}

/** Why no target of a run is asked any more in which they take turns. */
export function describeTurnsStop(target: string, failures: number): string {
  return `${target} failed ${times(failures)}, and without it there is nothing to compare`;
}

function times(failures: number): string {
  return failures === 1 ? 'at once' : `${failures} times in a row`;
}

function dollars(amount: number): string {
  const digits = amount >= 0.995 || amount === 0 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(amount)));
  return `$${amount.toFixed(Math.max(2, digits)).replace(/(\.\d\d+?)0+$/, '$1')}`;
}
