import type { ReactNode } from 'react';
import { FilteredCases } from './filtered-cases.tsx';

/** The options of {@link CasesLink}. */
interface CasesLinkOptions {
  /** The id of the run. */
  readonly run: string;
  /** The filter of the cases: a value for each field, `{ target: 'v1', passed: 'false' }`. */
  readonly where: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

/** A number or a name that leads to the cases behind it. */
export function CasesLink({ run, where, children }: CasesLinkOptions) {
  const filter = Object.entries(where).map(
    ([field, value]) => ({ field, operator: '=', values: [value] }) as const,
  );
  return (
    <FilteredCases run={run} where={filter}>
      {children}
    </FilteredCases>
  );
}
