import path from 'node:path';
import { z } from 'zod';
import { lazily } from '../lib/lazily.ts';
import { createEnvironmentRedactor } from '../models/http/environment-redactor.ts';
import { askOnce } from './command/ask-once.ts';
import { findProgram } from './command/find-program.ts';
import { LinePool } from './command/line-pool.ts';
import type { Launch } from './command/process-group.ts';
import { poolOptions } from './command/pool-options.ts';
import { refuseWrittenSecrets } from './command/refuse-written-secrets.ts';
import { splitCommand } from './command/split-command.ts';
import { identifyingOptions } from './identifying-options.ts';
import { defineTarget, type Target, type TargetNeeds } from './target.ts';
import { withoutSecrets } from './without-secrets.ts';

const options = () =>
  z
    .strictObject({
      command: z
        .union([z.string().min(1), z.array(z.string()).min(1)])
        .describe(
          'The program and its arguments: a list, or one text that is split at spaces. No shell takes part.',
        ),
      mode: z
        .enum(['lines', 'once'])
        .default('lines')
        .describe(
          '`lines`: it keeps running, reads a question as a line of JSON and writes a reply as a line of JSON ' +
            'with the same `id`; `session` tells which conversation it belongs to. `once`: it is started for each ' +
            'question, which takes the place of `{{input}}` in the arguments or else is its stdin, and its stdout is the ' +
            'answer; arguments may also hold {{messages}}, {{session.id}} and {{session.turn}}.',
        ),
      env: z
        .record(z.string(), z.string())
        .default({})
        .describe(
          'Environment variables to add to those that Touchstone has itself; a secret that is written out is refused. ' +
            'Python is told to write UTF-8 and not to hold output back.',
        ),
      cwd: z
        .string()
        .min(1)
        .default('.')
        .describe('The folder it runs in, relative to that of the config file.'),
      version: z
        .string()
        .min(1)
        .optional()
        .describe('Anything that says which version of the bot this is; another one is another target.'),
      ...poolOptions(),
    })
    .refine(({ mode, inFlight }) => mode === 'lines' || inFlight === 1, {
      path: ['inFlight'],
      message: 'a process that is started for each question has one in flight; raise `processes` instead',
    });

/** A program as a target, in any language: questions on its stdin, answers on its stdout. */
export const command = defineTarget({
  name: 'command',
  version: 1,
  summary: 'A program in any language that reads questions and writes answers.',
  options,
  create: (checked, needs): Target => {
    refuseWrittenSecrets({ command: programOf(checked), env: checked.env });
    const redactor = lazily(() => createEnvironmentRedactor(needs.environment));
    const launch = { ...toLaunch(checked, needs), redact: (text: string) => redactor().text(text) };
    const { mode, processes } = checked;
    const program = mode === 'once' ? createOnce(launch, processes) : createLines(launch, checked);
    const identity = async () => identifyingOptions(checked, poolOptions());
    return withoutSecrets({ ...program, identity }, redactor);
  },
});

function programOf({ command }: Pick<z.output<ReturnType<typeof options>>, 'command'>): string[] {
  return typeof command === 'string' ? splitCommand(command) : command;
}

function toLaunch(
  { command, cwd, env }: z.output<ReturnType<typeof options>>,
  { folder, environment }: TargetNeeds,
): Omit<Launch, 'redact'> {
  const [program = '', ...rest] = programOf({ command });
  // Without these, Python holds a reply back until many have gathered, and on some systems writes another encoding.
  const python = { PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' };
  return {
    program,
    arguments: rest,
    folder: path.resolve(folder, cwd),
    environment: { ...python, ...environment, ...env },
  };
}

function createOnce(launch: Launch, processes: number): Target {
  return {
    maxConcurrency: processes,
    open: () => findProgram(launch),
    call: (request, { signal }) => askOnce(launch, request, signal),
  };
}

function createLines(launch: Launch, checked: z.output<ReturnType<typeof options>>): Target {
  const { processes, inFlight, startupTimeLimitMs, closeTimeLimitMs } = checked;
  const pool = new LinePool({ launch, processes, inFlight, startupTimeLimitMs, closeTimeLimitMs });
  return {
    maxConcurrency: processes * inFlight,
    open: async () => {
      await findProgram(launch);
      await pool.open();
    },
    call: (request, context) => pool.call(request, context),
    close: () => pool.close(),
  };
}
