import { Command } from 'commander';
import { touchstoneVersion } from '../../version.ts';
import { addAb, addCompare, addTrends } from './compare-commands.ts';
import { addGateCommands } from './gate-command.ts';
import { exitCodes, firstSteps } from './help-texts.ts';
import type { ExitWith } from './options.ts';
import { addArchiveCommands, addCompletion, addInit, addRecordCommands } from './record-commands.ts';
import { addPlan, addRescore, addRun, addScore } from './run-commands.ts';

/**
 * The whole command line. Each command is loaded when it is used, so that `--help` costs little.
 * @param exitWith - Told the exit code of the command that was run.
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
  addInit(program, exitWith);
  addRun(program, exitWith);
  addScore(program, exitWith);
  addRescore(program, exitWith);
  addPlan(program, exitWith);
  addCompare(program, exitWith);
  addAb(program, exitWith);
  addGateCommands(program, exitWith);
  addTrends(program, exitWith);
  addRecordCommands(program, exitWith);
  addArchiveCommands(program, exitWith);
  addCompletion(program, exitWith);
  return program;
}
