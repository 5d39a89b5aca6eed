import type { Command } from 'commander';
import { claimStdout } from '../output.ts';
import { bashScript } from './bash-script.ts';
import { readCommandWords } from './command-words.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `touchstone completion`: the script by which a shell completes the commands of a program. */
export async function printCompletion(program: Command, shell: keyof typeof scripts): Promise<number> {
  await claimStdout().write(scripts[shell](readCommandWords(program)));
  return 0;
}
