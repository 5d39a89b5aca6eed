import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { ownFile } from '../../core/own-package.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import type { BotChoice } from './beginning.ts';
import { isPython, readModel } from './config-text.ts';
import { templateOf } from './create-files.ts';
import type { Probe } from './probe-bot.ts';

/** A command that can be pasted as it is, and what has to be done before it. */
interface NextStep {
  readonly first?: string;
  readonly command: string;
}

/** The parts of a project on which the next step depends. */
interface Begun {
  readonly bot: BotChoice;
  readonly probe: Probe | undefined;
  /** True when the package.json names Touchstone. */
  readonly isSaved: boolean;
}

/** Returns the next step after a project was written to a folder. */
export function nextStep({ bot, probe, isSaved }: Begun, folder: string): NextStep {
  const go = goTo(folder);
  const command = `${go}${isSaved ? 'npm install && npx touchstone' : ownCommand(folder)} run`;
  if (bot.kind === 'http') {
    const isSample = templateOf(bot) !== undefined;
    if (isSample)
      return { first: `Start the bot first, in another terminal: ${go}python3 server.py`, command };
    return { first: firstForAddress(bot, probe), command };
  }
  if (bot.kind === 'module' && isPython(bot.path ?? '')) {
    const packaged = ownFile('integrations', 'python');
    // The package of pip is itself installed.
    if (!existsSync(packaged)) return { command };
    return {
      first: `Install the package for Python first: pip install ${quoteForShell(displayPath(packaged))}`,
      command,
    };
  }
  const key = bot.kind === 'model' ? readModel(bot.model ?? '').key : undefined;
  const isKeyMissing = key !== undefined && (process.env[key] ?? '') === '';
  return isKeyMissing ? { first: howToSet(key), command } : { command };
}

/** Returns how to set the key of a model: on Windows for both of its shells. */
export function howToSet(key: string, platform: string = process.platform): string {
  return platform === 'win32'
    ? `Set its key first: $env:${key} = '…' (PowerShell), or set ${key}=… (command prompt)`
    : `Set its key first: export ${key}=…`;
}

/** Returns what has to be done before a bot behind an address can be asked; undefined where nothing is known against it. */
function firstForAddress({ url, answer }: BotChoice, probe: Probe | undefined): string | undefined {
  if (probe?.outcome === 'failed') {
    return probe.isUnreachable
      ? `Start the bot first, so that it answers at ${url}.`
      : 'Correct the target in touchstone.config.yaml first: it gave no answer.';
  }
  return probe?.outcome === 'unclear' && answer === undefined
    ? 'Say in touchstone.config.yaml first where its answer is: `answer:` in the target.'
    : undefined;
}

/** Returns the beginning of a command for a folder: empty in the current one. */
export function goTo(folder: string): string {
  return folder === process.cwd() ? '' : `cd ${quoteForShell(displayPath(folder))} && `;
}

/** Returns the file of the command: the script that pip installed, where it was called by that. */
function programFile(): string {
  const script = process.env['TOUCHSTONE_SCRIPT'] ?? '';
  return script === '' ? ownFile('bin', 'touchstone.js') : script;
}

/**
 * Returns how this Touchstone is called in a folder: `touchstone` where the shell finds it, `npx touchstone` in a project that has
 * it, else the file of the command.
 */
export function ownCommand(folder: string): string {
  const program = programFile();
  const isOurs = (file: string) => existsSync(file) && realpathSync(file) === realpathSync(program);
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter((each) => each !== '');
  if (onPath.some((each) => isOurs(path.join(each, 'touchstone')))) return 'touchstone';
  for (let at = path.resolve(folder); at !== path.dirname(at); at = path.dirname(at))
    if (isOurs(path.join(at, 'node_modules', '.bin', 'touchstone'))) return 'npx touchstone';
  const relative = path.relative(folder, program);
  const start = program.endsWith('.js') ? 'node ' : '';
  return `${start}${quoteForShell(relative.length < program.length ? relative : program)}`;
}
