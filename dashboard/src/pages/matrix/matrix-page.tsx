import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import type {
  MatrixCounts,
  MatrixHead,
  MatrixList,
  MatrixRow,
} from '../../../../src/core/schema/api/comparison/matrix.ts';
import { sides } from '../../../../src/core/lib/filter/filter.ts';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import { useIsFile } from '../../data/data-source.ts';
import { useRights } from '../../data/use-rights.ts';
import { readKept, writeKept } from '../../data/kept-value.ts';
import { useMatrix, useMatrixCounts } from '../../data/use-matrix.ts';
import { type Crumb, PageHead } from '../../layout/page-head.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { useHasPage } from '../../parts/links/use-has-page.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { DownloadLinks } from '../../parts/links/download-links.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { MatrixTable } from './matrix-table.tsx';
import { type Lines, linesOf, MatrixTools } from './matrix-tools.tsx';

/** Loaded once somebody edits a question: the page is there to read first. */
const EditRowDialog = lazy(async () => ({
  default: (await import('../../parts/acting/edit-row.tsx')).EditRowDialog,
}));

const route = getRouteApi('/matrix');

/** The answers of several targets or runs to the same questions, side by side. */
export function MatrixPage() {
  const { columns } = route.useSearch();
  if (columns === undefined) return <NoColumns />;
  return <Matrix />;
}

function NoColumns() {
  return (
    <>
      <PageHead crumbs={[{ label: 'Runs', link: { to: '/' } }]} title="Matrix" />
      <EmptyState title="Which answers do you want to see side by side?">
        Pick two or more runs in the{' '}
        <Link to="/" className="link">
          list of runs
        </Link>
        , or open a run with several targets. In the address,{' '}
        <code className="font-mono">?columns=RUN,RUN:TARGET</code> names up to eight.
      </EmptyState>
    </>
  );
}

function Matrix() {
  const search = route.useSearch();
  const { columns: named, where, sort, diff } = search;
  const [lines, setLines] = useState<Lines>(() => linesOf(readKept('matrix-lines')));
  const list = useMatrix({ columns: named, where, sort });
  const counts = useMatrixCounts({ columns: named, where }, list.data !== undefined).data;
  const rows = useMemo(() => list.data?.pages.flatMap((part) => part.rows) ?? [], [list.data]);
  const head = list.data?.pages[0];
  const columns = head?.columns ?? [];
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const against = sides.findIndex((side) => side === diff);
  const isFile = useIsFile();
  const { onEdit, dialog } = useEditing(columns);
  const crumbs = useCrumbs(columns);
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={titleOf(columns)}
        about={
          <About
            columns={columns}
            counts={counts}
            isFiltered={where !== undefined}
            {...(isFile && { matching: rows.length })}
          />
        }
        actions={
          <DownloadLinks
            path="/matrix/table"
            choice={{ columns: named, where, sort }}
            formats={['html', 'csv', 'jsonl']}
          />
        }
      />
      <MatrixTools
        columns={columns}
        counts={counts}
        lines={lines}
        onLines={(next) => {
          writeKept('matrix-lines', next);
          setLines(next);
        }}
      />
      <ErrorPanel error={list.error} onRetry={list.refetch} />
      {head === undefined ? (
        list.error === null && <Skeleton />
      ) : rows.length === 0 && !list.isPlaceholderData ? (
        <NoRows counts={counts} isFiltered={where !== undefined} />
      ) : (
        <MatrixTable
          // Another list begins at its top.
          key={`${named} ${where} ${sort}`}
          columns={columns}
          rows={rows}
          rowCount={hasNextPage ? counts?.matching : rows.length}
          lines={lines}
          against={against < columns.length ? against : -1}
          isBusy={list.isPlaceholderData}
          onEnd={() => {
            if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
          }}
          onEdit={onEdit}
        />
      )}
      {dialog}
      <Unpaired columns={columns} counts={counts} />
      <LeftOut columns={head?.leftOut} />
    </>
  );
}

/** Keeps which question is edited: of the row that is given to `onEdit`, in the file of the run of the first column. Its targets here are asked again then. */
function useEditing(columns: readonly MatrixHead[]) {
  const { canEditFiles } = useRights();
  const [edited, setEdited] = useState<MatrixRow>();
  const run = columns[0]?.run;
  if (!canEditFiles || run === undefined) return { onEdit: undefined, dialog: null };
  const targets = columns.filter((column) => column.run === run).map(({ target }) => target);
  const dialog = edited !== undefined && (
    <Suspense fallback={null}>
      <EditRowDialog
        key={edited.position}
        row={{ run, id: edited.caseId, targets }}
        onClose={() => setEdited(undefined)}
      />
    </Suspense>
  );
  return { onEdit: setEdited, dialog };
}

