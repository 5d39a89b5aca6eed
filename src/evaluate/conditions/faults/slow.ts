import { slowKind } from '../../../core/schema/condition.ts';
import type { Fault } from './fault.ts';

const delaysMs = { '5s': 5000, '10s': 10_000, '30s': 30_000, '60s': 60_000 };

/** A call whose result comes late: five seconds, or as long as its variant says. */
export const slow: Fault = {
  kind: slowKind,
  version: 1,
  summary: 'The result comes 5 seconds late, or as in `slow:30s`; not part of `all`.',
  variants: Object.keys(delaysMs),
  delaysMs,
};
