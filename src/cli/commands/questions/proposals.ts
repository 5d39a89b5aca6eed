import { TouchstoneError } from '../../../core/errors.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { proposalStates } from '../../../core/schema/proposal/kept-proposal.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, parsed, text } from '../../program/input.ts';
import { share } from '../../program/parse-option.ts';
import { allowOwn, goldenConfig, json, store } from '../../program/shared-inputs.ts';
import { storeOf } from '../../program/store-of.ts';

const loadApi = async () => await import('../../../library/api/cases/proposals.ts');
const loadTexts = async () => await import('../../texts/proposals.ts');
const onNotice = (message: string) => console.error(`note: ${toTerminalText(message)}`);

const proposal = argument('<proposal>', 'the id of a proposal, or its first or last characters');

const list = defineCommand({
  name: 'list',
  description: 'Lists proposals, the oldest first.',
  inputs: {
    state: text('<state>', 'only proposals in this state').oneOf(proposalStates),
    dataset: text('<file>', 'only proposals for this golden set'),
    json,
    store,
  },
  run: async ({ json: isJson, ...choice }, output) => {
    const kept = await Array.fromAsync((await loadApi()).readProposals(choice));
    const { describeList } = await loadTexts();
    return await output.print(isJson, kept, describeList);
  },
});

const show = defineCommand({
  name: 'show',
  description:
    'Prints a proposal: its question, its expectations with the evidence for them, and what lint finds.',
  inputs: { proposal, json, store },
  run: async (input, output) => {
    const { lintProposal, readProposal } = await loadApi();
    const { describeProposal } = await loadTexts();
    const kept = await readProposal(input.proposal, { store: input.store });
    const findings = await lintProposal(kept, { onNotice });
    return await output.print(input.json, { ...kept, findings }, () => describeProposal(kept, findings));
  },
});

const decide = defineCommand({
  name: 'decide',
  description: 'Approves or rejects a proposal, or undoes the decision.',
  inputs: {
    proposal,
    approve: flag('approve it'),
    tick: text(
      '<numbers>',
      'with --approve: the numbers of the expectations to add to the question, or all, or none',
    ).default('none'),
    case: text('<file>', 'with --approve: the question as edited, as JSON, without expectations'),
    reject: flag('reject it'),
    undo: flag('undo the decision'),
    note: text('<text>', 'a note'),
    by: text('<name>', 'who decides (default: the name in git)'),
    allowOwn,
    json,
    store,
  },
  run: async (input, output) => {
    const { decideProposal, readProposal, readProposedCase } = await loadApi();
    const { makeApproval } = await import('../../../cases/proposals/decide.ts');
    const { withWritableStore } = await import('../../../library/api/open-store.ts');
    const { readGitPerson } = await import('../../git-person.ts');
    const { describeDecision } = await loadTexts();
    const person = input.by ?? (await readGitPerson(process.cwd()));
    if (person === undefined) {
      throw new TouchstoneError('usage-invalid', 'It is not known who decides.', {
        remedy: 'Say who you are: `--by NAME`.',
      });
    }
    const { note, allowOwn: isOwnAllowed } = input;
    const edited = input.case === undefined ? undefined : await readProposedCase(input.case);
    return await withWritableStore({ store: input.store }, async (opened) => {
      const { proposal: kept } = await readProposal(input.proposal, { store: opened });
      const status = statusOf(input);
      const outcome =
        status === 'approved' ? makeApproval(kept, { ticks: readTicks(input.tick), edited }) : { status };
      const decision = { proposal: kept.id, person, outcome, note };
      return await output.print(
        input.json,
        await decideProposal(decision, { store: opened, isOwnAllowed }),
        describeDecision,
      );
    });
  },
});

/** Returns the decision that exactly one flag states. */
function statusOf(flags: { readonly approve?: boolean; readonly reject?: boolean; readonly undo?: boolean }) {
  const given = [
    ...(flags.approve === true ? (['approved'] as const) : []),
    ...(flags.reject === true ? (['rejected'] as const) : []),
    ...(flags.undo === true ? (['withdrawn'] as const) : []),
  ];
  const [status] = given;
  if (status !== undefined && given.length === 1) return status;
  throw new TouchstoneError('usage-invalid', 'A decision is one of `--approve`, `--reject` and `--undo`.');
}

function readTicks(ticks: string): readonly number[] | 'all' {
  if (ticks === 'all') return 'all';
  if (ticks === 'none') return [];
  const numbers = ticks.split(',').map(Number);
  if (numbers.every((number) => Number.isInteger(number) && number >= 1)) return numbers;
  throw new TouchstoneError('usage-invalid', `"${ticks}" are no expectations to tick.`, {
    remedy: 'Write their numbers, as `touchstone proposals show` prints them: `--tick 1,3`; or all, or none.',
  });
}

const write = defineCommand({
  name: 'export',
  description:
    'Appends approved questions to a golden set of JSON Lines, each once, and checks them with lint.',
  inputs: {
    file: argument('[file]', "the golden set, which may be a new file (default: the config's)"),
    patch: flag('print a patch for `git apply` instead of writing the file'),
    dryRun: flag('print what would be written, and write nothing'),
    heldOut: parsed('<share>', 'the share of new questions to hold out, by the hash of their texts', share),
    heldOutFile: text('<file>', 'the file for the questions that are held out'),
    config: goldenConfig,
    json,
    store,
  },
  run: async ({ patch: isPatch = false, dryRun = false, json: isJson, store: place, ...choice }, output) => {
    const { exportProposals } = await loadApi();
    const { withWritableStore } = await import('../../../library/api/open-store.ts');
    const { describeExport } = await loadTexts();
    const isDryRun = dryRun || isPatch;
    const exported = await withWritableStore(storeOf({ store: place, config: choice.config }), (opened) =>
      exportProposals({ ...choice, isDryRun, onNotice, store: opened }),
    );
    const said = describeExport(exported, isDryRun);
    if (isPatch && isJson !== true) {
      console.error(said.trimEnd());
      await output.write(exported.files.map(({ patch }) => patch).join(''));
    } else await output.print(isJson, exported, () => said);
    return exported.files.some(({ refused }) => refused.length > 0) ? 2 : 0;
  },
});

/** `touchstone proposals`: proposed cases, decisions on them, and their lines in a golden set. */
export const proposals = defineCommand({
  name: 'proposals',
  summary: 'approve or reject proposed questions, and write the approved ones to a golden set',
  description:
    'Shows proposed questions, approves or rejects them, and writes the approved ones to a golden set. The Proposals page of `touchstone view` does the same with keyboard shortcuts.',
  help: `
Examples:
  $ touchstone proposals list --state open
  $ touchstone proposals show 1f2e                the expectations have numbers
  $ touchstone proposals decide 1f2e --approve --tick 1,3
  $ touchstone proposals export golden.jsonl      the approved questions, each once
  $ touchstone proposals export --patch | git apply

Exit codes: 0 done; 2 a question could not be written. More: docs/production.md.`,
  commands: [list, show, decide, write],
});
