import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount, formatPercent, formatPlural } from '../../../../src/look/report/format.ts';
import type { RatedRow } from '../../../../src/core/schema/api/feedback-view.ts';
import { type SaidChoice, saidChoices } from '../../../../src/core/schema/api/record-counts.ts';
import { useRatedAnswers } from '../../data/people/use-feedback.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceLinks } from '../../parts/links/choice-links.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { TimeText } from '../../parts/time-text.tsx';

const route = getRouteApi('/feedback');

/** The words of the answers that can be listed. */
const words: Readonly<Record<SaidChoice, string>> = {
  reacted: 'any reaction',
  every: 'all answers',
  rated: 'rated',
  negative: 'disliked',
  neutral: 'neither',
  positive: 'liked',
  unrated: 'not rated',
  edited: 'edited',
  escalated: 'escalated',
};

const fewRows = 50;
const mostRows = 1000;

/** The answers behind a number, each leading to its case. */
export function AnswersSection() {
  const search = route.useSearch();
  const { said = 'reacted', period, category, target } = search;
  const [limit, setLimit] = useState(fewRows);
  const { data, error, refetch } = useRatedAnswers(search, limit);
  const parts = [period, category, target].filter((part) => part !== undefined);
  const isNarrowed = period !== undefined || category !== undefined;
  return (
    <Section title="Answers">
      <div id="answers" className="scroll-mt-16 space-y-2">
        <ChoiceLinks
          label="Show"
          choices={saidChoices.map((each) => ({
            name: words[each],
            isChosen: each === said,
            link: { to: '/feedback', search: { ...search, said: each }, hash: 'answers' },
          }))}
        />
        {isNarrowed && (
          <p className="text-quiet">
            Only of <PlainText text={parts.join(', ')} />.{' '}
            <Link
              to="/feedback"
              search={{ ...search, period: undefined, category: undefined }}
              hash="answers"
              className="link"
            >
              Show all
            </Link>
          </p>
        )}
        <ErrorPanel error={error} onRetry={refetch} />
        {data === undefined ? (
          error === null && <Skeleton />
        ) : data.count === 0 ? (
          <p className="text-quiet">There is no such answer.</p>
        ) : (
          <>
            <p role="status">{formatPlural(data.count, 'answer')}</p>
            <DataTable
              label="Answers with feedback"
              columns={columns}
              rows={data.rows}
              keyOf={({ run, ordinal }) => `${run} ${ordinal}`}
            />
            {data.rows.length < data.count && (
              <p>
                {limit < mostRows ? (
                  <Button onClick={() => setLimit(mostRows)}>
                    Show {formatCount(Math.min(data.count, mostRows) - data.rows.length)} more
                  </Button>
                ) : (
                  <span className="text-quiet">The newest {formatCount(data.rows.length)} are shown.</span>
                )}
              </p>
            )}
          </>
        )}
      </div>
    </Section>
  );
}

const opinions = {
  positive: ['✓', 'liked', 'text-good'],
  neutral: ['–', 'neither', 'text-unsure'],
  negative: ['✗', 'disliked', 'text-bad'],
} as const;

/** The last opinion of users, as a sign with its word. */
export function OpinionMark({ opinion }: { readonly opinion: keyof typeof opinions | null }) {
  if (opinion === null) return <span className="text-quiet">not rated</span>;
  const [sign, word, colour] = opinions[opinion];
  return (
    <span className={`whitespace-nowrap ${colour}`}>
      <span aria-hidden>{sign} </span>
      {word}
    </span>
  );
}

const columns: readonly Column<RatedRow>[] = [
  {
    title: 'Question',
    isName: true,
    cell: ({ run, ordinal, caseId }) => (
      <Link
        to="/runs/$run/cases/$ordinal"
        params={{ run, ordinal: String(ordinal) }}
        data-row
        className="link inline-block max-w-60 min-w-24 wrap-anywhere"
      >
        <PlainText text={caseId} />
      </Link>
    ),
  },
  { title: 'Users', cell: ({ opinion }) => <OpinionMark opinion={opinion} /> },
  {
    title: 'Reactions',
    isOptional: true,
    cell: ({ signals }) => <span className="text-quiet">{signals.join(', ')}</span>,
  },
  {
    title: 'Comment',
    cell: ({ comment }) =>
      comment !== undefined && (
        <PlainText text={comment} className="line-clamp-2 max-w-md min-w-40 wrap-anywhere" />
      ),
  },
  { title: 'Score', align: 'right', cell: ({ score }) => formatPercent(score) },
  { title: 'Category', isOptional: true, cell: ({ category }) => <PlainText text={category} /> },
  { title: 'Target', isOptional: true, cell: ({ target }) => <PlainText text={target} /> },
  {
    title: 'Answered',
    isOptional: true,
    cell: ({ answeredAt }) => (
      <span className="text-quiet">
        <TimeText at={answeredAt} />
      </span>
    ),
  },
];
