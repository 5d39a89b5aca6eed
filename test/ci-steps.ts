import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '..');

/** A step of a workflow or an action, as its YAML has it. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

/** A file of `integrations/`, or beside it, as a value. */
export function readYaml(file: string): unknown {
  return parse(readFileSync(path.join(root, file), 'utf8'));
}

/** Fills in the expressions of a text; one that is not known is a fault of the file or of the test. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ *(.+?) *\}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) throw new Error(`nothing is known of ${expression}`);
    return value;
  });
}

/** Where and with what a script of a pipeline is run. */
export interface Machine {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What expressions stand for. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Runs a script as GitHub runs `shell: bash`, and as GitLab runs the lines of a job. npm is kept off the network. */
export function runScript(script: string, { cwd, env }: Machine) {
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', npm_config_offline: 'true', ...env },
  });
}

/** Runs the script of a step with its own environment and folder. */
export function runStep({ run = '', env: own = {}, ...step }: Step, { cwd, env, values = {} }: Machine) {
  const filled = Object.entries(own).map(([name, text]) => [name, fillIn(text, values)]);
  const folder = path.resolve(cwd, fillIn(step['working-directory'] ?? '.', values));
  return runScript(fillIn(run, values), { cwd: folder, env: { ...env, ...Object.fromEntries(filled) } });
}
