import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { listenForInterrupts } from '../../interrupts.ts';
import { defineCommand } from '../../program/define-command.ts';
import { text } from '../../program/input.ts';
import { json, runName, store } from '../../program/shared-inputs.ts';

/** `touchstone push [run]`: a run to a server for a team. */
export const push = defineCommand({
  name: 'push',
  summary: 'send a run to a server for a team',
  description:
    'Sends a run that has ended to a server (`touchstone server`), with the token of TOUCHSTONE_TOKEN. What is cut off goes on where it ended when the command is repeated; a run that is there already is not sent again.',
  inputs: {
    run: runName,
    server: text('<url>', "the address of the server (default: the config's `report.server`)"),
    project: text('<name>', "the project there (default: the config's `report.project`, or main)"),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone push --server https://evals.example.org               the last run
  $ touchstone push dwwq --server https://evals.example.org --project shop

The token has the scope \`run\`: \`touchstone server token ci --scope run\` on the server makes one.
With \`report: { server: https://evals.example.org }\` in the config, each run is sent when it ends.`,
  run: async (input, output) => {
    const { findReceiver } = await import('../../../library/api/push/find-receiver.ts');
    const { pushRun } = await import('../../../library/api/push/push-run.ts');
    const onNotice = (message: string) => console.error(toTerminalText(message));
    const receiver = await findReceiver(input);
    const signals = listenForInterrupts(onNotice, () => false);
    try {
      const options = { ...receiver, store: input.store, onNotice, stop: signals.stop };
      const pushed = await pushRun(input.run, options);
      return await output.print(input.json, pushed, ({ run, url, sent }) =>
        sent === 0 ? `Run ${run} was there already: ${url}\n` : `Sent run ${run}: ${url}\n`,
      );
    } finally {
      signals.release();
    }
  },
});
