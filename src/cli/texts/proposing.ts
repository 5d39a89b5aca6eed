import { type ProposeReport } from '../../library/api/cases/propose.ts';
import { shorten, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../look/report/format.ts';
import { questionOf } from '../../core/schema/case.ts';
import type { Proposal } from '../../core/schema/proposal/proposal.ts';

/** The widest question of a list, in columns. */
const widest = 70;

/** Describes what was proposed, and what was not. */
export function describeReport(report: ProposeReport, isDryRun: boolean): string {
  const { dataset, seed, traces, left, picked, proposals, leftOut, beyond, added } = report;
  if (traces === 0 && Object.keys(left).length === 0)
    return 'There are no traces to propose questions from: `touchstone traces import FILE`, or `touchstone view --ingest`.\n';
  const reasons = Object.entries(picked).map(([reason, count]) => `${reason} ${count}`);
  const could = isDryRun ? 'would be proposed' : 'proposed';
  const lines = [
    `${formatPlural(traces, 'trace')} to pick from (seed ${seed}): ${reasons.length === 0 ? 'none picked' : reasons.join(', ')}.`,
    ...Object.entries(left).map(
      ([reason, count]) => `  ${formatPlural(count, 'trace')} not to pick: ${reason}`,
    ),
    ...proposals.flatMap(describeProposed),
    ...leftOut.map(
      ({ traceId, reason }) => `  skipped ${toTerminalText(traceId)}: ${toTerminalText(reason)}`,
    ),
    ...(beyond > 0 ? [`  ${formatPlural(beyond, 'picked trace')} more than --limit`] : []),
    `${formatPlural(proposals.length, 'question')} ${could} for ${toTerminalText(dataset)}${isDryRun ? '' : `, ${added} of them new`}.`,
    ...(isDryRun || proposals.length === 0
      ? []
      : ['Nothing enters the golden set before a person approves it: `touchstone view`, page Proposals.']),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function describeProposed({
  id,
  case: proposed,
  change,
  replaces,
  picked,
  expectations,
}: Proposal): string[] {
  const why = picked.map((each) => `${each.reason} (${toTerminalText(each.why)})`).join('; ');
  const what = change === 'new' ? 'new' : `changes ${toTerminalText(replaces ?? '')}`;
  return [
    `${id}  ${shorten(toTerminalText(questionOf(proposed)), widest)}`,
    `  ${what}, ${formatPlural(expectations.length, 'expectation')}, ${toTerminalText(proposed.category ?? 'no category')}: ${why}`,
  ];
}
