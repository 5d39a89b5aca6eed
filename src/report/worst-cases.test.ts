import { expect, test } from 'vitest';
import { sampleInput } from '../../test/support/build-sample-run.ts';
import { listWorstFirst } from './worst-cases.ts';

test('cases are listed by their worst trial: what did not pass first, then by the smallest total', async () => {
  const right = { expectedTools: ['a'], usedTools: ['a'], found: ['x'] };
  const poor = { found: ['x'], missing: ['y', 'z', 'u', 'v'] };
  const { run, results } = sampleInput([
    { ...right, id: 'right', target: 'one' },
    { ...right, id: 'right', target: 'two' },
    { ...right, id: 'error', target: 'one' },
    { id: 'error', target: 'two', error: { code: 'timeout', message: '' } },
    { ...right, id: 'poor', target: 'one' },
    { ...poor, id: 'poor', target: 'two' },
    { ...right, id: 'unmeasured', target: 'one' },
    { ...right, id: 'unmeasured', target: 'two', isUnmeasured: true },
  ]);
  expect(await listWorstFirst(run, results())).toEqual([
    [4, 5],
    [2, 3],
    [6, 7],
    [0, 1],
  ]);
});
