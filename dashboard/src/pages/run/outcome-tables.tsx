import { equalTo, type FilterTerm } from '../../../../src/core/lib/filter/filter.ts';
import type { Criterion } from '../../../../src/core/schema/verdict.ts';
import { FilteredCases } from '../../parts/filtered-cases.tsx';
import { formatCount, formatPoints, formatWeight } from '../../../../src/look/report/format.ts';
import { errorKinds } from '../../../../src/look/report/headline.ts';
import { averagedNote, describeGrade, gradeCounts, isCounted } from '../../../../src/look/report/overview.ts';
import {
  adviceSentences,
  levelReasons,
  noiseSentences,
  ruleSentences,
} from '../../../../src/look/report/repeats-sentences.ts';
import type { Reliability } from '../../../../src/core/schema/estimate.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { CriterionSummary, OutcomeSummary, TargetSummary } from '../../../../src/core/schema/summary.ts';
import { CasesLink } from '../../parts/links/cases-link.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';
import { CountTable } from './count-table.tsx';

/** The target that the tables are about. */
interface OutcomeTablesOptions {
  readonly run: Run;
  readonly target: TargetSummary;
}

/** The number of answers that passed, failed and ended in errors; grades or outcomes; attempts where there are several. */
export function OutcomeTables({ run, target }: OutcomeTablesOptions) {
  const { outcomes = [], criteria = [], reliability, noise } = target;
  const note = averagedNote({ run, target });
  const kinds = errorKinds(target.counts);
  const counted = criteria.filter(({ criterion }) => isCounted(run.scorecard, criterion));
  return (
    <div className="space-y-6">
      <div>
        <CountTable run={run} target={target} />
        {kinds !== undefined && (
          <p className="mt-1 text-quiet">
            Errors: {kinds}. An answer that reports an error is also among the passed or failed.
          </p>
        )}
        {note !== undefined && <p className="mt-1 text-quiet">{note}</p>}
        <Grades run={run} target={target} />
      </div>
      {outcomes.length > 0 && target.counts.measured > 0 && (
        <DataTable
          label="Outcomes of the scorecard"
          isCompact
          columns={outcomeColumns(run.id, target.target)}
          rows={outcomes}
          keyOf={({ outcome }) => outcome}
        />
      )}
      {counted.length > 0 && (
        <DataTable
          label="Criteria"
          isCompact
          columns={criterionColumns(run, target.target)}
          rows={counted}
          keyOf={({ criterion }) => criterion}
        />
      )}
      {reliability !== undefined && <Attempts reliability={reliability} />}
      {noise !== undefined &&
        [...noiseSentences(noise), ...adviceSentences(noise).map((sentence) => [sentence])].map(
          (sentence, index) => (
            <p key={index} className="max-w-prose text-quiet">
              <PhraseText phrase={sentence} />
            </p>
          ),
        )}
    </div>
  );
}

/** The number of answers with each grade, and what the mean stands for. */
function Grades({ run, target }: OutcomeTablesOptions) {
  const grades = gradeCounts(run, target);
  if (grades.length === 0 || target.counts.measured === 0) return null;
  const standing = describeGrade(run, target);
  return (
    <>
      <ul aria-label="Grades" className="mt-4 flex flex-wrap gap-2">
        {grades.map(({ grade, count, meaning }) => (
          <li
            key={grade}
            className={`rounded border border-line px-2 py-1 ${count === 0 ? 'text-quiet' : ''}`}
          >
            <PlainText text={grade} className="font-medium" />{' '}
            {count === 0 ? (
              0
            ) : (
              <CasesLink run={run.id} where={{ target: target.target, grade }}>
                {formatCount(count)}
              </CasesLink>
            )}{' '}
            <PlainText text={meaning} className="text-quiet" />
          </li>
        ))}
      </ul>
      {standing !== undefined && (
        <p className="mt-2 text-quiet">
          <PlainText text={standing} />
        </p>
      )}
    </>
  );
}

