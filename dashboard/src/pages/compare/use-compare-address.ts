import { getRouteApi } from '@tanstack/react-router';
import { type PreferenceChoice, preferenceChoices } from '../../../../src/core/schema/api/preference/view.ts';
import type { ComparedChoice, PreferenceNumber } from '../../data/use-comparison.ts';

const route = getRouteApi('/compare');

/** The parameters of the address of the page. */
export type CompareAddress = ReturnType<typeof route.useSearch>;

/** Returns the parameters of the address, and a function that changes some of them in place. */
export function useCompareAddress(): {
  /** The number of a comparison in pairs whose cases are listed. */
  readonly number: PreferenceNumber | undefined;
  readonly address: CompareAddress;
  readonly choice: ComparedChoice;
  readonly change: (changes: Partial<CompareAddress>) => void;
} {
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const { a, b, targetA, targetB, prefers } = address;
  return {
    address,
    number: prefers === undefined ? undefined : readNumber(prefers),
    choice: { a, b, targetA, targetB },
    change: (changes) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false }),
  };
}

/** Writes a number of a comparison in pairs as a parameter of the address. */
export function writeNumber({ id, pair, choice }: PreferenceNumber): string {
  return [id, pair, choice].join('~');
}

function readNumber(written: string): PreferenceNumber | undefined {
  const [id, pair, choice] = written.split('~');
  const known: PreferenceChoice | undefined = preferenceChoices.find((each) => each === choice);
  if (id === undefined || known === undefined || !/^\d{1,4}$/.test(pair ?? '')) return undefined;
  return { id, pair: Number(pair), choice: known };
}
