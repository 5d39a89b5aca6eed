import type { ReactNode } from 'react';

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
  return (
    <a href={casesAddress(run, where)} className="link">
      {children}
    </a>
  );
}

/** Returns the address of the cases of a run that a filter selects. */
function casesAddress(run: string, where: Readonly<Record<string, string>>): string {
  const terms = Object.entries(where).map(([field, value]) => `${field}=${value}`);
  return `/runs/${encodeURIComponent(run)}/cases?${new URLSearchParams({ where: terms.join(' ') }).toString()}`;
}
