import { notMeasured } from '../rules/gate-rule.ts';
import type { PlannedWatch } from './rule-watch.ts';
import type { WatchPlace } from './watch-context.ts';

/** A rule of which nothing is certain before the end: it keeps the run going, unless another rule fails. */
export function planOpen({ rule }: WatchPlace, reason: string): PlannedWatch {
  return {
    rule,
    kind: 'exact',
    begin: () => ({
      advance: () => {},
      standing: () => 'continue',
      finding: () => notMeasured(reason),
    }),
  };
}
