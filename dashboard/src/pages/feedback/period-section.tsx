import { formatCount, formatPercent } from '../../../../src/look/report/format.ts';
import type { FeedbackGroupView, FeedbackView } from '../../../../src/core/schema/api/feedback-view.ts';
import { LeftAxis } from '../../parts/charts/axes.tsx';
import { Chart } from '../../parts/charts/chart.tsx';
import { createScale, type Scale } from '../../parts/charts/scale.ts';
import { Section } from '../../parts/section.tsx';
import { boundsOf, GroupTable, limitsOf } from './group-table.tsx';
import { SaidLink } from './said-link.tsx';

/** The most rows of periods and categories that are shown without asking. */
const mostShown = 16;

/** The share of negative opinions from period to period, and by category within each; nothing for a single period. */
export function PeriodSection({
  summary: { periods, groups, length },
}: {
  readonly summary: FeedbackView['summary'];
}) {
  if (periods.length < 2) return null;
  const table = (
    <GroupTable
      label="Feedback by period and category"
      first="Period"
      groups={groups}
      nameOf={({ period, category }) => `${period ?? ''} ${category ?? ''}`}
    />
  );
  return (
    <Section title="How did it change?" note="A period is that in which the answers were given, in UTC.">
      <PeriodPlot periods={periods} length={length} />
      <div className="mt-4">
        {groups.length <= mostShown ? (
          table
        ) : (
          <details>
            <summary className="cursor-pointer text-quiet">
              By {length} and category: {formatCount(groups.length)} rows
            </summary>
            <div className="mt-2">{table}</div>
          </details>
        )}
      </div>
    </Section>
  );
}

const height = 190;
const margin = { top: 22, right: 16, bottom: 22, left: 44 };
const bottom = height - margin.bottom;

interface PeriodPlotOptions {
  readonly periods: readonly FeedbackGroupView[];
  readonly length: string;
}

function PeriodPlot({ periods, length }: PeriodPlotOptions) {
  const y = createScale([0, 1], [bottom, margin.top], 4);
  return (
    <Chart
      title={`Negative opinions by ${length}`}
      label={`The share of negative opinions in ${periods.length} periods`}
      height={height}
      note="A dot with a thick line: the share among users who rated, with its 95 % interval. A thin line: the bounds of the share among all users."
      table={{
        columns: [length, 'answers', 'rated', 'negative', 'interval', 'of all users'],
        rows: periods.map((group) => [
          group.period,
          formatCount(group.answers),
          <SaidLink key="rated" group={group} said="rated">
            {formatCount(group.negative.n)}
          </SaidLink>,
          formatPercent(group.negative.estimate),
          limitsOf(group.negative),
          boundsOf(group),
        ]),
      }}
    >
      {(width) => {
        const step = (width - margin.left - margin.right) / periods.length;
        const every = Math.ceil(periods.length / Math.max(1, Math.floor((width - margin.left) / 76)));
        return (
          <>
            <LeftAxis
              scale={y}
              from={margin.left}
              to={width - margin.right}
              format={(share) => `${Math.round(100 * share)} %`}
              name="negative"
            />
            {periods.map((group, index) => (
              <Period
                key={group.period}
                group={group}
                x={margin.left + (index + 0.5) * step}
                y={y}
                isNamed={index % every === 0}
              />
            ))}
          </>
        );
      }}
    </Chart>
  );
}

interface PeriodOptions {
  readonly group: FeedbackGroupView;
  readonly x: number;
  readonly y: Scale;
  readonly isNamed: boolean;
}

function Period({ group: { period, negative, bounds }, x, y, isNamed }: PeriodOptions) {
  const { estimate, lower, upper } = negative;
  return (
    <g aria-hidden="true">
      {bounds !== null && (
        <line
          x1={x}
          x2={x}
          y1={y(bounds.lower)}
          y2={y(bounds.upper)}
          className="stroke-quiet"
          strokeWidth={1}
        />
      )}
      {lower !== null && upper !== null && (
        <line
          x1={x}
          x2={x}
          y1={y(lower)}
          y2={y(upper)}
          className="stroke-accent opacity-50"
          strokeWidth={5}
          strokeLinecap="round"
        />
      )}
      {estimate !== null && <circle cx={x} cy={y(estimate)} r={3.5} className="fill-accent" />}
      {isNamed && (
        <text x={x} y={height - 6} textAnchor="middle" className="fill-quiet">
          {period}
        </text>
      )}
    </g>
  );
}
