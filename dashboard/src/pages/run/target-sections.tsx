import { Fragment } from 'react';
import { weakestFirst } from '../../../../src/look/report/advice.ts';
import {
  formatCount,
  formatPercent,
  formatPercentile,
  formatPlural,
  formatWeight,
  missing,
} from '../../../../src/look/report/format.ts';
import { countedCriteria, weightedParts } from '../../../../src/look/report/overview.ts';
import { hasSubject, labelCounts, latencyOf } from '../../../../src/look/report/rows/category-cells.ts';
import { shownValue, uncorrectedNote } from '../../../../src/look/report/score-in-words.ts';
import { usageParts } from '../../../../src/look/report/usage-parts.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { CategorySummary, MetricSummary, TargetSummary } from '../../../../src/core/schema/summary.ts';
import type { Criterion } from '../../../../src/core/schema/verdict.ts';
import { CasesLink } from '../../parts/links/cases-link.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ReviewedValueText, ScoreText } from '../../parts/score-text.tsx';
import { Section } from '../../parts/section.tsx';
import { MeasuredCounts, MetricLink } from './metric-link.tsx';
import { OutcomeTables } from './outcome-tables.tsx';

interface TargetSectionsOptions {
  readonly run: Run;
  readonly target: TargetSummary;
}

/** The numbers of one target: outcomes and grades, components, categories, what else was measured, cost and time. */
export function TargetSections({ run, target }: TargetSectionsOptions) {
  const weighted = weightedParts(target);
  return (
    <>
      <Section title="How did the answers turn out?">
        <OutcomeTables run={run} target={target} />
        <p className="mt-3 text-quiet">
          Calls: <PlainText text={usageParts(run, target.usage).join(' · ')} />
        </p>
        {weighted.length > 0 && (
          <p className="mt-1 text-quiet">
            Weighted:{' '}
            {weighted.map((part, index) => [index > 0 && ' · ', <PhraseText key={index} phrase={part} />])}
          </p>
        )}
      </Section>
      <Components run={run} target={target} />
      <Categories run={run} target={target} />
      <Extras run={run} target={target} />
    </>
  );
}

function Components({ run, target }: TargetSectionsOptions) {
  const criteria = countedCriteria(run.scorecard);
  if (criteria.length === 0 || target.criteria !== undefined) return null;
  const summaryOf = ({ metric }: Criterion) => target.metrics.find((one) => one.metric === metric);
  const columns: readonly Column<Criterion>[] = [
    {
      title: 'Component',
      isName: true,
      cell: (criterion) => (
        <>
          <MetricLink
            run={run.id}
            target={target.target}
            metric={{ metric: criterion.metric, unit: summaryOf(criterion)?.unit }}
          >
            <PlainText text={criterion.name} />
          </MetricLink>
          {criterion.required && <span className="text-quiet"> required</span>}
        </>
      ),
    },
    { title: 'Weight', align: 'right', cell: ({ weight }) => formatWeight(weight) },
    {
      title: 'From 0 to 100 %',
      isOptional: true,
      cell: (criterion) => {
        const summary = summaryOf(criterion);
        if (summary === undefined || summary.unit !== undefined) return null;
        return <IntervalPlot estimate={shownValue({ ...summary, value: summary.estimate }).value} />;
      },
    },
    {
      title: 'Mean',
      cell: (criterion) => {
        const summary = summaryOf(criterion);
        return summary === undefined ? missing : meanOf(summary);
      },
    },
    {
      title: 'Measured',
      align: 'right',
      isOptional: true,
      cell: (criterion) => {
        const summary = summaryOf(criterion);
        return summary === undefined ? (
          missing
        ) : (
          <MeasuredCounts run={run.id} target={target.target} metric={summary} />
        );
      },
    },
  ];
  return (
    <Section title="Which components cost points?">
      <DataTable label="Components" isCompact columns={columns} rows={criteria} keyOf={({ name }) => name} />
    </Section>
  );
}

function meanOf({ estimate, unit, corrected, notCorrected }: MetricSummary) {
  return unit === undefined ? (
    <ReviewedValueText value={estimate} corrected={corrected} notCorrected={notCorrected} />
  ) : (
    <ScoreText estimate={estimate} unit={unit} />
  );
}

/** The largest number of columns of a compact table of categories. */
const compactColumns = 5;

