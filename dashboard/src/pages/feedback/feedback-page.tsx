import { getRouteApi } from '@tanstack/react-router';
import { formatCount, formatPlural, formatPercent } from '../../../../src/look/report/format.ts';
import type { FeedbackView } from '../../../../src/core/schema/api/feedback-view.ts';
import { periodLengths } from '../../../../src/core/schema/api/record-counts.ts';
import { useFeedback } from '../../data/people/use-feedback.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { ChoiceLinks } from '../../parts/links/choice-links.tsx';
import { Section } from '../../parts/section.tsx';
import { AnswersSection } from './answers-section.tsx';
import { boundsOf, GroupTable, limitsOf } from './group-table.tsx';
import { PeriodSection } from './period-section.tsx';
import { PredictionSection } from './prediction-section.tsx';

const route = getRouteApi('/feedback');

/** The page on what users said about answers, what the others may think, and whether scores predict it. */
export function FeedbackPage() {
  const search = route.useSearch();
  const { data, error, refetch } = useFeedback(search);
  useRowKeys();
  return (
    <>
      <PageHead title="Feedback" about={data !== undefined && <Fates view={data} />} />
      {data === undefined ? (
        <Pending error={error} refetch={refetch} />
      ) : data.summary.counts.all === 0 ? (
        <EmptyState title="Users have said nothing yet">
          Bring in thumbs, stars and edits with{' '}
          <code className="font-mono whitespace-nowrap">touchstone feedback import FILE.jsonl</code>, or send
          them to the server that{' '}
          <code className="font-mono whitespace-nowrap">touchstone view --ingest</code> starts.
        </EmptyState>
      ) : (
        <Numbers view={data} />
      )}
    </>
  );
}

/** The number of records, and what became of them. */
function Fates({ view: { summary } }: { readonly view: FeedbackView }) {
  const { counts, signals, late, replaced } = summary;
  if (counts.all === 0) return null;
  const said = Object.entries(signals).map(([signal, count]) => `${signal} ${formatCount(count)}`);
  return (
    <div className="space-y-0.5">
      <p>
        {formatPlural(counts.all, 'record')}: {formatCount(counts.matched)} about an answer in the store,{' '}
        {formatCount(counts.waiting)} waiting for theirs, {formatCount(counts.unmatched)} without one ·{' '}
        {formatCount(late)} came in more than a day late · {formatPlural(replaced, 'opinion')} replaced by a
        later one
      </p>
      <p>Signals: {said.join(', ')}</p>
    </div>
  );
}

function Numbers({ view: { summary, prediction } }: { readonly view: FeedbackView }) {
  const search = route.useSearch();
  const { by = 'week', target } = search;
  const { targets } = summary;
  return (
    <>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <ChoiceLinks
          label="By"
          choices={periodLengths.map((length) => ({
            name: length,
            isChosen: by === length,
            link: { to: '/feedback', search: { ...search, by: length, period: undefined } },
          }))}
        />
        {targets.length > 1 && (
          <ChoiceLinks
            label="Target"
            choices={[undefined, ...targets.map((group) => group.target ?? '')].map((name) => ({
              name: name ?? 'all',
              isChosen: target === name,
              link: { to: '/feedback', search: { ...search, target: name } },
            }))}
          />
        )}
      </div>
      {summary.all.answers === 0 ? (
        <EmptyState title="No feedback is about an answer in the store">
          Records wait for their answers for seven days.{' '}
          <code className="font-mono whitespace-nowrap">touchstone feedback list</code> shows them.
        </EmptyState>
      ) : (
        <>
          <OpinionSection summary={summary} />
          <PeriodSection summary={summary} />
          <PredictionSection prediction={prediction} />
          <AnswersSection />
        </>
      )}
    </>
  );
}

/** The share of negative opinions: of the users who gave one, and of all users. */
function OpinionSection({ summary }: { readonly summary: FeedbackView['summary'] }) {
  const { all, categories, targets } = summary;
  return (
    <Section
      title="How many users were not content?"
      note="Of the answers with a thumb or stars, the share with a thumb down or at most two stars, with Wilson's 95 % interval. Who responds is not random: of all users, the share lies between the two bounds, whatever those think who said nothing."
    >
      {all.negative.estimate !== null && (
        <p className="mb-4 flex flex-wrap items-baseline gap-x-3">
          <span className="text-4xl font-semibold tracking-tight">
            {formatPercent(all.negative.estimate)}
          </span>
          <span className="text-lg text-quiet">{limitsOf(all.negative)}</span>
          <span className="text-quiet">of all users: {boundsOf(all)}</span>
        </p>
      )}
      <GroupTable
        label="Feedback by category"
        first="Category"
        groups={[all, ...categories]}
        nameOf={({ category }) => category ?? 'all'}
      />
      {targets.length > 1 && (
        <div className="mt-6">
          <GroupTable
            label="Feedback by target"
            first="Target"
            groups={targets}
            nameOf={({ target }) => target ?? 'all'}
          />
        </div>
      )}
    </Section>
  );
}
