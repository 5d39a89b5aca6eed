import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '..');

/** A step of a workflow or an action, as written in YAML. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

/** Reads a YAML file of the repository as a value. */
export function readYaml(file: string): unknown {
  return parse(readFileSync(path.join(root, file), 'utf8'));
}

/** Fills in the expressions of a text. Throws for an unknown one, which is a mistake in the file or in the test. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ *(.+?) *\}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) throw new Error(`there is no value for ${expression}`);
    return value;
  });
}

/** The surroundings of a script of a pipeline. */
export interface Machine {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The values of expressions. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Runs a script as GitHub runs `shell: bash` and as GitLab runs the lines of a job, with npm kept off the network. */
export function runScript(script: string, { cwd, env }: Machine) {
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', npm_config_offline: 'true', ...env },
  });
}

/** Runs the script of a step in the environment and folder that the step names. */
export function runStep({ run = '', env: own = {}, ...step }: Step, { cwd, env, values = {} }: Machine) {
  const filled = Object.entries(own).map(([name, text]) => [name, fillIn(text, values)]);
  const folder = path.resolve(cwd, fillIn(step['working-directory'] ?? '.', values));
  return runScript(fillIn(run, values), { cwd: folder, env: { ...env, ...Object.fromEntries(filled) } });
}
