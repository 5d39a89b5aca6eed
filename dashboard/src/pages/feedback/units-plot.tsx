import { formatCount, formatPercent } from '../../../../src/look/report/format.ts';
import type { PredictionView } from '../../../../src/core/schema/api/feedback-view.ts';
import { BottomAxis, LeftAxis } from '../../parts/charts/axes.tsx';
import { Chart } from '../../parts/charts/chart.tsx';
import { createScale, domainOf } from '../../parts/charts/scale.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { SaidLink } from './said-link.tsx';

const height = 240;
const margin = { top: 20, right: 24, bottom: 36, left: 48 };

/** The mean score of each unit against the share of its answers that users did not dislike. */
export function UnitsPlot({ units }: { readonly units: PredictionView['units'] }) {
  const most = Math.max(...units.map(({ rated }) => rated));
  return (
    <Chart
      title="Score and users, unit by unit"
      label={`The mean score of ${units.length} units against the share of answers that users did not dislike`}
      height={height}
      note="A larger point has more rated answers."
      table={{
        columns: ['Category', 'Target', 'Week', 'Score', 'Not disliked', 'Rated'],
        rows: units.map(({ category, target, week, score, satisfied, rated }) => [
          <PlainText key="category" text={category} />,
          <PlainText key="target" text={target} />,
          week,
          formatPercent(score),
          formatPercent(satisfied),
          <SaidLink key="rated" group={{ period: week, category, target }} said="rated" by="week">
            {formatCount(rated)}
          </SaidLink>,
        ]),
      }}
    >
      {(width) => {
        const percent = (share: number) => `${Math.round(100 * share)} %`;
        const x = createScale(
          clamp(domainOf(units.map(({ score }) => score))),
          [margin.left, width - margin.right],
          Math.max(2, width / 120),
        );
        const y = createScale(clamp(domainOf(units.map(({ satisfied }) => satisfied))), [
          height - margin.bottom,
          margin.top,
        ]);
        return (
          <>
            <LeftAxis
              scale={y}
              from={margin.left}
              to={width - margin.right}
              format={percent}
              name="not disliked"
            />
            <BottomAxis scale={x} at={height - margin.bottom} format={percent} name="score" />
            {units.map(({ category, target, week, score, satisfied, rated }) => (
              <circle
                key={JSON.stringify([category, target, week])}
                cx={x(score)}
                cy={y(satisfied)}
                r={3 + 4 * Math.sqrt(rated / most)}
                className="fill-accent stroke-page opacity-70"
              />
            ))}
          </>
        );
      }}
    </Chart>
  );
}

/** Keeps the ends of an axis of shares within 0 and 1. */
function clamp([from, to]: readonly [number, number]): readonly [number, number] {
  return [Math.max(0, from), Math.min(1, to)];
}
