import type { Run } from '../../../core/schema/run.ts';
import type { ToolCounts } from '../../../core/schema/tools/run-tools.ts';
import { formatCount, formatPlural } from '../format.ts';
import { joinPhrases, type Phrase, quote } from '../phrase.ts';

/**
 * Returns the line that says where the answers of a run's tools came from: `replayed from cassettes/shop.jsonl (3f9a12c4), 312 calls;
 * mocked 24; real 0; refused 2`. Undefined for a run whose tools did not pass through Touchstone.
 */
export function toolsLine({ tools, summary }: Pick<Run, 'tools' | 'summary'>): Phrase | undefined {
  if (tools === undefined) return undefined;
  const counts = summary?.tools;
  const parts: Phrase[] = [
    describeMode(tools, counts),
    ...(counts === undefined ? [] : describeCounts(counts)),
    ...strays('late', tools.late),
    ...strays('of no attempt', tools.unattributed),
    ...(tools.listen === undefined
      ? []
      : [['reached from outside of this machine at ', quote(tools.listen)]]),
  ];
  return joinPhrases(parts, '; ');
}

function describeMode({ mode, cassette }: NonNullable<Run['tools']>, counts: ToolCounts | undefined): Phrase {
  if (mode === 'observe' || cassette === undefined) return ['observed'];
  const { path, hash } = cassette;
  const file: Phrase = [quote(path), ...(hash === undefined ? [] : [` (${hash})`])];
  if (mode === 'record') return ['recorded in ', ...file];
  const replayed = counts === undefined ? '' : `, ${formatPlural(counts.cassette, 'call')}`;
  const missing = mode === 'replay' ? '' : ', and what was missing is recorded';
  return ['replayed from ', ...file, `${replayed}${missing}`];
}

function describeCounts({ tool, mock, refused, fault, past }: ToolCounts): Phrase[] {
  return [
    [`mocked ${formatCount(mock)}`],
    [`real ${formatCount(tool)}`],
    [`refused ${formatCount(refused)}`],
    ...(fault > 0 ? [[`failed by a fault ${formatCount(fault)}`]] : []),
    ...(past > 0 ? [[`${formatCount(past)} redirects and addresses lead past the proxy`]] : []),
  ];
}

function strays(
  what: string,
  calls: readonly { readonly name: string; readonly calls: number }[] = [],
): Phrase[] {
  const total = calls.reduce((sum, each) => sum + each.calls, 0);
  if (total === 0) return [];
  const names = calls.slice(0, 5).map(({ name }): Phrase => [quote(name)]);
  return [[`${formatCount(total)} ${what}, not carried out: `, ...joinPhrases(names, ', ')]];
}
