import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatPlural } from '../../../../src/look/report/format.ts';
import { equalTo, type Filter } from '../../../../src/core/lib/filter/filter.ts';
import type { RangeCount, ToolTarget } from '../../../../src/core/schema/api/tools-view.ts';
import { Histogram, type HistogramBin } from '../../parts/charts/histogram.tsx';
import { FilteredCases } from '../../parts/filtered-cases.tsx';
import { Section } from '../../parts/section.tsx';

interface DistributionSectionOptions {
  readonly run: string;
  readonly target: ToolTarget;
}

/** The distribution of the steps and of the time of the answers of a target. */
export function DistributionSection({ run, target: { target, steps, latency } }: DistributionSectionOptions) {
  if (steps.length === 0 && latency.length === 0) return null;
  const link = (field: string, { from, to }: RangeCount, content: ReactNode): ReactNode => {
    const of: Filter = [
      equalTo('target', [target]),
      equalTo('status', ['completed']),
      ...within(field, from, to),
    ];
    return (
      <FilteredCases run={run} where={of} sort={`-${field}`}>
        {content}
      </FilteredCases>
    );
  };
  return (
    <Section title="How many steps and how much time does an answer take?">
      <div className="grid gap-8 md:grid-cols-2">
        {steps.length === 1 && (
          <p>{`Every answer takes ${formatPlural(steps[0]?.from ?? 0, 'step')}: a message of the target, tool calls included.`}</p>
        )}
        {steps.length > 1 && (
          <Histogram
            title="Steps: messages of the target, tool calls included"
            counted="answers"
            name="steps"
            isWhole
            bins={steps.map(wholeBin)}
            format={(value) => formatCount(value)}
            linkTo={({ from, to }, content) =>
              link('steps', { from: from + 0.5, to: to + 0.5, count: 0 }, content)
            }
          />
        )}
        {latency.length > 0 && (
          <Histogram
            title="Time"
            counted="answers"
            name="time"
            note={
              latency.at(-1)?.to === null
                ? `Last bar: ${formatDuration(latency.at(-1)?.from ?? 0)} and more.`
                : undefined
            }
            bins={latency.map((range) => timeBin(range, latency))}
            format={formatDuration}
            linkTo={({ from }, content) =>
              link(
                'latencyMs',
                latency.find((range) => range.from === from) ?? { from, to: null, count: 0 },
                content,
              )
            }
          />
        )}
      </div>
    </Section>
  );
}

/** Returns the terms for values of a range, to which its end does not belong. */
export function within(field: string, from: number, to: number | null): Filter {
  const upper = to === null ? [] : [{ field, operator: '<' as const, values: [to] }];
  return [{ field, operator: '>=', values: [from] }, ...upper];
}

/** Returns a bar for whole numbers, with its middle over the number. */
export function wholeBin({ from, to, count }: RangeCount): HistogramBin {
  const last = (to ?? from + 1) - 1;
  const label = last === from ? formatCount(from) : `${formatCount(from)} to ${formatCount(last)}`;
  return { from: from - 0.5, to: last + 0.5, count, label };
}

/** Returns a bar for a range of times. The last range without an end is as wide as the others. */
function timeBin({ from, to, count }: RangeCount, all: readonly RangeCount[]): HistogramBin {
  const [first] = all;
  const size = first === undefined || first.to === null ? from : first.to - first.from;
  if (to !== null) return { from, to, count };
  return { from, to: from + size, count, label: `${formatDuration(from)} and more` };
}
