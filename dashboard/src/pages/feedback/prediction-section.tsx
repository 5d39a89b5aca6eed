import { Link } from '@tanstack/react-router';
import { formatCount, formatPercent, formatPlural } from '../../../../src/look/report/format.ts';
import type { FeedbackInterval, PredictionView } from '../../../../src/core/schema/api/feedback-view.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { OpinionMark } from './answers-section.tsx';
import { estimateOf, limitsOf } from './group-table.tsx';
import { SaidLink } from './said-link.tsx';
import { UnitsPlot } from './units-plot.tsx';

/** The measures of whether scores predict what users think, or why that is not measured. */
export function PredictionSection({ prediction }: { readonly prediction: PredictionView }) {
  const { units, smallUnits, gaps, calibration } = prediction;
  const small = smallUnits === 0 ? '' : `; without ${formatPlural(smallUnits, 'smaller group')}`;
  return (
    <Section
      title="Does the score predict what users think?"
      note={`${formatPlural(units.length, 'unit')}: a category of a target in a week with at least 30 rated answers${small}. Do not tune a scorecard until this looks good.`}
    >
      <DataTable
        label="Scores against opinions"
        columns={measureColumns}
        rows={measuresOf(prediction)}
        keyOf={({ name }) => name}
        isCompact
      />
      {units.length > 0 && (
        <div className="mt-6 max-w-4xl">
          <UnitsPlot units={units} />
        </div>
      )}
      {calibration.status === 'measured' && (
        <div className="mt-6">
          <DataTable
            label="Answers that users liked, by their score"
            columns={binColumns}
            rows={calibration.value.reliability}
            keyOf={({ meanScore }) => String(meanScore)}
            isCompact
          />
          {calibration.value.brier.value !== null && (
            <p className="mt-1 text-quiet">
              Brier score {calibration.value.brier.value.toFixed(3)}; 0.250 for a score that is always one
              half.
            </p>
          )}
        </div>
      )}
      {gaps.length > 0 && (
        <div className="mt-6">
          <DataTable
            label="Where score and users differ most"
            columns={gapColumns}
            rows={gaps}
            keyOf={({ category }) => category}
          />
        </div>
      )}
    </Section>
  );
}

/** A number of the section, or the reason why it is not measured. */
interface Measure {
  readonly name: string;
  readonly meaning: string;
  readonly value: FeedbackInterval | string;
  readonly domain: readonly [number, number];
}

function measuresOf({ spearman, kendall, separations }: PredictionView): Measure[] {
  const valueOf = (found: PredictionView['spearman']) =>
    found.status === 'measured' ? found.value : found.reason;
  const correlation = { meaning: 'order of the units: 1 the same, 0 none', domain: [-1, 1] } as const;
  const separation = {
    meaning: 'chance that a liked answer has the higher score than a disliked one; 0.500 says nothing',
    domain: [0, 1],
  } as const;
  return [
    { name: 'Spearman', ...correlation, value: valueOf(spearman) },
    { name: 'Kendall τ-b', ...correlation, value: valueOf(kendall) },
    ...(separations.status === 'measured'
      ? separations.value.map(({ name, auc }) => ({ name: `AUC of ${name}`, ...separation, value: auc }))
      : [{ name: 'AUC', ...separation, value: separations.reason }]),
  ];
}

const measureColumns: readonly Column<Measure>[] = [
  {
    title: 'Measure',
    isName: true,
    cell: ({ name }) => <PlainText text={name} className="inline-block min-w-24 wrap-anywhere" />,
  },
  { title: 'Value', align: 'right', cell: ({ value }) => <MeasureText value={value} /> },
  {
    title: 'Plot',
    hidesTitle: true,
    isOptional: true,
    cell: ({ value, domain }) =>
      typeof value !== 'string' && (
        <IntervalPlot estimate={estimateOf(value)} domain={domain} mark={(domain[0] + domain[1]) / 2} />
      ),
  },
  {
    title: 'n',
    align: 'right',
    cell: ({ value }) => typeof value !== 'string' && formatCount(value.n),
  },
  {
    title: 'Meaning',
    isOptional: true,
    cell: ({ meaning }) => <span className="text-quiet">{meaning}</span>,
  },
];

function MeasureText({ value }: { readonly value: FeedbackInterval | string }) {
  if (typeof value === 'string')
    return (
      <span className="inline-block max-w-md text-left whitespace-normal text-unsure">
        not measured: {value}
      </span>
    );
  const { estimate, lower, upper, caution } = value;
  return (
    <>
      {(estimate ?? Number.NaN).toFixed(3)}{' '}
      <span className="text-quiet">
        {lower === null || upper === null ? value.reason : `[${lower.toFixed(3)}, ${upper.toFixed(3)}]`}
      </span>
      {caution !== undefined && caution !== null && (
        <span className="block whitespace-normal text-unsure">{caution}</span>
      )}
    </>
  );
}

type Bin = Extract<PredictionView['calibration'], { status: 'measured' }>['value']['reliability'][number];

const binColumns: readonly Column<Bin>[] = [
  { title: 'Mean score', isName: true, cell: ({ meanScore }) => formatPercent(meanScore) },
  { title: 'Answers', align: 'right', cell: ({ n }) => formatCount(n) },
  {
    title: 'Liked',
    align: 'right',
    cell: ({ share }) => (
      <>
        {formatPercent(share.estimate)} <span className="text-quiet">{limitsOf(share)}</span>
      </>
    ),
  },
  {
    title: 'Plot of the liked share',
    hidesTitle: true,
    cell: ({ share, meanScore }) => <IntervalPlot estimate={estimateOf(share)} mark={meanScore} />,
  },
];

type Gap = PredictionView['gaps'][number];

const gapColumns: readonly Column<Gap>[] = [
  {
    title: 'Category where score and users differ',
    isName: true,
    cell: ({ category }) => (
      <SaidLink group={{ period: null, category, target: null }} said="rated">
        <PlainText text={category} className="inline-block min-w-24 wrap-anywhere" />
      </SaidLink>
    ),
  },
  { title: 'Score', align: 'right', cell: ({ score }) => formatPercent(score) },
  { title: 'Not disliked', align: 'right', cell: ({ satisfied }) => formatPercent(satisfied) },
  { title: 'Rated', align: 'right', cell: ({ rated }) => formatCount(rated) },
  {
    title: 'Place by score, by users',
    align: 'right',
    isOptional: true,
    cell: ({ ranks: [byScore, byUsers] }) => `${byScore}, ${byUsers}`,
  },
  {
    title: 'Answers',
    cell: ({ examples }) => (
      <ul className="min-w-60">
        {examples.map(({ run, ordinal, caseId, score, opinion }) => (
          <li key={`${run} ${ordinal}`} className="flex flex-wrap gap-x-2 py-1">
            <Link
              to="/runs/$run/cases/$ordinal"
              params={{ run, ordinal: String(ordinal) }}
              className="link wrap-anywhere"
            >
              <PlainText text={caseId} />
            </Link>
            <span>{formatPercent(score)}</span>
            <OpinionMark opinion={opinion} />
          </li>
        ))}
      </ul>
    ),
  },
];
