import { Command } from 'commander';
import { touchstoneVersion } from '../version.ts';
import { addAb } from './commands/ab.ts';
import { addArchiveCommands } from './commands/archive.ts';
import { addCompletion } from './commands/completion.ts';
import { addCompare } from './commands/compare.ts';
import { addGateCommands } from './commands/gate.ts';
import { addInit } from './commands/init.ts';
import { addPlan } from './commands/plan.ts';
import { addRecordCommands } from './commands/records.ts';
import { addRescore } from './commands/rescore.ts';
import { addRun } from './commands/run.ts';
import { addScore } from './commands/score.ts';
import { addTrends } from './commands/trends.ts';
import type { ExitWith } from './commands/exit-with.ts';
import { exitCodes, firstSteps } from './help-texts.ts';

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
