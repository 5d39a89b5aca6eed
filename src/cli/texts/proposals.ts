import { shorten, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { ExportedProposals } from '../../library/api/cases/proposals.ts';
import { formatPlural } from '../../look/report/format.ts';
import type { LintFinding } from '../../core/schema/api/lint-finding.ts';
import { questionOf } from '../../core/schema/case.ts';
import { decisionInForce, type KeptProposal, stateOf } from '../../core/schema/proposal/kept-proposal.ts';
import { describeProof, type Proposal, type ProposalSource } from '../../core/schema/proposal/proposal.ts';

/** The widest question of a list, in columns. */
const widest = 60;

/** Describes a list of proposals, one a line. */
export function describeList(kept: readonly KeptProposal[]): string {
  if (kept.length === 0)
    return 'There are no such proposals: `touchstone propose` makes proposals from traces.\n';
  return toText(
    kept.map((each) => {
      const { id, case: proposed, picked } = each.proposal;
      const question = shorten(toTerminalText(questionOf(proposed)), widest);
      return `${id}  ${stateOf(each).padEnd(8)}  ${(picked[0]?.reason ?? '').padEnd(17)}  ${question}`;
    }),
  );
}

/** Describes a proposal: the case, each expectation with its proof, the checks, what lint finds, and the decisions. */
export function describeProposal(kept: KeptProposal, findings: readonly LintFinding[]): string {
  const { proposal, decisions, exports } = kept;
  const { id, case: proposed, expectations, checks, picked, change, replaces } = proposal;
  const input =
    typeof proposed.input === 'string' ? [{ role: 'user', content: proposed.input }] : proposed.input;
  return toText([
    `${id}: ${stateOf(kept)}, for ${toTerminalText(proposal.dataset)}${change === 'new' ? '' : `, changes the question ${toTerminalText(replaces ?? '')}`}`,
    `from ${describeSource(proposal.source)}${proposal.isSynthetic ? ', synthetic' : ''}`,
    `by ${describeAuthor(proposal)}, ${proposal.at}`,
    ...picked.map(({ reason, why }) => `picked: ${reason} (${toTerminalText(why)})`),
    '',
    ...input.map(({ role, content }) => `${role}: ${toTerminalText(content ?? '')}`),
    `category: ${toTerminalText(proposed.category ?? 'none')}`,
    '',
    expectations.length === 0 ? 'No expectation is proposed.' : 'Expectations to tick:',
    ...expectations.map(
      ({ field, value, proof }, index) =>
        `  ${index + 1}. ${field}: ${toTerminalText(JSON.stringify(value))}, ${toTerminalText(describeProof(proof))}`,
    ),
    '',
    ...checks.map(({ name, passed, reason }) => `${verdictOf(passed)} ${name}: ${toTerminalText(reason)}`),
    ...findings.map(({ severity, rule, message }) => `lint ${severity} ${rule}: ${toTerminalText(message)}`),
    ...(findings.length === 0 ? ['lint finds nothing about the question.'] : []),
    ...decisions.map(
      ({ outcome, by, at, note }) =>
        `${outcome.status} by ${toTerminalText(by.person)}, ${at}${note === undefined ? '' : `: ${toTerminalText(note)}`}`,
    ),
    ...exports.map(
      ({ file, caseId, part }) => `in ${toTerminalText(file)} (${part}) as ${toTerminalText(caseId)}`,
    ),
  ]);
}

function verdictOf(passed: boolean | null): string {
  if (passed === null) return '?';
  return passed ? '✓' : '✗';
}

function describeSource(source: ProposalSource): string {
  if (source.type === 'trace') return `the trace ${toTerminalText(source.traceId)} of ${source.day}`;
  if (source.type === 'run') return `an answer of the run ${toTerminalText(source.run)}`;
  if (source.type === 'label') return `the label ${toTerminalText(source.label)}`;
  return `${toTerminalText(source.document)} (${toTerminalText(source.passage)})`;
}

function describeAuthor({ by }: Proposal): string {
  const model = by.type === 'program' && by.model !== undefined ? ` with ${toTerminalText(by.model)}` : '';
  return `${toTerminalText(by.name)}${model}`;
}

/** Describes a decision that was made. */
export function describeDecision(kept: KeptProposal): string {
  const { outcome } = decisionInForce(kept) ?? {};
  const ticked =
    outcome?.status === 'approved' ? ` with ${formatPlural(outcome.expectations.length, 'expectation')}` : '';
  return `${kept.proposal.id} is ${stateOf(kept)}${ticked}.\n`;
}

/** Describes which cases were written, or would be. */
export function describeExport({ files, findings }: ExportedProposals, isDryRun: boolean): string {
  if (files.length === 0) return 'No proposal for this dataset is approved.\n';
  return toText([
    ...files.flatMap(({ file, placed, refused }) => {
      const count = (fate: string) => placed.filter((each) => each.fate === fate).length;
      const counts = `${count('added')} added, ${count('replaced')} replaced, ${count('known')} there already`;
      return [
        `${toTerminalText(file)}${isDryRun ? ' (not written)' : ''}: ${counts}`,
        ...refused.map(
          ({ approved, reason }) => `  not written: ${approved.proposal.id}, since ${toTerminalText(reason)}`,
        ),
      ];
    }),
    ...findings.map(
      ({ file, severity, rule, message }) => `lint ${severity} ${rule} (${file}): ${toTerminalText(message)}`,
    ),
  ]);
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
