import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { formatSigned } from '../../../../src/look/report/comparison/rows.ts';
import { formatCount, formatPercent, formatPlural } from '../../../../src/look/report/format.ts';
import type { ComparisonFile } from '../../../../src/core/schema/api/comparison/comparison-file.ts';
import type { PairRow, PairSide } from '../../../../src/core/schema/api/comparison/pair-row.ts';
import { useIsFile } from '../../data/data-source.ts';
import type { PairsSoFar } from '../../data/use-comparison.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { FlipMark } from './finding-mark.tsx';
import { useCompareAddress } from './use-compare-address.ts';

interface CasesSectionOptions {
  readonly pairs: PairsSoFar | undefined;
  /** The part of the cases that a file contains; undefined elsewhere. */
  readonly part: ComparisonFile['pairs'][number] | undefined;
  readonly error: unknown;
  readonly onRetry: () => unknown;
  /** Reads the next part of the list; undefined at its end. */
  readonly onMore: (() => void) | undefined;
}

/** The cases of both runs, filtered and sorted as the address says. */
export function CasesSection({ pairs, part, error, onRetry, onMore }: CasesSectionOptions) {
  const { address } = useCompareAddress();
  return (
    <div id="cases" className="scroll-mt-14">
      <Section title="Question by question" note={part && partNote(part)}>
        <Filter />
        {error !== null && error !== undefined ? (
          <ErrorPanel error={error} onRetry={onRetry} />
        ) : pairs === undefined ? (
          <Skeleton />
        ) : pairs.rows.length === 0 ? (
          <EmptyState title="No question matches the filter" />
        ) : (
          <>
            <p className="mb-1 text-quiet" role="status">
              {formatCount(pairs.count)} {pairs.count === 1 ? 'question' : 'questions'}
              {address.where === undefined ? '' : ' match the filter'}
            </p>
            <DataTable
              label="Questions of both runs"
              columns={columns}
              rows={pairs.rows}
              keyOf={({ position }) => String(position)}
            />
            <ShowMore onMore={onMore} end={`All ${formatPlural(pairs.count, 'question')} are shown.`} />
          </>
        )}
      </Section>
    </div>
  );
}

/** Describes which cases a file contains. */
function partNote({ shown, cases }: ComparisonFile['pairs'][number]): string {
  return shown === cases
    ? `All ${formatPlural(cases, 'question')} of both runs are in this file.`
    : `${formatCount(shown)} of ${formatPlural(cases, 'question')} are in this file, the greatest losses first. The numbers above are for all of them.`;
}

const presets = [
  { label: 'All', where: undefined },
  { label: 'Worse', where: 'flip=worse' },
  { label: 'Better', where: 'flip=better' },
  { label: 'Lower score', where: 'change<0' },
  { label: 'Higher score', where: 'change>0' },
] as const;

const orders = [
  { label: 'Greatest loss first', sort: 'change' },
  { label: 'Greatest gain first', sort: '-change' },
  { label: 'Order of the dataset', sort: 'ordinal' },
  { label: 'Lowest score in B first', sort: 'b.total' },
  { label: 'Slowest in B first', sort: '-b.latencyMs' },
] as const;

/** The order of the list unless the address names another. */
export const usualSort = 'change';

function Filter() {
  const { address, change } = useCompareAddress();
  const input = useRef<HTMLInputElement>(null);
  const isFile = useIsFile();
  useKeys(isFile ? [] : [{ keys: '/', does: 'Filter the questions', run: () => input.current?.focus() }]);
  useEffect(() => {
    if (input.current !== null) input.current.value = address.where ?? '';
  }, [address.where]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change({ where: input.current?.value.trim() || undefined, case: undefined });
  };
  const sort = address.sort ?? usualSort;
  return (
    <div className="mb-3 space-y-2">
      <div className="flex flex-wrap gap-2" role="group" aria-label="Common filters">
        {presets.map(({ label, where }) => (
          <button
            key={label}
            type="button"
            aria-pressed={address.where === where}
            onClick={() => change({ where, case: undefined })}
            className="h-7 rounded-full border border-line px-3 text-xs hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft"
          >
            {label}
          </button>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        {!isFile && (
          <form onSubmit={submit} className="flex min-w-0 flex-1 basis-72 gap-2">
            <input
              ref={input}
              type="search"
              aria-label="Filter of the questions"
              placeholder="a.passed=true b.passed=false change<-0.2"
              defaultValue={address.where}
              spellCheck={false}
              autoComplete="off"
              className="h-8 min-w-0 flex-1 rounded-md border border-line bg-page px-3 font-mono text-xs placeholder:text-quiet"
            />
            <Button type="submit">Filter</Button>
          </form>
        )}
        <select
          aria-label="Order of the questions"
          value={sort}
          onChange={({ target }) => change({ sort: target.value })}
          className="h-8 rounded-md border border-line bg-page px-2"
        >
          {!orders.some((order) => order.sort === sort) && <option value={sort}>{sort}</option>}
          {orders
            .filter(({ sort: by }) => !isFile || !by.endsWith('latencyMs'))
            .map((order) => (
              <option key={order.sort} value={order.sort}>
                {order.label}
              </option>
            ))}
        </select>
      </div>
    </div>
  );
}

const columns: readonly Column<PairRow>[] = [
  { title: 'Flip', isOptional: true, cell: ({ flip }) => <FlipMark flip={flip} /> },
  { title: 'Question', isName: true, cell: (row) => <CaseName row={row} /> },
  {
    title: 'Category',
    isOptional: true,
    cell: ({ category }) => (
      <span className="block max-w-40 truncate">
        <PlainText text={category} />
      </span>
    ),
  },
  { title: 'A', cell: ({ a }) => <SideCell side={a} /> },
  { title: 'B', cell: ({ b }) => <SideCell side={b} /> },
  {
    title: 'B − A',
    align: 'right',
    cell: ({ change }) => <span className="whitespace-nowrap">{formatSigned(change, undefined)}</span>,
  },
];

function CaseName({ row }: { readonly row: PairRow }) {
  const question = (row.b.trial ?? row.a.trial)?.question ?? row.caseId;
  return (
    <Link
      from="/compare"
      to="/compare"
      search={(before) => ({ ...before, case: row.caseId })}
      resetScroll={false}
      replace
      data-row={row.caseId}
      title={row.caseId}
      className="link line-clamp-2 max-w-40 wrap-anywhere sm:max-w-96 sm:min-w-40"
    >
      <PlainText text={question} />
    </Link>
  );
}

function SideCell({ side: { total, passShare, trial } }: { readonly side: PairSide }) {
  if (trial === null) return <span className="text-quiet">not asked</span>;
  const isMixed = passShare !== null && passShare > 0 && passShare < 1;
  return (
    <span className="whitespace-nowrap max-sm:flex max-sm:flex-col">
      <OutcomeMark outcome={trial.result} />
      {total !== null && <span className="text-quiet"> {formatPercent(total)}</span>}
      {isMixed && <span className="text-quiet max-sm:hidden">, passed {formatPercent(passShare)}</span>}
    </span>
  );
}
