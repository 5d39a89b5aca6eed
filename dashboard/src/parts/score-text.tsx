import { cautionOf } from '../../../src/look/report/caution.ts';
import { formatPercent, formatQuantity, formatQuantityInterval } from '../../../src/look/report/format.ts';
import { type ReviewedValue, shownValue } from '../../../src/look/report/score-in-words.ts';
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

/** A number of a run: of a certified judge what people would say, with what the judge says next to it. */
export function ReviewedValueText({ value: measured, corrected, notCorrected }: ReviewedValue) {
  const { value, said } = shownValue({ value: measured, corrected, notCorrected });
  if (said === undefined) return <ScoreText estimate={value} />;
  return (
    <span>
      {value.value === null ? 'not corrected' : 'corrected '}
      {value.value !== null && <ScoreText estimate={value} />}
      <span className="whitespace-nowrap text-quiet"> · judge says {formatPercent(said.value)}</span>
    </span>
  );
}
