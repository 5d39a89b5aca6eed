import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatFilter } from '../../../src/core/lib/filter/format-filter.ts';
import type { Filter } from '../../../src/core/lib/filter/filter.ts';

interface FilteredCasesOptions {
  readonly run: string;
  readonly where: Filter;
  /** The order of the list, such as `total`; by default the order of the plan. */
  readonly sort?: string;
  /** The description of the list, where the content of the link does not say it. */
  readonly title?: string;
  /** -1 where another link to the same list is a few presses of Tab away, so that the tables below stay near. */
  readonly tabIndex?: -1;
  readonly children: ReactNode;
}

/** A link to the list of cases of a run that a filter selects. */
export function FilteredCases({ run, where, sort, title, tabIndex, children }: FilteredCasesOptions) {
  return (
    <Link
      to="/runs/$run/cases"
      params={{ run }}
      search={{ where: formatFilter(where), sort }}
      title={title}
      tabIndex={tabIndex}
      className="link"
    >
      {children}
    </Link>
  );
}

/** A link to the case that a filter selects, or to the first one of several. */
export function FirstCaseLink({ run, where, title, children }: Omit<FilteredCasesOptions, 'sort'>) {
  return (
    <Link
      to="/runs/$run/cases/$ordinal"
      params={{ run, ordinal: 'first' }}
      search={{ where: formatFilter(where) }}
      title={title}
      className="link"
    >
      {children}
    </Link>
  );
}

/** A link to one trial of a run, by its place in the plan. */
export function TrialLink({
  run,
  ordinal,
  children,
}: {
  readonly run: string;
  readonly ordinal: number;
  readonly children: ReactNode;
}) {
  return (
    <Link to="/runs/$run/cases/$ordinal" params={{ run, ordinal: String(ordinal) }} className="link">
      {children}
    </Link>
  );
}
