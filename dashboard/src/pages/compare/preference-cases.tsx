import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import type { AnswerPreference } from '../../../../src/core/schema/api/preference/report.ts';
import { useIsFile } from '../../data/data-source.ts';
import { type ComparedChoice, type PreferenceNumber, usePreferenceCases } from '../../data/use-comparison.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import type { PreferenceView } from '../../../../src/core/schema/api/preference/view.ts';
import { useCompareAddress } from './use-compare-address.ts';

const words = {
  wins: 'won by the first',
  ties: 'tied',
  losses: 'lost by the first',
  flips: 'with another result in the other order',
  'not-measured': 'not measured',
  measured: 'measured',
} as const;

const fewRows = 20;
const mostRows = 1000;

interface PreferenceCasesListOptions {
  readonly number: PreferenceNumber;
  readonly view: PreferenceView;
}

/** The verdicts on single answers behind a number, each leading to both answers. */
export function PreferenceCasesList({ number, view }: PreferenceCasesListOptions) {
  const { choice, change } = useCompareAddress();
  const isFile = useIsFile();
  const [limit, setLimit] = useState(fewRows);
  const { data, error, refetch } = usePreferenceCases(choice, number, limit);
  const pair = view.pairs[number.pair];
  const title = `${pair?.a ?? ''} against ${pair?.b ?? ''}: ${words[number.choice]}`;
  return (
    <div className="mt-3 rounded-lg border border-line px-4 py-3">
      <p role="status" className="wrap-anywhere">
        <PlainText text={title} />
        {data !== undefined && <>, {formatPlural(data.count, 'pair')}</>}{' '}
        <button type="button" className="link" onClick={() => change({ prefers: undefined })}>
          close
        </button>
      </p>
      {(data === undefined || error !== null) && <Pending error={error} refetch={refetch} />}
      {data !== undefined && data.count > 0 && (
        <DataTable
          label="Pairs of answers"
          columns={[isFile ? plainCaseColumn : caseColumn(sidesOf(view, number.pair)), ...columns]}
          rows={data.rows}
          keyOf={({ caseHash, attempt }) => `${caseHash} ${attempt}`}
        />
      )}
      {data !== undefined && limit < mostRows && (
        <ShowRest rows={data.rows.length} count={data.count} onShow={() => setLimit(mostRows)} />
      )}
    </div>
  );
}

/** A button for the rows that are not shown; nothing where all are. */
function ShowRest(options: { readonly rows: number; readonly count: number; readonly onShow: () => void }) {
  const { rows, count, onShow } = options;
  if (rows >= count) return null;
  return (
    <div className="mt-2">
      <Button onClick={onShow}>Show {formatCount(Math.min(count, mostRows) - rows)} more</Button>
    </div>
  );
}

/** Returns the part of the address that names two targets; nothing for those that the page is about already. */
function sidesOf({ targets, pairs, shown }: PreferenceView, place: number): ComparedChoice {
  const pair = pairs[place];
  const [a, b] = [pair?.a, pair?.b].map((name) => targets.find((target) => target.name === name));
  if (place === shown || a === undefined || b === undefined) return {};
  return { a: a.run, b: b.run, targetA: a.target, targetB: b.target };
}

function caseColumn(sides: ComparedChoice): Column<AnswerPreference> {
  return {
    title: 'Question',
    isName: true,
    cell: (preference) => (
      <Link
        from="/compare"
        to="/compare"
        search={(before) => ({ ...before, ...sides, case: preference.caseId })}
        resetScroll={false}
        replace
        className="link inline-block min-w-20 wrap-anywhere"
      >
        <PlainText text={nameOf(preference)} />
      </Link>
    ),
  };
}

/** The names of cases in a file, which contains no answers to lead to. */
const plainCaseColumn: Column<AnswerPreference> = {
  title: 'Question',
  isName: true,
  cell: (preference) => (
    <PlainText text={nameOf(preference)} className="inline-block min-w-20 wrap-anywhere" />
  ),
};

function nameOf({ caseId, attempt }: AnswerPreference): string {
  return attempt === 1 ? caseId : `${caseId}, attempt ${attempt}`;
}

const columns: readonly Column<AnswerPreference>[] = [
  {
    title: 'Better',
    cell: ({ a, b, outcome }) => {
      if (outcome.status === 'identical') return 'the same text';
      if (outcome.status === 'not-measured') return <span className="text-unsure">not measured</span>;
      if (outcome.winner === 'tie') return 'neither';
      return <PlainText text={outcome.winner === 'a' ? a : b} className="wrap-anywhere" />;
    },
  },
  {
    title: 'Why',
    cell: ({ outcome }) => {
      if (outcome.status === 'identical') return null;
      const reasons = outcome.status === 'decided' ? outcome.reasons : [outcome.reason];
      return (
        <ul className="min-w-60">
          {reasons.map((reason, index) => (
            <li key={index} className="line-clamp-2 wrap-anywhere">
              <PlainText text={reason} />
            </li>
          ))}
        </ul>
      );
    },
  },
];
