import { expect, test } from 'vitest';
import { findIn, lintRows } from '../../../../test/support/lint-rows.ts';
import { undeclaredTool } from './undeclared-tool.ts';

test('a tool that the case does not offer is an error', async () => {
  const tools = [{ name: 'search' }, { type: 'function', function: { name: 'book' } }];
  const rows = [{ question: 'A?', expected_tools: ['book', 'cancel'], tools }];
  expect(await lintRows(undeclaredTool, rows)).toEqual([
    '1: expects the tool "cancel", and the question offers search, book',
  ]);
});

const expecting = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ question: `${name} ${index}?`, expected_tools: [name] }));

test('a name that looks misspelt beside a frequent one is a warning', async () => {
  const [finding] = await findIn(undeclaredTool, [
    ...expecting('search_orders', 6),
    ...expecting('serach_orders', 1),
  ]);
  expect(finding).toMatchObject({ line: 7, severity: 'warning' });
  expect(finding?.message).toBe(
    'the tool "serach_orders" is expected once, and "search_orders" 6 times: the name looks misspelt',
  );
});

test('other names, and numbered ones, are no finding', async () => {
  expect(await lintRows(undeclaredTool, [...expecting('get_user', 9), ...expecting('set_rate', 1)])).toEqual(
    [],
  );
  expect(
    await lintRows(undeclaredTool, [...expecting('run_step_1', 9), ...expecting('run_step_2', 1)]),
  ).toEqual([]);
});
