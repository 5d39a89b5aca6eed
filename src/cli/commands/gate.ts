import { defineCommand } from '../program/define-command.ts';
import { exitCodes } from '../program/help-sections.ts';
import { text } from '../program/input.ts';
import { gateInputs, json, runName, store } from '../program/shared-inputs.ts';
import { repeatPlace, storeOf } from '../program/store-of.ts';

/** `touchstone gate [run]`: the decision on a stored run, by its own gate or by a config's. */
export const gate = defineCommand({
  name: 'gate',
  summary: 'apply the gate to a run: pass, fail, inconclusive or not measured',
  description:
    'Applies the gate to a stored run and prints the decision, with the arithmetic behind every rule. Makes no calls and changes nothing.',
  inputs: {
    run: runName,
    config: text('<config>', 'config with the gate to apply (default: the gate the run was made with)'),
    ...gateInputs,
    json,
    store,
  },
  help: `
Examples:
  $ touchstone gate                                 the last run, with the gate it was made with
  $ touchstone gate dwwq --config . --json          with the gate of the current config
  $ touchstone gate latest --baseline main          compared with a baseline
${exitCodes}`,
  run: async ({ run: name, store: place, ...flags }, output) => {
    const { gate: decide } = await import('../../library/api/runs/gate.ts');
    const { withStore } = await import('../../library/api/open-store.ts');
    const { decisionText } = await import('../texts/decision.ts');
    const { exitCodeOf } = await import('../running/exit-code-of.ts');
    const given = { store: place, config: flags.config };
    const { run, decision } = await withStore(storeOf(given), (opened) =>
      decide(name, { ...flags, store: opened }),
    );
    const said = await repeatPlace(decisionText(run, decision), given);
    await output.print(flags.json, { run: run.id, gate: run.gate, decision }, () => said);
    return exitCodeOf(run, false);
  },
});
