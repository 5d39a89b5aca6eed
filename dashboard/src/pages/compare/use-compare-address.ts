import { getRouteApi } from '@tanstack/react-router';
import type { ComparedChoice } from '../../data/use-comparison.ts';

const route = getRouteApi('/compare');

/** The parameters of the address of the page. */
export type CompareAddress = ReturnType<typeof route.useSearch>;

/** Returns the parameters of the address, and a function that changes some of them in place. */
export function useCompareAddress(): {
  readonly address: CompareAddress;
  readonly choice: ComparedChoice;
  readonly change: (changes: Partial<CompareAddress>) => void;
} {
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const { a, b, targetA, targetB } = address;
  return {
    address,
    choice: { a, b, targetA, targetB },
    change: (changes) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false }),
  };
}
