import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { CaseOrder } from './case-order.ts';
import type { RuleWatch } from './rule-watch.ts';
import type { TargetNumbers } from './target-numbers.ts';

/** What rules are told of a target: trials as they come, units only in the random order. */
export interface TargetWatch {
  add(position: number, outcome: Outcome): void;
  /** Cases that were answered in their turn. */
  cases(): number;
}

/**
 * Goes through the random order as far as it is answered without a gap. Which answers come first says something of them:
 * a bot that is slow where it fails would be judged by its quick answers. So none counts before all that precede it.
 */
export function watchTarget(
  { dataset, attempts }: Run,
  { positions, starts }: CaseOrder,
  { numbers, watches }: { readonly numbers: TargetNumbers; readonly watches: readonly RuleWatch[] },
): TargetWatch {
  const done = new Uint16Array(dataset.cases);
  let unit = 0;
  let place = 0;

  const goOn = () => {
    while (unit + 1 < starts.length) {
      const end = starts[unit + 1] as number;
      while (place < end && (done[positions[place] as number] as number) >= attempts) place += 1;
      if (place < end) return;
      for (const watch of watches) watch.advance(positions.subarray(starts[unit], end));
      unit += 1;
    }
  };

  return {
    add: (position, outcome) => {
      done[position] = (done[position] as number) + 1 + (outcome.notNeeded ?? 0);
      numbers.add(position, outcome);
      for (const watch of watches) watch.add?.(position, outcome);
      goOn();
    },
    cases: () => starts[unit] as number,
  };
}
