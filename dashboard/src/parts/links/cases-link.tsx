import type { ReactNode } from 'react';
import { equalTo, type Filter } from '../../../../src/core/lib/filter/filter.ts';
import { FilteredCases, FirstCaseLink } from '../filtered-cases.tsx';

interface CasesLinkOptions {
  /** The id of the run. */
  readonly run: string;
  /** The filter of the cases: a value for each field, or several of which one must hold: `{ target: 'v1', passed: 'false' }`. */
  readonly where: Readonly<Record<string, string | readonly string[]>>;
  /** See {@link FilteredCases}. */
  readonly tabIndex?: -1;
  readonly children: ReactNode;
}

/** A number or a name that leads to the cases behind it. */
export function CasesLink({ run, where, tabIndex, children }: CasesLinkOptions) {
  return (
    <FilteredCases run={run} where={filterOf(where)} tabIndex={tabIndex}>
      {children}
    </FilteredCases>
  );
}

/** The name of a case that leads to its answer. */
export function CaseLink({ run, where, children }: CasesLinkOptions) {
  return (
    <FirstCaseLink run={run} where={filterOf(where)}>
      {children}
    </FirstCaseLink>
  );
}

function filterOf(where: CasesLinkOptions['where']): Filter {
  return Object.entries(where).map(([field, value]) =>
    equalTo(field, typeof value === 'string' ? [value] : value),
  );
}
