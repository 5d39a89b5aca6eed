import type { Json } from '../../src/core/schema/json.ts';

/** The modes of comparing arguments. */
export const argumentModes = ['exact', 'superset', 'subset'] as const;

/** Expected and actual arguments, and the ways of comparing in which they agree. */
export interface ArgumentRow {
  readonly expected: Json;
  readonly actual: Json;
  readonly holds: readonly (typeof argumentModes)[number][];
}

/** The truth table of `match`: tested, and printed in docs/tool-calls.md. */
export const argumentRows: readonly ArgumentRow[] = [
  { expected: { x: 1, y: 2 }, actual: { y: 2, x: 1 }, holds: ['exact', 'superset', 'subset'] },
  { expected: { x: 1, y: 2 }, actual: { x: 1, y: 2, z: 3 }, holds: ['superset'] },
  { expected: { x: 1, y: 2 }, actual: { x: 1 }, holds: ['subset'] },
  { expected: { x: 1, y: 2 }, actual: { x: 1, z: 3 }, holds: [] },
  { expected: { x: 1, y: 2 }, actual: { x: 1, y: 3 }, holds: [] },
  { expected: {}, actual: { x: 1 }, holds: ['superset'] },
  { expected: { x: { y: 1 } }, actual: { x: { y: 1, z: 2 } }, holds: ['superset'] },
  { expected: { x: { $exact: { y: 1 } } }, actual: { x: { y: 1, z: 2 }, w: 3 }, holds: [] },
  { expected: { x: [1, 2] }, actual: { x: [2, 1] }, holds: [] },
  { expected: { x: [1, 2] }, actual: { x: [1, 2, 3] }, holds: [] },
  { expected: { x: [{ y: 1 }] }, actual: { x: [{ y: 1, z: 2 }] }, holds: ['superset'] },
  {
    expected: { x: 1, y: { $oneOf: [2, { $absent: true }] } },
    actual: { x: 1 },
    holds: ['exact', 'superset', 'subset'],
  },
  { expected: { x: 1, y: { $absent: true } }, actual: { x: 1, y: 2 }, holds: [] },
];
