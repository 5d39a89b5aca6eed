import { Link, useParams } from '@tanstack/react-router';
import {
  formatDuration,
  formatMoney,
  formatPlural,
  formatPoints,
} from '../../../../src/look/report/format.ts';
import type {
  DescribedTrace,
  LaterResult,
  TraceProposal,
} from '../../../../src/core/schema/trace/described-trace.ts';
import { useTrace } from '../../data/use-trace.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { SpanTimeline } from './span-timeline.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { Facts } from '../../parts/facts.tsx';

const crumbs = [{ label: 'Traces', link: { to: '/traces' } }] as const;

/** A stored trace: the question and the answer, its spans, what users said, and how runs did on the cases made of it. */
export function TracePage() {
  const { trace } = useParams({ from: '/traces/$trace' });
  const { data, error, refetch } = useTrace(trace);
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={`Trace ${trace.slice(0, 12)}`}
        about={data && <About trace={data} />}
      />
      <ErrorPanel error={error} onRetry={refetch} />
      {error === null && (data === undefined ? <Skeleton /> : <Parts trace={data} />)}
    </>
  );
}

function About({ trace }: { readonly trace: DescribedTrace }) {
  const { startedAt, receivedAt, spans, cost, tokens, latencyMs, conversation } = trace;
  const facts = [
    <TimeText key="time" at={startedAt ?? receivedAt} />,
    formatPlural(spans, 'span'),
    ...(latencyMs === null ? [] : [formatDuration(latencyMs)]),
    ...(cost === null ? [] : [formatMoney(cost)]),
    ...(tokens === null ? [] : [formatPlural(tokens, 'token')]),
    ...(conversation === null ? [] : [`conversation ${conversation}`]),
  ];
  return <Facts facts={facts} />;
}

function Parts({ trace }: { readonly trace: DescribedTrace }) {
  const { question, answer, error, evaluations, feedback, steps, proposals } = trace;
  return (
    <>
      <dl className="max-w-prose space-y-3 whitespace-pre-wrap wrap-anywhere">
        <Fact name="Question" text={question ?? 'not recorded'} />
        <Fact name="Answer" text={answer ?? 'not recorded'} />
        {error !== null && <Fact name="Error" text={error} />}
        {Object.entries(evaluations).map(([name, value]) => (
          <Fact key={name} name={`Evaluation: ${name}`} text={String(value)} />
        ))}
      </dl>
      <Section title="Questions made of it">
        {proposals.length === 0 ? (
          <p className="text-quiet">No question was proposed of it.</p>
        ) : (
          proposals.map((proposal) => <Proposal key={proposal.id} proposal={proposal} />)
        )}
      </Section>
      {feedback.length > 0 && (
        <Section title="What users said">
          <ul className="space-y-1 wrap-anywhere">
            {feedback.map(({ id, at, signal, value, text }) => (
              <li key={id}>
                <TimeText at={at} />: {signal}
                {value !== undefined && ` ${String(value)}`}
                {text !== undefined && (
                  <>
                    , <PlainText text={text} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section
        title="Spans"
        note="Each below the one that it is inside of, in the order in which they began."
      >
        <SpanTimeline steps={steps} />
      </Section>
    </>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt className="text-xs text-quiet">
        <PlainText text={name} />
      </dt>
      <dd>
        <PlainText text={text} />
      </dd>
    </div>
  );
}

function Proposal({
  proposal: { id, dataset, state, caseId, results },
}: {
  readonly proposal: TraceProposal;
}) {
  return (
    <div className="mb-3 wrap-anywhere">
      <Link to="/proposals" search={{ at: id }} className="link">
        {id}
      </Link>{' '}
      for <PlainText text={dataset} />: {state}
      {caseId !== null && (
        <>
          , the question <PlainText text={caseId} />
        </>
      )}
      {caseId !== null && results.length === 0 && <p className="text-quiet">No run has had it yet.</p>}
      <ul className="mt-1 space-y-1">
        {results.map((result) => (
          <li key={`${result.run} ${result.ordinal}`}>
            <Link
              to="/runs/$run/cases/$ordinal"
              params={{ run: result.run, ordinal: String(result.ordinal) }}
              className="link"
            >
              <TimeText at={result.createdAt} />
            </Link>{' '}
            · <PlainText text={result.target} /> · attempt {result.attempt} · {describeResult(result)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function describeResult({ status, score, passed }: LaterResult): string {
  if (status !== 'completed') return `✗ ${status}`;
  const shown = score === null ? 'not measured' : `${formatPoints(score)} %`;
  return passed === null ? shown : `${passed ? '✓ passed' : '✗ failed'}, ${shown}`;
}
