import { cautionOf } from '../../../src/look/report/caution.ts';
import { formatQuantity, formatQuantityInterval } from '../../../src/look/report/format.ts';
import type { Estimate } from '../../../src/core/schema/estimate.ts';

interface ScoreTextOptions {
  readonly estimate: Estimate;
  /** The unit; undefined for a share. */
  readonly unit?: string;
}

/** A number with its interval, `84.0 % [73.1, 91.2]`, and a caution where it says little. */
export function ScoreText({ estimate, unit }: ScoreTextOptions) {
  if (estimate.value === null) return <span className="text-quiet">not measured</span>;
  const interval = formatQuantityInterval(estimate, unit);
  const caution = cautionOf(estimate, unit);
  return (
    <span className="whitespace-nowrap">
      {formatQuantity(estimate.value, unit)}
      {interval !== '' && <span className="text-quiet"> {interval}</span>}
      {caution !== '' && <span className="text-unsure"> {caution}</span>}
    </span>
  );
}
