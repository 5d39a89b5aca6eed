import { getRouteApi, Link } from '@tanstack/react-router';
import { sides } from '../../../../src/core/lib/filter/filter.ts';
import type { MatrixHead } from '../../../../src/core/schema/api/comparison/matrix.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { describeFailedAgain } from '../../../../src/look/report/score-in-words.ts';
import { useIsFile } from '../../data/data-source.ts';
import { useHasPage } from '../../parts/links/use-has-page.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { ReviewedValueText } from '../../parts/score-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { withoutColumn } from './without-column.ts';

const route = getRouteApi('/matrix');

interface ColumnHeadOptions {
  readonly columns: readonly MatrixHead[];
  readonly at: number;
}

/** The head of a column: its target and its run, with the headline. */
export function ColumnHead({ columns, at }: ColumnHeadOptions) {
  const column = columns[at];
  const hasPage = useHasPage('/runs/$run');
  const isFile = useIsFile();
  if (column === undefined) return null;
  const { run, target, name, createdAt, headline } = column;
  const side = (sides[at] ?? 'a').toUpperCase();
  return (
    <div
      role="columnheader"
      aria-colindex={at + 2}
      className="min-w-0 border-l border-line px-3 py-2 text-left"
    >
      <div className="flex items-baseline gap-2">
        <span className="font-semibold">{side}</span>
        <PlainText text={target} className="min-w-0 font-medium wrap-anywhere" />
        {columns.length > 1 && !isFile && <LeaveOut columns={columns} at={at} />}
      </div>
      <div className="text-xs text-quiet wrap-anywhere">
        {hasPage ? (
          <Link
            to="/runs/$run"
            params={{ run }}
            search={{ target }}
            className="inline-flex min-h-[24px] items-center link"
          >
            <PlainText text={name ?? run} />
          </Link>
        ) : (
          <PlainText text={name ?? run} />
        )}
        <span>
          {' · '}
          <TimeText at={createdAt} />
        </span>
      </div>
      <div className="text-xs">
        {headline === null ? (
          <span className="text-quiet">no score yet</span>
        ) : headline.failedAgain !== undefined ? (
          describeFailedAgain(headline.failedAgain)
        ) : (
          <>
            <ReviewedValueText {...headline} value={headline.score} />
            <span className="whitespace-nowrap text-quiet">
              {' '}
              n = {formatCount(headline.counts.measured)}/{formatCount(headline.counts.planned)}
            </span>
          </>
        )}
      </div>
    </div>
  );
}

/** A link to the matrix without a column. */
function LeaveOut({ columns, at }: ColumnHeadOptions) {
  const { target = '' } = columns[at] ?? {};
  const search = route.useSearch();
  return (
    <Link
      to="/matrix"
      search={withoutColumn(search, columns, at)}
      title={`Leave out ${target}`}
      className="ml-auto inline-flex h-[24px] w-[24px] shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-text"
    >
      <span aria-hidden>×</span>
      <span className="sr-only">
        Leave out <PlainText text={target} />
      </span>
    </Link>
  );
}
