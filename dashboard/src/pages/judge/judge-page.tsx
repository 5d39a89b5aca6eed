import { getRouteApi, Link } from '@tanstack/react-router';
import { equalTo } from '../../../../src/core/lib/filter/filter.ts';
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatPlural,
} from '../../../../src/look/report/format.ts';
import type { JudgeView, JudgeQuestion } from '../../../../src/core/schema/api/judge-view.ts';
import { useJudge } from '../../data/use-judges.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { FilteredCases } from '../../parts/filtered-cases.tsx';
import { MessageText } from '../../parts/message-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { AgreementSection } from './agreement-section.tsx';
import { CertificateSection } from './certificate-section.tsx';
import { RepeatSection, ContradictionSection } from './consistency-sections.tsx';
import { TimeText } from '../../parts/time-text.tsx';

const route = getRouteApi('/judges/$judge');
const crumbs = [{ label: 'Judges', link: { to: '/judges' } }] as const;

/** The page of a judge: what it was asked, whether it agrees with others and with itself, and what contradicts it. */
export function JudgePage() {
  const { judge } = route.useParams();
  const { data, error, refetch } = useJudge(judge);
  if (data !== undefined) return <JudgeReport view={data} />;
  return (
    <>
      <PageHead crumbs={crumbs} title={judge} />
      <Pending error={error} refetch={refetch} />
    </>
  );
}

function JudgeReport({ view }: { readonly view: JudgeView }) {
  const { judge, certificates, refused, agreements, questions, disagreements } = view;
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={judge.name}
        about={
          <p className="wrap-anywhere">
            <PlainText text={`Answers for ${judge.metrics.join(', ')}`} /> · fingerprint{' '}
            <PlainText text={judge.fingerprint} className="font-mono text-[13px]" />
          </p>
        }
      />
      <Facts view={view} />
      <CertificateSection certificates={certificates} refused={refused} />
      <Section title="What was it asked?" note={readNote(view)}>
        {questions.length === 0 ? (
          <p className="text-quiet">No judgement of its runs is in the store.</p>
        ) : (
          <QuestionTable questions={questions} />
        )}
      </Section>
      <AgreementSection agreements={agreements} />
      <RepeatSection view={view} />
      {disagreements !== null && <ContradictionSection {...disagreements} />}
      <Section title="Which runs used it?">
        <DataTable
          label="Runs"
          columns={
            judge.failed > 0
              ? [runColumn, metricsColumn, missingColumn, startColumn]
              : [runColumn, metricsColumn, startColumn]
          }
          rows={view.runs}
          keyOf={({ id }) => id}
        />
      </Section>
    </>
  );
}

/** The number of judgements, their failures, their cost and their time. */
function Facts({ view: { judge, read, models, calls, cost, latency } }: { readonly view: JudgeView }) {
  const charged = cost.reported + cost.unknown;
  const facts: readonly (readonly [string, string])[] = [
    ['Judgements', formatCount(read.judgements)],
    ['Missing verdicts', `${formatCount(judge.failed)} of ${formatCount(judge.verdicts + judge.failed)}`],
    [
      'Models',
      models.map(({ model, calls: made }) => `${model} (${formatPlural(made, 'call')})`).join(', ') || '–',
    ],
    ['Calls', formatCount(calls)],
    [
      'Cost',
      cost.sum === null
        ? 'not reported'
        : `${formatMoney(cost.sum)}${cost.unknown > 0 ? `, ${formatCount(cost.unknown)} of ${formatPlural(charged, 'call')} not reported` : ''}`,
    ],
    [
      'Time of a call',
      latency === null
        ? 'not recorded'
        : `median ${formatDuration(latency.p50)}, p90 ${formatDuration(latency.p90)}, p99 ${formatDuration(latency.p99)}`,
    ],
  ];
  return (
    <dl className="grid max-w-5xl gap-x-8 gap-y-3 rounded-lg border border-line bg-surface p-5 sm:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-quiet">{name}</dt>
          <dd className="font-medium wrap-anywhere">
            <PlainText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function readNote({ read, runs }: JudgeView): string | undefined {
  if (read.runs >= runs.length) return undefined;
  return `From ${formatPlural(read.judgements, 'judgement')} of the newest ${formatPlural(read.runs, 'run')} of ${formatCount(runs.length)}.`;
}

type RunRow = JudgeView['runs'][number];

const runColumn: Column<RunRow> = {
  title: 'Run',
  isName: true,
  cell: ({ id }) => (
    <Link to="/runs/$run" params={{ run: id }} className="link whitespace-nowrap">
      <PlainText text={id} />
    </Link>
  ),
};

const metricsColumn: Column<RunRow> = {
  title: 'Metrics',
  cell: ({ metrics }) => <PlainText text={metrics.join(', ')} />,
};

/** Leads to the answers without a verdict, where there are any. */
const missingColumn: Column<RunRow> = {
  title: 'Missing verdicts',
  cell: ({ id, metrics }) => (
    <FilteredCases run={id} where={[equalTo('missing', metrics)]}>
      Questions
    </FilteredCases>
  ),
};

const startColumn: Column<RunRow> = {
  title: 'Started',
  isOptional: true,
  cell: ({ createdAt }) => (
    <span className="text-quiet">
      <TimeText at={createdAt} />
    </span>
  ),
};

/** The questions that a judge was asked, each in one version of its wording, with its failures. */
function QuestionTable({ questions }: { readonly questions: readonly JudgeQuestion[] }) {
  return (
    <DataTable
      label="Questions"
      columns={columns}
      rows={questions}
      keyOf={({ id, shape }) => `${id} ${shape}`}
    />
  );
}

const columns: readonly Column<JudgeQuestion>[] = [
  {
    title: 'Question and version',
    isName: true,
    cell: ({ id }) => <PlainText text={id} className="font-mono text-[13px]" />,
  },
  { title: 'Answer', isOptional: true, cell: ({ shape }) => shape },
  { title: 'Judgements', align: 'right', cell: ({ judgements }) => formatCount(judgements) },
  {
    title: 'Failed',
    cell: ({ failures }) =>
      failures.length === 0 ? (
        <span className="text-quiet">none</span>
      ) : (
        <ul className="min-w-48 wrap-anywhere">
          {failures.map(({ code, reason, judgements }) => (
            <li key={code}>
              <span className="text-bad">{formatCount(judgements)} </span>
              <PlainText text={code} className="font-mono text-[13px]" />
              <span className="text-quiet">
                {': '}
                <MessageText text={reason} />
              </span>
            </li>
          ))}
        </ul>
      ),
  },
];