function Categories({ run, target }: TargetSectionsOptions) {
  const categories = weakestFirst(target);
  if (categories.length < 2 || target.counts.measured === 0 || run.scorecard === null) return null;
  const passMark = run.scorecard.passMark;
  const [attempts] = categories.flatMap(({ reliability }) => reliability?.k ?? []);
  const where = (category: string) => ({ target: target.target, category });
  const columns: readonly Column<CategorySummary>[] = [
    {
      title: 'Category',
      isName: true,
      cell: ({ category }) => (
        <CasesLink run={run.id} where={where(category)}>
          <PlainText text={category} />
        </CasesLink>
      ),
    },
    {
      title: 'From 0 to 100 %',
      isOptional: true,
      cell: ({ score }) => <IntervalPlot estimate={score} mark={passMark} />,
    },
    { title: 'Score', cell: ({ score }) => <ScoreText estimate={score} /> },
    {
      title: 'Passed',
      align: 'right',
      cell: ({ category, counts }) => (
        <span className="whitespace-nowrap">
          <CasesLink run={run.id} where={{ ...where(category), result: 'passed' }}>
            {formatCount(counts.passed)}
          </CasesLink>
          <span className="text-quiet"> of {formatCount(counts.measured)}</span>
        </span>
      ),
    },
    ...(attempts === undefined ? [] : [reliabilityColumn(attempts)]),
    ...(categories.every((category) => latencyOf(category) === '') ? [] : [latencyColumn]),
  ];
  return (
    <Section
      title="Where is it weak?"
      note={[
        `${formatPlural(categories.length, 'category', 'categories')}, the weakest first. The dashed line is the pass mark, ${formatPercent(passMark)}.`,
        ...(attempts === undefined
          ? []
          : [`pass^${attempts} is the share of questions of which all ${attempts} attempts pass.`]),
        uncorrectedNote([target]),
      ].join(' ')}
    >
      <DataTable
        label="Categories"
        isCompact={columns.length <= compactColumns}
        columns={columns}
        rows={categories}
        keyOf={({ category }) => category}
      />
    </Section>
  );
}

const latencyColumn: Column<CategorySummary> = {
  title: 'Latency p50 / p90 / p99',
  align: 'right',
  isOptional: true,
  cell: (category) => <span className="whitespace-nowrap text-quiet">{latencyOf(category)}</span>,
};

/** The share of cases of a category that pass on every attempt. */
function reliabilityColumn(attempts: number): Column<CategorySummary> {
  return {
    title: `pass^${attempts}`,
    cell: ({ reliability }) =>
      reliability === undefined ? missing : <ScoreText estimate={reliability.all} />,
  };
}

function Extras({ run, target }: TargetSectionsOptions) {
  const counted = new Set(countedCriteria(run.scorecard).map(({ metric }) => metric));
  const extras = target.metrics.filter((summary) => !counted.has(summary.metric) && hasSubject(summary));
  if (extras.length === 0) return null;
  return (
    <Section title={run.scorecard === null ? 'What was measured?' : 'What else was measured?'}>
      <DataTable
        label="Other metrics"
        isCompact
        columns={extraColumns(run.id, target.target)}
        rows={extras}
        keyOf={({ metric }) => metric}
      />
      <Labels run={run.id} target={target} />
    </Section>
  );
}

/** The frequency of each label that metrics gave, which leads to the answers that have it. */
function Labels({
  run,
  target: { target, metrics },
}: {
  readonly run: string;
  readonly target: TargetSummary;
}) {
  return metrics.map(({ metric, labels }) => {
    if (labels === undefined) return null;
    return (
      <p key={metric} className="mt-2">
        <PlainText text={metric} />{' '}
        <span className="text-quiet">
          {labelCounts(labels).map(([label, count], index) => (
            <Fragment key={label}>
              {index > 0 && ' · '}
              <PlainText text={label} />{' '}
              <CasesLink run={run} where={{ target, [`label.${metric}`]: label }}>
                {formatCount(count)}
              </CasesLink>
            </Fragment>
          ))}
        </span>
      </p>
    );
  });
}

const extraColumns = (run: string, target: string): readonly Column<MetricSummary>[] => [
  {
    title: 'Metric',
    isName: true,
    cell: (metric) => (
      <MetricLink run={run} target={target} metric={metric}>
        <PlainText text={metric.metric} />
      </MetricLink>
    ),
  },
  { title: 'Mean', cell: meanOf },
  ...(['p50', 'p90', 'p99'] as const).map(
    (name): Column<MetricSummary> => ({
      title: name,
      align: 'right',
      isOptional: true,
      cell: ({ percentiles, unit }) => (
        <span className="whitespace-nowrap">
          {percentiles !== undefined && <PlainText text={formatPercentile(percentiles[name], unit)} />}
        </span>
      ),
    }),
  ),
  {
    title: 'Measured',
    align: 'right',
    isOptional: true,
    cell: (metric) => <MeasuredCounts run={run} target={target} metric={metric} />,
  },
];
