import type { ReactNode } from 'react';
import { equalTo, type FilterTerm } from '../../../../src/core/lib/filter/filter.ts';
import { formatSort } from '../../../../src/core/lib/filter/parse-sort.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import type { MetricSummary } from '../../../../src/core/schema/summary.ts';
import { CasesLink } from '../../parts/links/cases-link.tsx';
import { FilteredCases } from '../../parts/filtered-cases.tsx';

interface MetricLinkOptions {
  /** The id of the run. */
  readonly run: string;
  readonly target: string;
  /** The metric, with its unit when it measures something other than a share. */
  readonly metric: Pick<MetricSummary, 'metric' | 'unit'>;
  readonly children: ReactNode;
}

/** The name of a metric that leads to the answers behind it: the lowest first, or those that took or cost most. */
export function MetricLink({ run, target, metric: { metric, unit }, children }: MetricLinkOptions) {
  const field = `metric.${metric}`;
  const isShare = unit === undefined;
  const ofTarget = equalTo('target', [target]);
  const short: FilterTerm = { field, operator: '<', values: [1] };
  return (
    <FilteredCases
      run={run}
      where={isShare ? [ofTarget, short] : [ofTarget]}
      sort={formatSort({ field, isDescending: !isShare })}
      title={isShare ? 'The answers below 100 %, the lowest first' : 'The answers, the highest first'}
    >
      {children}
    </FilteredCases>
  );
}

interface MeasuredOptions extends Pick<MetricLinkOptions, 'run' | 'target'> {
  readonly metric: Pick<MetricSummary, 'metric' | 'scored' | 'notApplicable' | 'planned'>;
}

/** The numbers of answers with a value of a metric, and of those that should have one, each of which leads to them. */
export function MeasuredCounts({ run, target, metric }: MeasuredOptions) {
  const of = metric.planned - metric.notApplicable;
  const ofTarget = equalTo('target', [target]);
  const any: FilterTerm = { field: `metric.${metric.metric}`, operator: '=', values: ['*'] };
  return (
    <span className="whitespace-nowrap">
      {metric.scored === 0 ? (
        0
      ) : (
        <FilteredCases run={run} where={[ofTarget, any]} title="The answers with a value">
          {formatCount(metric.scored)}
        </FilteredCases>
      )}
      {metric.scored < of ? (
        <>
          /{formatCount(of)},{' '}
          <CasesLink run={run} where={{ target, missing: metric.metric }}>
            the others
          </CasesLink>
        </>
      ) : (
        <span className="text-quiet">/{formatCount(of)}</span>
      )}
    </span>
  );
}
