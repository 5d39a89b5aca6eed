import { TouchstoneError } from '../../../core/errors.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, parsed, repeated } from '../../program/input.ts';
import { wholeNumber } from '../../program/parse-option.ts';
import { json, store } from '../../program/shared-inputs.ts';

const loadApi = async () => await import('../../../library/api/cases/traces.ts');
const loadTexts = async () => await import('../../texts/traces.ts');

const add = defineCommand({
  name: 'import',
  description: 'Adds the traces in an OTLP JSON file, redacted, and skips spans that are already stored.',
  inputs: { file: argument('<file>', 'a file of traces; `-` is standard input'), json, store },
  run: async (input, output) => {
    const receipt = await (await loadApi()).importTraces(input.file, { store: input.store });
    const { describeTraceReceipt } = await loadTexts();
    await output.print(input.json, receipt, describeTraceReceipt);
    return Object.keys(receipt.rejected).length === 0 ? 0 : 2;
  },
});

const list = defineCommand({
  name: 'list',
  description: 'Lists the newest traces.',
  inputs: { limit: parsed('<n>', 'list at most this many traces', wholeNumber(1)).default(50), json, store },
  run: async ({ limit, ...input }, output) => {
    const { countTraces, listTraces } = await loadApi();
    const { withStore } = await import('../../../library/api/open-store.ts');
    const { describeHeads } = await loadTexts();
    return await withStore({ store: input.store }, async (opened) => {
      const heads = await listTraces({ store: opened, limit });
      const all = await countTraces({ store: opened });
      return await output.print(input.json, heads, () => describeHeads(heads, all));
    });
  },
});

const show = defineCommand({
  name: 'show',
  description:
    'Prints a trace with its feedback, the questions made from it, and how later runs did on them.',
  inputs: { trace: argument('<trace>', 'the id of a trace, or its first characters'), json, store },
  run: async (input, output) => {
    const trace = await (await loadApi()).readTrace(input.trace, { store: input.store });
    const { describeOneTrace } = await loadTexts();
    return await output.print(input.json, trace, describeOneTrace);
  },
});

const forget = defineCommand({
  name: 'forget',
  description:
    'Erases traces and the proposals made from them, and lists the lines of golden sets with questions made from them.',
  inputs: {
    trace: repeated('<id>', 'a trace; may be repeated'),
    user: repeated('<id>', 'a user, by the id in the traces; may be repeated'),
    json,
    store,
  },
  run: async ({ trace: traces = [], user: users = [], ...input }, output) => {
    if (traces.length + users.length === 0) {
      throw new TouchstoneError('usage-invalid', 'No trace and no user to forget is named.', {
        remedy: 'Name traces or users: `--trace ID`, `--user ID`; both may be repeated.',
      });
    }
    const forgotten = await (await loadApi()).forgetTraces({ store: input.store, traces, users });
    const { describeForgotten } = await loadTexts();
    return await output.print(input.json, forgotten, describeForgotten);
  },
});

/** `touchstone traces`: production traces. */
export const traces = defineCommand({
  name: 'traces',
  summary: 'import production traces, to propose questions from them',
  description: 'Stores and shows production traces: what users asked, and what the bot did to answer.',
  help: `
Examples:
  $ touchstone view --ingest                      a server on this machine that takes traces (OTLP)
  $ touchstone traces import spans.json           skips spans that are stored already
  $ touchstone traces show 5b8eff                 its answer, feedback and questions, and later runs
  $ touchstone traces forget --user u-17          erases, and lists the questions made from them

What is stored, and for how long: docs/production.md.`,
  commands: [add, list, show, forget],
});