/** The targets beyond the most that are shown. */
function LeftOut({ columns = [] }: { readonly columns: MatrixList['leftOut'] | undefined }) {
  if (columns.length === 0) return null;
  return (
    <p className="mt-6 text-quiet">
      Eight columns are shown. Left out:{' '}
      {columns.map(({ run, target }, at) => (
        <span key={`${run} ${target}`}>
          {at > 0 && ', '}
          <PlainText text={`${target} of ${run}`} />
        </span>
      ))}
      .
    </p>
  );
}

/** Returns the way to the page: the list of runs, or in the report on a run its first page. */
function useCrumbs([first]: readonly MatrixHead[]): Crumb[] {
  const isFile = useIsFile();
  const isInReport = useHasPage('/runs/$run') && isFile;
  if (!isInReport || first === undefined) return [{ label: 'Runs', link: { to: '/' } }];
  const { run, name = run } = first;
  return [{ label: name, link: { to: '/runs/$run', params: { run } } }];
}

/** Returns a title that names the columns in the tab: the targets, or the runs where all have one target. */
function titleOf(columns: readonly MatrixHead[]): string {
  if (columns.length === 0) return 'Matrix';
  return `Matrix: ${columns.map(columnName(columns)).join(', ')}`;
}

/** Returns how a column is called: by its target where these differ, else by its run. */
export function columnName(columns: readonly MatrixHead[]): (column: MatrixHead) => string {
  const hasOneTarget = new Set(columns.map(({ target }) => target)).size === 1 && columns.length > 1;
  return ({ run, target, name }) => (hasOneTarget ? (name ?? run) : target);
}

interface AboutOptions {
  readonly columns: readonly MatrixHead[];
  readonly counts: MatrixCounts | undefined;
  readonly isFiltered: boolean;
  /** The number of rows that match, where all of them are loaded. */
  readonly matching?: number;
}

function About({ columns, counts, isFiltered, matching }: AboutOptions) {
  if (counts === undefined) return <>&nbsp;</>;
  const of = formatPlural(counts.all, 'question');
  return (
    <span role="status">
      {isFiltered ? `${formatCount(matching ?? counts.matching)} of ${of}` : of},{' '}
      {formatPlural(columns.length, 'column')}
      {counts.of !== undefined &&
        `; ${formatPlural(counts.of, 'question')} in all, of which this file has these`}
    </span>
  );
}

function NoRows({ counts, isFiltered }: Pick<AboutOptions, 'counts' | 'isFiltered'>) {
  const search = route.useSearch();
  if (isFiltered && counts?.all !== 0)
    return (
      <EmptyState title="No question matches">
        <Link to="/matrix" search={{ ...search, where: undefined }} className="link">
          Show all questions
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState title="No question is in all columns">
      Questions pair by what is asked and expected, whatever their ids. Those of each column are listed below.
    </EmptyState>
  );
}

/** The questions of each column that not all others have. */
function Unpaired({ columns, counts }: Pick<AboutOptions, 'columns' | 'counts'>) {
  const isFile = useIsFile();
  const lists = columns.flatMap((column, at) => {
    const unpaired = counts?.unpaired[at];
    return unpaired === undefined || unpaired.cases === 0
      ? []
      : [{ column, unpaired, side: sides[at] ?? 'a' }];
  });
  if (lists.length === 0) return null;
  return (
    <div className="mt-8">
      <Section title="What is not in every column?">
        <ul className="space-y-2">
          {lists.map(({ column: { run, target }, unpaired: { cases, first }, side }) => (
            <li key={side} className="wrap-anywhere">
              <span className="font-medium">{side.toUpperCase()}</span> <PlainText text={target} />,{' '}
              {isFile ? (
                <PlainText text={run} />
              ) : (
                <Link to="/runs/$run/cases" params={{ run }} className="link">
                  <PlainText text={run} />
                </Link>
              )}
              : {formatPlural(cases, 'question')} that not all others were asked:{' '}
              {first.map((id, at) => (
                <span key={id}>
                  {at > 0 && ', '}
                  <PlainText text={id} />
                </span>
              ))}
              {cases > first.length && ` and ${formatCount(cases - first.length)} more`}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
