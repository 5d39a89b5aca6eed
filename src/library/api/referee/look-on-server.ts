import { rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { makeWorkFolder } from '../../../core/lib/files/work-folder.ts';
import { readProgram, runProgram } from '../../../core/lib/programs/start.ts';
import { fetchThroughProxy } from '../../../core/lib/network/agent.ts';
import { wait } from '../../../core/lib/waiting.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import type {
  AskedLook,
  LookReport,
  LookRequest,
  SentAnswer,
} from '../../../core/schema/referee/look-request.ts';
import { findConfig } from '../../config/load-config.ts';
import { rootOf } from './held-out-folder.ts';
import { safeAddress } from '../push/safe-address.ts';
import type { LookOptions } from './look-report.ts';
import { openRefereeProject, type RefereeProject } from './open-project.ts';

/** The variable with the token of the server. */
const tokenVariable = 'TOUCHSTONE_REFEREE_TOKEN';

/** The pause between two questions to a server whether there is an answer, in milliseconds. */
const pollMs = 2000;

/**
 * Asks a server for a look, which a job takes that has the held-out set: it builds the bot from the commit of this folder. Waits for the answer.
 * @throws TouchstoneError `look-refused` for changes without a commit, and for what the job refuses; `run-stopped` when it is not waited for.
 */
export async function lookOnServer(
  { heldOut, workspace }: RefereeProject,
  { candidate, margin, signals }: LookOptions,
): Promise<LookReport> {
  const asked: AskedLook = { commit: await committed(workspace), candidate, margin };
  let request = (await send(heldOut, 'POST', '/api/looks', asked)) as LookRequest;
  while (request.answer === undefined) {
    const { stop } = signals ?? neverStopped;
    await wait(pollMs, stop).catch(() => {});
    if (stop.aborted)
      throw new TouchstoneError(
        'run-stopped',
        `The look at commit ${asked.commit.slice(0, 7)} waits for a job.`,
      );
    request = (await send(heldOut, 'GET', `/api/looks/${request.id}`)) as LookRequest;
  }
  if ('report' in request.answer) return request.answer.report;
  throw new TouchstoneError('look-refused', request.answer.refusal.message);
}

/** Returns the commit of a folder. Throws `look-refused` when files are changed since. */
async function committed(folder: string): Promise<string> {
  const git = async (...args: string[]) => await readProgram('git', args, { folder });
  const [commit, changes] = await Promise.all([
    git('rev-parse', 'HEAD'),
    git('status', '--porcelain', '-uno'),
  ]).catch(() => ['', '']);
  if (commit !== '' && changes === '') return commit;
  throw new TouchstoneError(
    'look-refused',
    'A job builds the bot from a commit, and this folder has none of its state.',
    {
      remedy: 'Commit the change, and push it to where the job finds it.',
    },
  );
}

async function send(server: string, method: string, address: string, body?: object): Promise<unknown> {
  const token = process.env[tokenVariable];
  if (token === undefined || token === '')
    throw new TouchstoneError(
      'environment-missing',
      `The server of the referee needs a token in ${tokenVariable}.`,
    );
  const url = new URL(address, safeAddress(server, 'referee.heldOut'));
  const response = await fetchThroughProxy(url, {
    method,
    redirect: 'error',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new TouchstoneError(
      'look-refused',
      `The server of the referee cannot be reached: ${messageOf(error)}.`,
      {
        remedy: `Check \`referee.heldOut\`: ${server}.`,
        cause: error,
      },
    );
  });
  const said = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly message?: string } }
    | undefined;
  if (response.ok) return said;
  throw new TouchstoneError(
    'look-refused',
    `The server of the referee says ${response.status}: ${said?.error?.message ?? 'nothing'}`,
    {
      remedy: `A token of the scope \`look\` may ask, one of the scope \`run\` may answer: ${tokenVariable}.`,
    },
  );
}

/** A look to be taken from a server, and the folder with the held-out set on this machine. */
export interface AnswerOptions {
  readonly heldOut: string;
  /** A config in the repository, its file or its folder; by default the one in the current folder. */
  readonly config?: string;
  /** The command line that builds the bot in the checked-out commit. */
  readonly build?: string;
  /** Takes the look in the checked-out commit. */
  readonly look: (options: LookOptions) => Promise<LookReport>;
}

/**
 * Takes the look that waits longest on the server of the config, builds the bot from its commit next to the repository, asks it the held-out
 * questions, and sends the answer. Returns it; undefined when no look waits.
 */
export async function answerLook({
  heldOut,
  config = '.',
  build,
  look,
}: AnswerOptions): Promise<{ readonly request: LookRequest; readonly answer: SentAnswer } | undefined> {
  const { setting, workspace } = await openRefereeProject({ config });
  const { look: request } = (await send(setting.heldOut, 'POST', '/api/looks/next', {})) as {
    readonly look: LookRequest | null;
  };
  if (request === null) return undefined;
  const { commit, candidate, margin } = request.asked;
  const root = rootOf(workspace);
  const beside = path.join(await makeWorkFolder('look'), 'checkout');
  const answer = await takeLook();
  await send(setting.heldOut, 'POST', `/api/looks/${request.id}/answer`, answer);
  return { request, answer };

  async function takeLook(): Promise<SentAnswer> {
    try {
      await readProgram('git', ['worktree', 'add', '--detach', beside, commit], { folder: root });
      const file = path.join(beside, path.relative(root, await findConfig(config)));
      if (build !== undefined)
        await readProgram(build, [], { folder: path.dirname(file), isShellLine: true });
      const report = await look({ config: file, heldOut: path.resolve(heldOut), candidate, margin });
      return { report: { ...report, seal: 'server' } };
    } catch (error) {
      const code = error instanceof TouchstoneError ? error.code : 'not-built';
      return { refusal: { code, message: messageOf(error).slice(0, 2000) } };
    } finally {
      await runProgram('git', ['worktree', 'remove', '--force', beside], { folder: root });
      await rm(path.dirname(beside), { recursive: true, force: true });
    }
  }
}
