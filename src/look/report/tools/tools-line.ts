import type { Run } from '../../../core/schema/run.ts';
import type { ToolCounts } from '../../../core/schema/tools/run-tools.ts';
import { formatCount } from '../format.ts';

/**
 * Returns the line that says where the answers of a run's tools came from: `replayed from cassettes/shop.jsonl (3f9a12c4), 312 calls;
 * mocked 24; real 0; refused 2`. Undefined for a run whose tools did not pass through Touchstone.
 */
export function toolsLine({ tools, summary }: Pick<Run, 'tools' | 'summary'>): string | undefined {
  if (tools === undefined) return undefined;
  const counts = summary?.tools;
  return [
    `${describeMode(tools, counts)}${counts === undefined ? '' : `; ${describeCounts(counts)}`}`,
    ...strays('late', tools.late),
    ...strays('of no attempt', tools.unattributed),
    ...(tools.listen === undefined ? [] : [`reached from outside of this machine at ${tools.listen}`]),
  ].join('; ');
}

function describeMode({ mode, cassette }: NonNullable<Run['tools']>, counts: ToolCounts | undefined): string {
  const { path = '', hash } = cassette ?? {};
  const file = hash === undefined ? path : `${path} (${hash})`;
  if (mode === 'observe') return 'observed';
  if (mode === 'record') return `recorded in ${file}`;
  const replayed = counts === undefined ? '' : `, ${formatCount(counts.cassette)} calls`;
  return `replayed from ${file}${replayed}${mode === 'replay' ? '' : '; what was missing is recorded'}`;
}

function describeCounts({ tool, mock, refused, fault, past }: ToolCounts): string {
  const parts = [
    `mocked ${formatCount(mock)}`,
    `real ${formatCount(tool)}`,
    `refused ${formatCount(refused)}`,
  ];
  if (fault > 0) parts.push(`failed by a fault ${formatCount(fault)}`);
  if (past > 0) parts.push(`${formatCount(past)} redirects and addresses lead past the proxy`);
  return parts.join('; ');
}

function strays(
  what: string,
  calls: readonly { readonly name: string; readonly calls: number }[] = [],
): string[] {
  const total = calls.reduce((sum, each) => sum + each.calls, 0);
  const names = calls.slice(0, 5).map(({ name }) => name);
  return total === 0 ? [] : [`${formatCount(total)} ${what}, not carried out: ${names.join(', ')}`];
}
