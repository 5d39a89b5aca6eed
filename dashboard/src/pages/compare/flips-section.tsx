import { Link } from '@tanstack/react-router';
import { formatSigned } from '../../../../src/look/report/comparison/rows.ts';
import { type PassCell, passTable } from '../../../../src/look/report/comparison/parts.ts';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import type { PairComparison } from '../../../../src/core/schema/run-comparison.ts';
import type { PairRow } from '../../../../src/core/schema/api/comparison/pair-row.ts';
import { usePairs } from '../../data/use-comparison.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { FlipMark } from './finding-mark.tsx';
import { useCompareAddress } from './use-compare-address.ts';

/** The cases that passed in one run and not in the other: McNemar's table, and the first cases of either kind. */
export function FlipsSection({ pair }: { readonly pair: PairComparison }) {
  const table = passTable(pair);
  // Without a scorecard, a pass is the pass of one metric, which a filter of cases does not know.
  const isLinked = pair.differences.some(({ measure }) => measure === 'passed');
  if (table === undefined) return null;
  const { both, onlyA, onlyB, neither, rest } = table;
  const cell = (one: PassCell, label: string, className = '') => (
    <td className={`border border-line px-4 py-2 text-right ${className}`}>
      {isLinked && one.count > 0 ? (
        <CasesLink where={one.where} label={`${formatPlural(one.count, 'question')}: ${label}`}>
          {formatCount(one.count)}
        </CasesLink>
      ) : (
        formatCount(one.count)
      )}
    </td>
  );
  const header = 'px-4 py-2 font-normal text-quiet whitespace-nowrap';
  return (
    <Section
      title="Which questions flipped?"
      note={`${formatCount(onlyA.count)} to the worse, ${formatCount(onlyB.count)} to the better. Of several attempts, the majority counts.`}
    >
      <div className="grid gap-8 lg:grid-cols-[auto_1fr_1fr]">
        <div>
          <table aria-label="Passes in A against passes in B" className="border-collapse">
            <thead>
              <tr>
                <td />
                <th scope="col" className={header}>
                  B passed
                </th>
                <th scope="col" className={header}>
                  B failed
                </th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row" className={`${header} pl-0 text-left`}>
                  A passed
                </th>
                {cell(both, 'passed in both')}
                {cell(onlyA, 'passed in A only', 'font-semibold')}
              </tr>
              <tr>
                <th scope="row" className={`${header} pl-0 text-left`}>
                  A failed
                </th>
                {cell(onlyB, 'passed in B only', 'font-semibold')}
                {cell(neither, 'passed in neither')}
              </tr>
            </tbody>
          </table>
          {rest > 0 && (
            <p className="mt-2 max-w-64 text-xs text-quiet">
              {formatPlural(rest, 'pair')} in no cell: not measured in a run, or passed in half of the
              attempts.
            </p>
          )}
        </div>
        {isLinked && (
          <>
            <FlipList flip="worse" count={onlyA.count} />
            <FlipList flip="better" count={onlyB.count} />
          </>
        )}
      </div>
    </Section>
  );
}

const mostListed = 5;

function FlipList({ flip, count }: { readonly flip: 'worse' | 'better'; readonly count: number }) {
  const { choice } = useCompareAddress();
  const where = `flip=${flip}`;
  const sort = flip === 'worse' ? 'change' : '-change';
  const { data } = usePairs(choice, { where, sort, limit: mostListed });
  return (
    <div className="min-w-0">
      <h3 className="font-medium">
        <FlipMark flip={flip} /> <span className="text-quiet">{formatCount(count)}</span>
      </h3>
      {count === 0 ? (
        <p className="mt-1 text-quiet">No question flipped to the {flip}.</p>
      ) : (
        <ul className="mt-1">
          {data?.rows.map((row) => (
            <li key={row.position}>
              <FlipLine row={row} where={where} sort={sort} />
            </li>
          ))}
        </ul>
      )}
      {count > mostListed && (
        <p className="py-1.5">
          <CasesLink where={where} sort={sort} label={`All ${formatCount(count)} to the ${flip}`}>
            All {formatCount(count)}
          </CasesLink>
        </p>
      )}
    </div>
  );
}

function FlipLine({
  row,
  where,
  sort,
}: {
  readonly row: PairRow;
  readonly where: string;
  readonly sort: string;
}) {
  const question = (row.b.trial ?? row.a.trial)?.question ?? row.caseId;
  return (
    <Link
      from="/compare"
      to="/compare"
      search={(before) => ({ ...before, where, sort, case: row.caseId })}
      resetScroll={false}
      replace
      className="flex h-8 items-center gap-2 border-b border-line hover:bg-surface"
    >
      <span className="link min-w-0 flex-1 truncate" title={row.caseId}>
        <PlainText text={question} />
      </span>
      <span className="shrink-0">{formatSigned(row.change, undefined)}</span>
    </Link>
  );
}

interface CasesLinkOptions {
  readonly where: string;
  readonly sort?: string;
  readonly label: string;
  readonly children: React.ReactNode;
}

/** A number that leads to the cases behind it, in the list at the end of the page. */
function CasesLink({ where, sort, label, children }: CasesLinkOptions) {
  return (
    <Link
      from="/compare"
      to="/compare"
      search={(before) => ({ ...before, where, sort, case: undefined })}
      hash="cases"
      aria-label={label}
      className="link"
    >
      {children}
    </Link>
  );
}
