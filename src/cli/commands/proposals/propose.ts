import { propose, type ProposeReport } from '../../../library/api/cases/propose.ts';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { shorten, toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { questionOf } from '../../../core/schema/case.ts';
import type { PickReason } from '../../../core/schema/proposal/pick-reason.ts';
import type { Proposal } from '../../../core/schema/proposal/proposal.ts';
import { readGitPerson } from '../../git-person.ts';
import { openStore, openWritableStore } from '../../open-store.ts';
import { claimStdout } from '../../output.ts';

/** The options of `touchstone propose`, as parsed from the command line. */
export interface ProposeFlags {
  readonly dataset?: string;
  readonly by?: string;
  readonly limit: number;
  readonly reason?: readonly PickReason[];
  readonly trace?: readonly string[];
  readonly seed?: number;
  readonly random: number;
  readonly unlike: number;
  readonly dryRun?: boolean;
  readonly config?: string;
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone propose`: picks stored traces and proposes a case of each. Returns the exit code. */
export async function proposeCommand(flags: ProposeFlags): Promise<number> {
  const output = claimStdout();
  const isDryRun = flags.dryRun === true;
  const by = flags.by ?? (await readGitPerson(process.cwd()));
  const store = await (isDryRun ? openStore : openWritableStore)(flags.store);
  try {
    const report = await propose({
      store,
      isDryRun,
      limit: flags.limit,
      share: flags.random,
      distance: flags.unlike,
      onNotice: (message) => console.error(`note: ${toTerminalText(message)}`),
      dataset: flags.dataset,
      config: flags.config,
      by,
      seed: flags.seed,
      reasons: flags.reason,
      traces: flags.trace,
    });
    await output.write(flags.json === true ? jsonDocument(report) : describeReport(report, isDryRun));
    return 0;
  } finally {
    await store.close();
  }
}

/** The widest question of a list, in columns. */
const widest = 70;

/** Describes what was proposed, and what was not. */
export function describeReport(report: ProposeReport, isDryRun: boolean): string {
  const { dataset, seed, traces, left, picked, proposals, leftOut, beyond, added } = report;
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
    `${formatPlural(proposals.length, 'case')} ${could} for ${toTerminalText(dataset)}${isDryRun ? '' : `, ${added} of them new`}.`,
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
