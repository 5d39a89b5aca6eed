import { Command } from 'commander';
import { touchstoneVersion } from '../core/own-package.ts';
import { ab } from './commands/ab.ts';
import { batch } from './commands/batch.ts';
import { baseline } from './commands/baseline.ts';
import { calibrate } from './commands/people/calibrate.ts';
import { check } from './commands/check.ts';
import { compare } from './commands/compare.ts';
import { completion } from './commands/completion.ts';
import { deleteRuns } from './commands/delete.ts';
import { draft } from './commands/questions/draft.ts';
import { erase } from './commands/erase.ts';
import { exportRuns } from './commands/export.ts';
import { feedback } from './commands/people/feedback.ts';
import { doctor } from './commands/doctor.ts';
import { docs, judges, metrics, models, scorecards, targets, users } from './commands/find.ts';
import { gate } from './commands/gate.ts';
import { tools } from './commands/questions/tools.ts';
import { referee } from './commands/referee.ts';
import { grid } from './commands/side-by-side/grid.ts';
import { importFiles } from './commands/import.ts';
import { init } from './commands/init.ts';
import { matrix } from './commands/side-by-side/matrix.ts';
import { labels } from './commands/people/labels.ts';
import { lint } from './commands/questions/lint.ts';
import { plan } from './commands/questions/plan.ts';
import { modes } from './commands/people/modes.ts';
import { predict } from './commands/people/predict.ts';
import { prefer } from './commands/prefer.ts';
import { proposals } from './commands/questions/proposals.ts';
import { propose } from './commands/questions/propose.ts';
import { rescore } from './commands/rescore.ts';
import { review } from './commands/people/review.ts';
import { run } from './commands/run.ts';
import { runs } from './commands/runs.ts';
import { score } from './commands/score.ts';
import { backup, restore } from './commands/server/backup.ts';
import { mcp } from './commands/server/mcp.ts';
import { mcpProxy } from './commands/server/mcp-proxy.ts';
import { push } from './commands/server/push.ts';
import { server } from './commands/server/server.ts';
import { show } from './commands/show.ts';
import { traces } from './commands/questions/traces.ts';
import { trends } from './commands/trends.ts';
import { view } from './commands/view.ts';
import { worker } from './commands/worker.ts';
import type { DefinedCommand, ExitWith } from './program/define-command.ts';
import { exitCodes, firstSteps } from './program/help-sections.ts';

const last = 'Records, other tools, teams:';

/** All commands, in the order of the help and below its headings. */
export const commands: Readonly<Record<string, readonly DefinedCommand[]>> = {
  'Ask and score:': [init, run, score, rescore, batch, tools, worker],
  'Look:': [view, runs, show, trends],
  'Compare and decide:': [compare, matrix, grid, ab, prefer, gate, baseline, referee],
  'Questions:': [lint, plan, draft, traces, propose, proposals],
  'People:': [review, labels, modes, calibrate, feedback, predict],
  'Find:': [metrics, targets, models, judges, scorecards, users, docs],
  [last]: [
    exportRuns,
    importFiles,
    deleteRuns,
    erase,
    check,
    backup,
    restore,
    doctor,
    mcp,
    mcpProxy,
    push,
    server,
    completion,
  ],
};

/**
 * Creates the whole command line. What a command needs is loaded only when the command is used, so `--help` stays fast.
 * @param exitWith - Receives the exit code of the executed command.
 */
export function createProgram(exitWith: ExitWith): Command {
  const program = new Command('touchstone')
    .description(
      'Evaluates chatbots and tool-using agents: golden questions in, a verdict you can defend out.',
    )
    .version(touchstoneVersion)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', firstSteps + exitCodes);
  for (const [heading, group] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const each of group) each.addTo(program, exitWith);
  }
  program.addHelpCommand(
    new Command('help').argument('[command]').description('print the options of a command').helpGroup(last),
  );
  return program;
}
