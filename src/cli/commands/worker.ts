import { defineCommand } from '../program/define-command.ts';
import { flag, parsed, text } from '../program/input.ts';
import { duration, wholeNumber } from '../program/parse-option.ts';
import { cache, runName, store, telemetryInputs, workerInputs } from '../program/shared-inputs.ts';

/** `touchstone worker [run]`: trials of a run that another process has begun. */
export const worker = defineCommand({
  name: 'worker',
  summary: 'help with a run that another process has started',
  description:
    'Joins a run in progress: makes and scores its attempts, in the same store, until none are left. Needs the same config and files as the run. The limits of the run apply to all workers together.',
  inputs: {
    run: runName,
    wait: flag('work on one run after the other, as they are started with `run --workers`, until SIGTERM'),
    config: text('<file>', 'a config file, or a folder with one (default: this folder)'),
    judgeSamples: parsed('<k>', 'the same number that the run was started with', wholeNumber(1)),
    cache,
    ...workerInputs,
    stopWithin: parsed(
      '<duration>',
      'how long to wait for calls in flight after SIGTERM or Ctrl-C, before cancelling them: 10s, 2min … (default: 30s)',
      duration,
    ),
    healthPort: parsed(
      '<port>',
      'serve /healthz (alive) and /healthz/ready (evaluates in the same way as the run, or waits for one) on this port',
      wholeNumber(1, 65_535),
    ),
    healthHost: text(
      '<address>',
      'the address to serve --health-port on (default: 127.0.0.1, this machine only)',
    ),
    ...telemetryInputs,
    store,
  },
  help: `
Examples:
  $ touchstone worker                        help with the newest run in the store here
  $ touchstone worker dwwq --config evals    the run whose id ends in dwwq, of another config
  $ touchstone run --workers 8               start eight of them with a run
  $ touchstone worker --wait --config evals  stay, and help with every run that takes workers
`,
  run: async (input) => await (await import('../running/worker.ts')).joinRun(input),
});
