import { attackHeadline, attackNote, type AttackRow, attackRows } from '../../report/rows/attack-rows.ts';
import { formatCount } from '../../report/format.ts';
import { type Block, heading, paragraph, table, note } from '../blocks/block.ts';
import { name, shareTone, span, whole } from '../blocks/text.ts';
import type { ReportInput } from '../reporter.ts';

/** Lays out the attacks on each target, with what the set does not show; empty for a run without any. */
export function attackBlocks({ summary: { attacks = [] } }: Pick<ReportInput, 'summary'>): Block[] {
  if (attacks.length === 0) return [];
  return [
    heading(2, [span('Attacks', 'strong')]),
    ...attacks.flatMap((attacked) => [
      paragraph([whole(attackHeadline(attacked))], { mark: [name(attacked.target, 'strong'), span('  ')] }),
      familyTable(attackRows(attacked)),
      note(attackNote(attacked)),
    ]),
  ];
}

function familyTable(rows: readonly AttackRow[]): Block {
  return table(
    [
      { title: 'Family' },
      { title: 'succeeded', name: 'Succeeded', align: 'right' },
      { title: 'rate', name: 'Rate', align: 'right' },
      { title: 'likely', name: 'Likely', align: 'right' },
      { title: '', name: 'At most', align: 'right', isOptional: true },
      { title: 'at least once', name: 'At least once', align: 'right', isOptional: true },
      { title: 'not measured', name: 'Not measured', align: 'right' },
    ],
    rows.map((row) => [
      [name(row.family)],
      [span(row.succeeded)],
      [span(row.rate, shareTone(row.share))],
      [span(row.range, 'quiet')],
      [span(row.atMost, 'quiet')],
      [span(row.everSucceeded, 'quiet')],
      [span(formatCount(row.notMeasured), row.notMeasured === 0 ? 'quiet' : 'fair')],
    ]),
  );
}
