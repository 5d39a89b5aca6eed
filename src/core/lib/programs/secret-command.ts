import type { Readable } from 'node:stream';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { findSecretArgument } from '../literal-secrets.ts';
import { addArrivedSecret, createSecretRedactor, isSecretName } from '../redact-secrets.ts';
import { shorten } from '../text/terminal-text.ts';
import { raceWithAbort } from '../waiting.ts';
import { findProgram } from './find-program.ts';
import { describeExit, type Launch, startProcessGroup } from './process-group.ts';
import { splitCommand } from './split-command.ts';

/** A command that prints a secret, such as `gcloud auth print-access-token`, as a config names it. */
export interface SecretCommandSettings {
  /** The program and its arguments: a list, or one text that is split at spaces. No shell is involved. */
  readonly command: string | readonly string[];
  /** For how many milliseconds what it printed is used before it is run again. */
  readonly forMs: number;
  /** The setting that names it, for errors; what it printed is shown as this name in brackets. */
  readonly setting: string;
  /** The folder that it runs in. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The secret that a command prints. */
export interface SecretCommand {
  /**
   * Returns the secret: the remembered one, else what the command prints now. It runs once for all who ask meanwhile.
   * Throws `login-failed`; rejects with the reason of the signal once that is aborted.
   */
  read(signal?: AbortSignal): Promise<string>;
  /** Forgets a secret that a server has refused, so that the next `read` runs the command again. */
  refuse(secret: string): void;
}

/** The secret that one command printed, and the run of it that is under way. */
interface Kept {
  secret?: string;
  /** The end of its use, on the clock of `performance.now()`. */
  until: number;
  running?: Promise<string>;
}

/** The remembered secrets, by command, for all that name it in the same folder. */
const kept = new Map<string, Kept>();

/** Checks a command that prints a secret. Nothing runs before the secret is needed. Throws `model-invalid` or `target-invalid`. */
export function openSecretCommand(
  settings: SecretCommandSettings,
  code: 'model-invalid' | 'target-invalid',
): SecretCommand {
  const { command, setting, folder, forMs } = settings;
  const words = typeof command === 'string' ? splitCommand(command, { setting, code }) : [...command];
  const written = findSecretArgument(words);
  if (written !== undefined) {
    const message = `\`${setting}\` has a secret written out (${written}).`;
    const remedy = 'Let the program read it from a file or an environment variable.';
    throw new TouchstoneError(code, message, { remedy });
  }
  const key = JSON.stringify([folder, words, forMs]);
  const state = kept.get(key) ?? { until: 0 };
  kept.set(key, state);

  const run = async () => {
    const secret = await printedBy(words, settings);
    addArrivedSecret(setting, secret);
    state.secret = secret;
    state.until = performance.now() + forMs;
    return secret;
  };

  return {
    read: async (signal = new AbortController().signal) => {
      if (state.secret !== undefined && performance.now() < state.until) return state.secret;
      state.running ??= run().finally(() => delete state.running);
      return await raceWithAbort(state.running, signal);
    },
    refuse: (secret) => {
      if (state.secret === secret) delete state.secret;
    },
  };
}

const timeLimitMs = 60_000;
const mostCharacters = 16_384;

/** Runs a command and returns the line that it prints. Throws `login-failed` without what may be the secret. */
async function printedBy(
  [program = '', ...rest]: readonly string[],
  { setting, folder, environment }: SecretCommandSettings,
): Promise<string> {
  const named = Object.entries(environment).filter(
    (entry): entry is [string, string] => isSecretName(entry[0]) && (entry[1]?.length ?? 0) >= 8,
  );
  const redact = createSecretRedactor(named).text;
  const launch = { program, arguments: rest, folder, environment, redact };
  const group = startProcessGroup(launch);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    group.kill('SIGKILL');
  }, timeLimitMs);
  group.stdin.end();
  const [printed, said] = [startOf(group.stdout), startOf(group.stderr)];
  const exit = await group.ended.finally(() => clearTimeout(timer));
  const end = isLate ? `ended by us: it took over ${timeLimitMs / 1000} s` : `ended ${describeExit(exit)}`;
  const errors = shorten(redact(said()).replaceAll(/\s+/g, ' ').trim(), 300);
  if (isLate || exit.code !== 0) {
    const why = (exit.error && (await whyNotStarted(launch))) ?? `it ${end}`;
    throw failed(setting, `${why}${errors === '' ? '' : `: ${errors}`}`);
  }
  const secret = printed().trim();
  if (secret === '')
    throw failed(setting, `it printed nothing${errors === '' ? '' : `, but said: ${errors}`}`);
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length > mostCharacters) {
    throw failed(setting, 'it printed more than one word; only the key may be there');
  }
  return secret;
}

/** Says why a program could not be started, as the end of a sentence: it is missing, or may not be run. */
async function whyNotStarted(launch: Launch): Promise<string | undefined> {
  const why = await findProgram(launch).then(() => undefined, messageOf);
  return why?.replace(/^T/, 't').replace(/\.$/, '');
}

function failed(setting: string, why: string): TouchstoneError {
  return new TouchstoneError('login-failed', `The command in \`${setting}\` gave no key: ${why}.`, {
    remedy: 'Run it yourself in the folder of the config: it must print the key, alone on one line.',
  });
}

/** Keeps the start of what a program writes; the rest is read and dropped, so that the program can end. */
function startOf(stream: Readable): () => string {
  const decoder = new TextDecoder();
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    if (text.length <= mostCharacters) text += decoder.decode(chunk, { stream: true });
  });
  return () => text;
}
