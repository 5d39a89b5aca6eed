import { defineCommand } from '../program/define-command.ts';
import { conditionGrammar, exitCodes, filterGrammar, sequentialMeaning } from '../program/help-sections.ts';
import { argument } from '../program/input.ts';
import { runInputs } from '../program/shared-inputs.ts';

/** `touchstone run [config]`: the questions asked, the answers scored, the report, and the gate. */
export const run = defineCommand({
  name: 'run',
  summary: 'ask the questions, score the answers, print the report',
  description:
    'Asks every question of the golden set, records and scores the answers, prints the report and applies the gate.',
  inputs: {
    config: argument('[config]', 'a config file, or a folder with one (default: this folder)'),
    ...runInputs,
  },
  help: `
Examples:
  $ touchstone run                                   the config in this folder
  $ touchstone run examples/python-bot --verbose     the config in another folder
  $ touchstone run --dataset new.csv --limit 20      the first 20 questions of another file
  $ touchstone run --attempts 5 --filter category=hybrid
  $ touchstone run --passes "4 of 5"                 a question passes when 4 of its 5 attempts do
  $ touchstone run --fail-under 85 --output report.md --output report.json
  $ touchstone run --fail-under 85 --sequential      only as many questions as the gate needs
  $ touchstone run --dry-run                         how many calls the run would make
  $ touchstone run --faults all --perturb typos      what if tools fail, and users mistype?
  $ touchstone run --failed                          only what did not pass in the last run
  $ touchstone run --resume                          after Ctrl-C or a crash: only missing answers
  $ touchstone run --watch --view                    follow your edits, with the dashboard

What to check, and how a bot is reached: touchstone metrics WORD, touchstone targets WORD.
${filterGrammar}${conditionGrammar}${sequentialMeaning}
Ctrl-C finishes the calls in flight and stores their answers; a second one cancels them, a third
ends at once.
${exitCodes}`,
  run: async ({ evalSet, ...flags }, output) => {
    const input = { ...flags, dataset: flags.dataset ?? evalSet };
    if (input.watch === true) return await (await import('../running/watch-run.ts')).watchRun(input);
    return await (await import('../running/run.ts')).runConfig(input, output);
  },
});
