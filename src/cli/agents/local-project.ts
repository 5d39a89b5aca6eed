import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ProjectCalls, projectCalls } from '../../server/mcp/project-calls.ts';
import { type ErrorCode, messageOf, TouchstoneError } from '../../core/errors.ts';
import { makeFolder } from '../../core/lib/make-folder.ts';
import { moveFile, partOf } from '../../core/lib/files/replace-file.ts';
import type { LocalProject } from '../../server/mcp/project.ts';
import { plannedRun, refusal, startOwnProcess } from '../own-process.ts';
import { watchVariable } from '../watch/watched-run.ts';

/** The variable by which a server asks a process of its own for the answer of one function. */
const callVariable = 'TOUCHSTONE_PROJECT_CALL';

/** The answer of a process: the result of a function, or the error that it threw. */
type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code?: ErrorCode; readonly message: string; readonly remedy?: string } };

/** The streams of a process that must not write to the standard output of this one, which is a protocol. */
const toStderr = ['ignore', 2, 2] as const;

/** Opens the project of a config for a server: what loads the config runs in processes of its own, and so do runs. */
export function openLocalProject(folder: string, config: string | undefined, file?: string): LocalProject {
  return {
    folder,
    // Loading the config would hold up the list of tools; the tools of a config that only mentions a referee say that it has none.
    hasReferee: file !== undefined && readFileSync(file, 'utf8').includes('referee'),
    config,
    call: async <Name extends keyof ProjectCalls>(name: Name, ...input: Parameters<ProjectCalls[Name]>) => {
      const child = startOwnProcess(['mcp'], { stdio: toStderr, environment: { [callVariable]: name } });
      child.send(input);
      const [answer] = (await Promise.race([
        once(child, 'message'),
        once(child, 'close').then(() => [
          { error: { message: 'The process that loads the config has ended.' } },
        ]),
      ])) as [Answer];
      if ('result' in answer) return answer.result as never;
      const { code, message, remedy } = answer.error;
      throw code === undefined ? new Error(message) : new TouchstoneError(code, message, { remedy });
    },
    start: async (args) => await startRun(args, path.join(folder, '.touchstone', 'agents')),
  };
}

/** Makes the folder for what agents do. */
export function makeAgentsFolder(folder: string): void {
  const home = path.dirname(folder);
  // As the store does that is put there: nothing in it belongs into a repository.
  if (makeFolder(home, 0o700)) writeFileSync(path.join(home, '.gitignore'), '*\n');
  makeFolder(folder);
}

/** Starts a run that outlives this process; its output is written to a file named by the id of the run. */
async function startRun(args: readonly string[], logs: string): Promise<string> {
  makeAgentsFolder(logs);
  const file = partOf(path.join(logs, 'starting.log'));
  const log = openSync(file, 'w', 0o600);
  const child = startOwnProcess(args, {
    stdio: ['ignore', log, log],
    isDetached: true,
    isOutliving: true,
    environment: { [watchVariable]: '', NO_COLOR: '1' },
  });
  closeSync(log);
  const run = await plannedRun(child);
  if (run === undefined) {
    const said = readFileSync(file, 'utf8');
    rmSync(file);
    throw refusal(said);
  }
  await moveFile(file, path.join(logs, `${run}.log`));
  child.disconnect();
  child.unref();
  return run;
}

/**
 * Answers the call of the server that has started this process, and returns true; false when none has. The answer goes through the channel
 * between the two, whatever a config prints.
 */
export async function answerProjectCall(): Promise<boolean> {
  const name = process.env[callVariable];
  // Programs that this one starts are not asked.
  delete process.env[callVariable];
  if (name === undefined || process.send === undefined) return false;
  process.channel?.ref();
  const [input] = (await once(process, 'message')) as [readonly unknown[]];
  const answer = await answerTo(name as keyof ProjectCalls, input);
  await new Promise((resolve) => process.send?.(answer, undefined, undefined, resolve));
  return true;
}

async function answerTo(name: keyof ProjectCalls, input: readonly unknown[]): Promise<Answer> {
  try {
    const call = projectCalls[name] as (...given: readonly unknown[]) => Promise<unknown>;
    // In JSON, an undefined item of a list is null.
    return { result: await call(...input.map((each) => each ?? undefined)) };
  } catch (thrown) {
    if (!(thrown instanceof TouchstoneError)) return { error: { message: messageOf(thrown) } };
    const { code, message, remedy } = thrown;
    return { error: { code, message, remedy } };
  }
}
