import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { Baseline } from '../../core/schema/decision.ts';
import { defineCommand } from '../program/define-command.ts';
import { argument } from '../program/input.ts';
import { json, runName, store } from '../program/shared-inputs.ts';

const loadBaselines = async () => await import('../../library/api/baselines.ts');
const loadText = async () => await import('../texts/baselines.ts');

/** Returns a baseline with the number of its cases in place of the cases. */
function outline({ targets, ...rest }: Baseline): object {
  return { ...rest, targets: targets.map(({ cases, ...target }) => ({ ...target, cases: cases.length })) };
}

const savedName = argument('<name>', 'the name given to `baseline set`');

const set = defineCommand({
  name: 'set',
  description: 'Saves a run as a baseline, and replaces any earlier baseline of that name.',
  inputs: { name: argument('<name>', 'such as main'), run: runName, json, store },
  run: async (input, output) => {
    const baseline = await (await loadBaselines()).setBaseline(input.name, input.run, { store: input.store });
    const { describeBaseline } = await loadText();
    return await output.print(
      input.json,
      outline(baseline),
      () => `Baseline ${input.name} is run ${baseline.run.id}: ${describeBaseline(baseline)}.\n`,
    );
  },
});

const list = defineCommand({
  name: 'list',
  description: 'Lists the baselines of the store.',
  inputs: { json, store },
  run: async (input, output) => {
    const all = await (await loadBaselines()).listBaselines({ store: input.store });
    const { baselineList } = await loadText();
    return await output.print(input.json, all.map(outline), () => baselineList(all));
  },
});

const remove = defineCommand({
  name: 'remove',
  description: 'Removes a baseline, but not the run it was made from.',
  inputs: { name: savedName, json, store },
  run: async ({ name, ...flags }, output) => {
    await (await loadBaselines()).removeBaseline(name, { store: flags.store });
    return await output.print(flags.json, { removed: name }, () => `Removed baseline ${name}.\n`);
  },
});

const write = defineCommand({
  name: 'export',
  description: 'Writes a baseline to a file for your repository, so that CI needs no store.',
  inputs: { name: savedName, file: argument('<file>', 'such as baselines/main.json'), json, store },
  run: async ({ name, file, ...flags }, output) => {
    const baseline = await (await loadBaselines()).exportBaseline(name, file, { store: flags.store });
    const said = `Wrote ${file}; \`touchstone run --baseline ${file}\` compares a run with it.`;
    return await output.print(flags.json, { ...outline(baseline), file }, () => `${toTerminalText(said)}\n`);
  },
});

/** `touchstone baseline`: runs that later runs are compared with. */
export const baseline = defineCommand({
  name: 'baseline',
  summary: 'save runs as baselines to compare later runs with',
  description: 'Saves runs under a name, as baselines to compare later runs with.',
  help: `
Examples:
  $ touchstone baseline set main                    the last run
  $ touchstone baseline set release-2 dwwq
  $ touchstone baseline export main baselines/main.json
  $ touchstone run --baseline main                  pass only if shown not to be worse

A baseline contains the score and verdicts of every question, without texts and answers. It is a
file in the folder of the store, or in your repository.`,
  commands: [set, list, remove, write],
});
