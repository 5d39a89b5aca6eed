import { formatPercent } from '../../../../src/look/report/format.ts';
import { shownValue } from '../../../../src/look/report/trends.ts';
import type { TrendPoint } from '../../../../src/core/schema/trends.ts';
import { ScoreText } from '../../parts/score-text.tsx';

/** The value of a run: of a certified judge what people would say, with what the judge says beside it. */
export function TrendValue({ point }: { readonly point: TrendPoint }) {
  const { value, said } = shownValue(point);
  if (said === undefined) return <ScoreText estimate={value} />;
  return (
    <span>
      {value.value === null ? (
        <span className="text-quiet">not corrected</span>
      ) : (
        <>
          corrected <ScoreText estimate={value} />
        </>
      )}
      <span className="whitespace-nowrap text-quiet"> · judge says {formatPercent(said.value)}</span>
    </span>
  );
}