function outcomeColumns(run: string, target: string): readonly Column<OutcomeSummary>[] {
  return [
    { title: 'Outcome', isName: true, cell: ({ outcome }) => <PlainText text={outcome} /> },
    {
      title: 'Answers',
      align: 'right',
      cell: ({ outcome, trials }) =>
        trials === 0 ? (
          0
        ) : (
          <CasesLink run={run} where={{ target, outcome }}>
            {formatCount(trials)}
          </CasesLink>
        ),
    },
    { title: 'From 0 to 100 %', isOptional: true, cell: ({ share }) => <IntervalPlot estimate={share} /> },
    { title: 'Share', cell: ({ share }) => <ScoreText estimate={share} /> },
  ];
}

const criterionColumns = (run: Run, target: string): readonly Column<CriterionSummary>[] => [
  { title: 'Criterion', isName: true, cell: ({ criterion }) => <PlainText text={criterion} /> },
  { title: 'Weight', align: 'right', cell: ({ weight }) => formatWeight(weight) },
  {
    title: 'Not met',
    align: 'right',
    cell: ({ criterion, unmet, measured }) => (
      <span className="whitespace-nowrap">
        <Unmet run={run} target={target} criterion={criterion} count={unmet} />
        <span className="text-quiet"> of {formatCount(measured)}</span>
      </span>
    ),
  },
  { title: 'Share', cell: ({ share }) => <ScoreText estimate={share} /> },
  {
    title: 'Costs',
    align: 'right',
    cell: ({ unmet, weight, share, measured }) =>
      unmet > 0 && weight > 0 && `−${formatPoints(weight * (share.value ?? unmet / measured))}`,
  },
  {
    title: 'Not measured',
    align: 'right',
    isOptional: true,
    cell: ({ criterion, notMeasured }) => {
      const metric = findCriterion(run, criterion)?.metric;
      if (notMeasured === 0) return null;
      if (metric === undefined) return formatCount(notMeasured);
      return (
        <CasesLink run={run.id} where={{ target, missing: metric }}>
          {formatCount(notMeasured)}
        </CasesLink>
      );
    },
  },
];

interface UnmetOptions {
  readonly run: Run;
  readonly target: string;
  readonly criterion: string;
  readonly count: number;
}

/** The number of answers that do not meet a criterion, which leads to them where one bound of its metric says so. */
function Unmet({ run, target, criterion: name, count }: UnmetOptions) {
  const criterion = findCriterion(run, name);
  if (criterion === undefined || count === 0 || criterion.atMost !== undefined) return formatCount(count);
  const { metric, atLeast = 1, negative } = criterion;
  const unmet: FilterTerm = {
    field: `metric.${metric}`,
    operator: negative === true ? '>=' : '<',
    values: [atLeast],
  };
  return (
    <FilteredCases run={run.id} where={[equalTo('target', [target]), unmet]}>
      {formatCount(count)}
    </FilteredCases>
  );
}

function findCriterion({ scorecard }: Run, name: string): Criterion | undefined {
  return scorecard?.criteria.find((criterion) => criterion.name === name);
}

/** A level of reliability: pass@k and pass^k. */
type Level = Reliability['levels'][number];

const levelColumns: readonly Column<Level>[] = [
  { title: 'k', isName: true, cell: ({ k }) => k },
  { title: 'pass@k, at least one passes', cell: ({ any }) => <ScoreText estimate={any} /> },
  { title: 'pass^k, all pass', cell: ({ all }) => <ScoreText estimate={all} /> },
];

/** The reliability over several attempts at each case. */
function Attempts({ reliability }: { readonly reliability: Reliability }) {
  return (
    <div>
      {[...ruleSentences(reliability), ...levelReasons(reliability)].map((sentence) => (
        <p key={sentence} className="max-w-prose">
          {sentence}
        </p>
      ))}
      <DataTable
        label="Attempts"
        isCompact
        columns={levelColumns}
        rows={reliability.levels}
        keyOf={({ k }) => String(k)}
      />
    </div>
  );
}
