import { expect, test } from 'vitest';
import type { ToolInterceptor } from '../../targets/target.ts';
import { buildTarget } from '../../../../test/support/build-evaluation.ts';
import { requestOf, unbounded } from '../../../../test/support/prepare-target.ts';
import { withToolFaults } from '../with-tool-faults.ts';
import { slow } from './slow.ts';

test('the tool runs, and its result comes late and as it is', async () => {
  if (!('delaysMs' in slow)) throw new Error('it is not late');
  expect(slow.delaysMs).toMatchObject({ '5s': 5000, '30s': 30_000 });
  const outcomes: unknown[] = [];
  const target = buildTarget(async (_request, { interceptTool }: { interceptTool?: ToolInterceptor }) => {
    outcomes.push(await interceptTool?.({ name: 'search', arguments: {} }, async () => ({ result: [1] })));
    return 'done';
  });
  const late = { ...slow, delaysMs: { '5s': 20 } };
  const start = performance.now();
  await withToolFaults(target, { fault: late, rate: 1 }).call(requestOf('?'), unbounded);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
  expect(outcomes).toEqual([{ result: [1], fault: 'slow' }]);
});
