import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import type { SearchHit } from '../../../../src/core/schema/api/search-hit.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { useSearch } from '../../data/use-search.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

interface SearchResultsOptions {
  readonly run: Pick<Run, 'id' | 'targets' | 'attempts'>;
  readonly text: string;
  /** The list that an opened case belongs to. */
  readonly list: { readonly where?: string; readonly sort?: string };
  /** The ordinal of the answer that has the focus: the one from which one comes back. */
  readonly start: number | undefined;
  /** The number of answers that match the filter, each of which is searched; undefined until it is known. */
  readonly answers: number | undefined;
}

/** The answers that contain a text, as they are found, in place of the list of cases. */
export function SearchResults({ run, text, list, start, answers }: SearchResultsOptions) {
  const { found, error, isRunning, onContinue, onStop } = useSearch({
    run: run.id,
    text,
    where: list.where,
  });
  useRowKeys();
  const { hits = [], next } = found ?? {};
  const hasStart = hits.some(({ ordinal }) => ordinal === start);
  useEffect(() => {
    if (hasStart) document.querySelector<HTMLElement>(`[data-row="${start}"]`)?.focus();
  }, [hasStart, start]);
  return (
    <section aria-label="Search results" className="mt-4">
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <Progress found={found} answers={answers} isRunning={isRunning} />
        {isRunning && <Button onClick={onStop}>Stop</Button>}
        {!isRunning && next !== null && error === null && (
          <Button onClick={onContinue}>Continue the search</Button>
        )}
      </div>
      <ErrorPanel error={error} onRetry={onContinue} />
      {hits.length > 0 && (
        <ol aria-label="Answers with the text" className="divide-y divide-line border-y border-line">
          {hits.map((hit) => (
            <li key={hit.ordinal} className="grid gap-x-4 py-1.5 sm:grid-cols-[minmax(8rem,16rem)_1fr]">
              <Place hit={hit} run={run} list={{ ...list, text }} />
              <Excerpt hit={hit} />
            </li>
          ))}
        </ol>
      )}
      {hits.length === 0 && next === null && (
        <EmptyState title="No answer contains the text">
          <p>
            Questions, answers, messages, tool calls, documents and errors were searched; upper and lower case
            are alike.
            {list.where !== undefined && ' Only answers that match the filter were searched.'}
          </p>
        </EmptyState>
      )}
    </section>
  );
}

interface ProgressOptions
  extends Pick<SearchResultsOptions, 'answers'>,
    Pick<ReturnType<typeof useSearch>, 'found' | 'isRunning'> {}

/** The number of hits, and how far the search has come. */
function Progress({ found, answers, isRunning }: ProgressOptions) {
  const { hits = [], searched = 0, next } = found ?? {};
  const all = answers === undefined ? '' : `${formatCount(answers)} `;
  const read =
    next === null
      ? `All ${all}answers searched`
      : `${formatCount(searched)}${all === '' ? ' ' : ` of ${all}`}answers searched`;
  return (
    <p role="status">
      <span className="font-medium">
        {formatPlural(hits.length, 'answer')} {hits.length === 1 ? 'contains' : 'contain'} the text
      </span>
      <span className="text-quiet">
        {' · '}
        {isRunning ? 'Searching: ' : ''}
        {read}
      </span>
    </p>
  );
}

interface PlaceOptions extends Pick<SearchResultsOptions, 'run'> {
  readonly hit: SearchHit;
  readonly list: SearchResultsOptions['list'] & { readonly text: string };
}

/** The link to the answer, with its target and attempt where the run has several. */
function Place({ hit: { ordinal, caseId, target, attempt }, run, list }: PlaceOptions) {
  const parts = [
    ...(run.targets.length > 1 ? [target] : []),
    ...(run.attempts > 1 ? [`attempt ${attempt}`] : []),
  ];
  return (
    <p className="min-w-0 truncate">
      <Link
        to="/runs/$run/cases/$ordinal"
        params={{ run: run.id, ordinal: String(ordinal) }}
        search={list}
        data-row={ordinal}
        className="link"
      >
        <PlainText text={caseId} />
      </Link>{' '}
      <PlainText text={parts.join(' · ')} className="text-xs text-quiet" />
    </p>
  );
}

/** The found text with the words around it. */
function Excerpt({ hit: { place, before, match, after } }: { readonly hit: SearchHit }) {
  return (
    <p className="min-w-0 wrap-anywhere">
      <span className="mr-2 text-xs text-quiet">{place}</span>
      <PlainText text={before} />
      <mark className="rounded-sm bg-mark px-0.5 text-text">
        <PlainText text={match} />
      </mark>
      <PlainText text={after} />
    </p>
  );
}
