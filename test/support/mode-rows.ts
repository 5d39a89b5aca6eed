import type { CallMode, ExpectItem } from '../../src/core/schema/expected-calls.ts';

/** A call that was made, by its tool or with its arguments. */
export type MadeCall =
  | string
  | { readonly name: string; readonly arguments: Readonly<Record<string, number>> };

/**
 * Expected and actual calls, and the modes in which they agree. A list among the actual calls is one message with
 * several calls.
 */
export interface ModeRow {
  readonly expect: readonly ExpectItem[];
  readonly made: readonly (MadeCall | readonly MadeCall[])[];
  readonly holds: readonly CallMode[];
  /** The fact that the row shows. */
  readonly shows: string;
}

const all: readonly CallMode[] = ['strict', 'in-order', 'unordered', 'subset', 'superset'];
const anyOrder: readonly CallMode[] = ['unordered', 'subset', 'superset'];
const a = (x: number) => ({ name: 'a', arguments: { x } });

/** The truth table of the modes: tested, and printed in docs/tool-calls.md. */
export const modeRows: readonly ModeRow[] = [
  { expect: ['a', 'b'], made: ['a', 'b'], holds: all, shows: 'the same' },
  { expect: ['a', 'b'], made: ['b', 'a'], holds: anyOrder, shows: 'another order' },
  { expect: ['a', 'b'], made: ['a'], holds: ['subset'], shows: 'one missing' },
  { expect: ['a', 'b'], made: [], holds: ['subset'], shows: 'all missing' },
  { expect: ['a', 'b'], made: ['a', 'c', 'b'], holds: ['in-order', 'superset'], shows: 'one between' },
  { expect: ['a', 'b'], made: ['b', 'c', 'a'], holds: ['superset'], shows: 'another order, one between' },
  { expect: ['a', 'b'], made: ['a', 'c'], holds: [], shows: 'one missing, one more' },
  { expect: ['a'], made: ['a', 'a'], holds: ['in-order', 'superset'], shows: 'once too often' },
  { expect: ['a', 'a'], made: ['a'], holds: ['subset'], shows: 'once too seldom' },
  { expect: [], made: [], holds: all, shows: 'nothing expected, nothing done' },
  { expect: [], made: ['a'], holds: ['in-order', 'superset'], shows: 'nothing expected' },
  { expect: [a(1)], made: [a(1)], holds: all, shows: 'arguments too' },
  { expect: [a(1)], made: [a(2)], holds: [], shows: 'wrong arguments' },
  {
    expect: ['a', a(1)],
    made: [a(1), a(2)],
    holds: anyOrder,
    shows: 'the pairing that fits most counts, not the first',
  },
  { expect: [{ name: 'a', times: 2 }], made: ['a', 'a'], holds: all, shows: 'a number of times' },
  {
    expect: [{ name: 'a', times: 2 }],
    made: ['a', 'a', 'a'],
    holds: [],
    shows: 'beyond a written number nothing is extra',
  },
  {
    expect: [{ name: 'a', times: 2 }],
    made: ['a', 'b', 'a'],
    holds: ['in-order', 'superset'],
    shows: 'one between',
  },
  { expect: [{ name: 'a', times: { min: 1, max: 3 } }], made: ['a', 'a'], holds: all, shows: 'a range' },
  { expect: ['a', { name: 'b', times: { max: 1 } }], made: ['a'], holds: all, shows: 'a call that may be' },
  {
    expect: [{ together: ['a', 'b'] }],
    made: [['b', 'a']],
    holds: ['strict', 'in-order'],
    shows: 'one message',
  },
  { expect: [{ together: ['a', 'b'] }], made: ['a', 'b'], holds: [], shows: 'two messages' },
  {
    expect: [{ together: ['a', 'b'] }],
    made: [['a', 'c', 'b']],
    holds: ['in-order'],
    shows: 'one more in the message',
  },
  {
    expect: [{ together: ['a'] }, 'b'],
    made: [['a', 'b']],
    holds: ['in-order'],
    shows: 'in `strict` a group is all of its message',
  },
];
