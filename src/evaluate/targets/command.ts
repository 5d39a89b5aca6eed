import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { hashModule } from '../../core/lib/user-code/user-files.ts';
import { lazily } from '../../core/lib/lazily.ts';
import { raceWithAbort } from '../../core/lib/waiting.ts';
import { findSecretArgument, containsKnownKey } from '../../core/lib/literal-secrets.ts';
import { takesOption } from '../models/model.ts';
import { createEnvironmentRedactor } from '../models/http/common-options.ts';
import { type Json, nonEmpty } from '../../core/schema/json.ts';
import { attachmentKinds } from '../../core/schema/message.ts';
import { findProgram } from '../../core/lib/programs/find-program.ts';
import { argumentHint, createAttachmentCopies, type GivenAttachment } from './attachment-copies.ts';
import { LinePool } from './command/line-pool.ts';
import { fillEnvironment, fillPlaceholders, toolValues } from './command/tool-addresses.ts';
import {
  describeExit,
  type Launch,
  type ProcessExit,
  type ProcessGroup,
  startProcessGroup,
} from '../../core/lib/programs/process-group.ts';
import { splitCommand } from '../../core/lib/programs/split-command.ts';
import { invalidUtf8, RecentText } from './command/wire.ts';
import type { ReplyRules } from './read-reply.ts';
import { toolCallsOption } from './reply/tool-calls-setting.ts';
import { addLogs, addLogsToFailure, readReplyText } from './reply/read-reply-text.ts';
import { answerTooLarge, maxReplyBytes } from './reply/read-text.ts';
import {
  abortedFailure,
  defineTarget,
  identifyingOptions,
  type Reply,
  type Target,
  type TargetContext,
  TargetFailure,
  type TargetNeeds,
  type TargetRequest,
} from './target.ts';
import { withoutSecrets } from './without-secrets.ts';

const timeLimit = z.number().positive().max(2_147_483_647);

/** The number of processes, and their time limits to start and to end. They change no answer. */
const poolOptions = lazily(() => ({
  takes: takesOption(
    undefined,
    'all of these; with `once`, only where the arguments contain {{attachments}}',
  ),
  processes: z.int().min(1).max(1024).default(1).describe('The number of processes that run side by side.'),
  inFlight: z
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe(
      'Questions that one process works on at the same time (`lines` only). With 1, a process whose question ' +
        'ran out of time is killed and started again, since it is still busy; with more, its late answer is dropped.',
    ),
  startupTimeLimitMs: timeLimit
    .optional()
    .describe(
      'For a bot that is slow to start (`lines` only): how long to wait for it to write `{"ready": true}`. ' +
        'Without it, questions are sent at once, and the first answer includes the start.',
    ),
  closeTimeLimitMs: timeLimit
    .default(2000)
    .describe('How long it may take to end after its stdin has ended, before it is killed.'),
}));

const options = () =>
  z
    .strictObject({
      command: z
        .union([nonEmpty(), z.array(z.string()).min(1)])
        .describe(
          'The program and its arguments: a list, or one text that is split at spaces. No shell is involved.',
        ),
      mode: z
        .enum(['lines', 'once'])
        .default('lines')
        .describe(
          '`lines`: it keeps running, reads a question as a line of JSON and writes a reply as a line of JSON ' +
            'with the same `id`; `session` says which conversation it belongs to. `once`: it is started for each ' +
            'question, which replaces `{{input}}` in the arguments or else is its stdin, and its stdout is the ' +
            'answer; arguments may also contain {{messages}}, {{attachments}} (a list with the `path` of each file), {{session.id}}, {{session.turn}} and, as `env` may, {{tools.NAME}}.',
        ),
      env: z
        .record(z.string(), z.string())
        .default({})
        .describe(
          'Environment variables to add to the ones that Touchstone has itself; a secret that is written out is refused. ' +
            'Python is set to write UTF-8 without buffering.',
        ),
      cwd: nonEmpty()
        .default('.')
        .describe('The folder it runs in, relative to the folder of the config file.'),
      version: nonEmpty()
        .optional()
        .describe('The version of the bot, in any form; another version is another target.'),
      toolCalls: toolCallsOption(),
      ...poolOptions(),
    })
    .refine(({ mode, inFlight }) => mode === 'lines' || inFlight === 1, {
      path: ['inFlight'],
      message: 'a process that is started for each question has one in flight; raise `processes` instead',
    });

/** A program in any language as a target: questions on its stdin, answers on its stdout. */
export const command = defineTarget({
  name: 'command',
  version: 1,
  summary: 'A program in any language that reads questions and writes answers.',
  words:
    'program, script, python, shell, process, executable, stdin, stdout, CLI, java, go, ruby, langgraph, langchain, agent in python',
  example: { command: 'python3 bot.py' },
  options,
  create: (checked, needs): Target => {
    refuseWrittenSecrets({ command: programOf(checked), env: checked.env });
    const redactor = lazily(() => createEnvironmentRedactor(needs.environment));
    const launch = { ...toLaunch(checked, needs), redact: (text: string) => redactor().text(text) };
    const { mode } = checked;
    const program = mode === 'once' ? createOnce(launch, checked) : createLines(launch, checked);
    return withoutSecrets({ ...program, identity: async () => identify(checked, launch) }, redactor);
  },
});

type Checked = z.output<ReturnType<typeof options>>;

/** Returns the options that change answers, with the content of files that the command names. */
function identify(checked: Checked, launch: Omit<Launch, 'redact'>): Json {
  const known = identifyingOptions(checked, poolOptions()) as { readonly [name: string]: Json };
  const files = [launch.program, ...launch.arguments].flatMap((word) => {
    const file = path.resolve(launch.folder, word);
    const status = statSync(file, { throwIfNoEntry: false });
    return status?.isFile() === true && status.size <= largestProgram ? [[word, hashModule(file)]] : [];
  });
  return files.length === 0 ? known : { ...known, files: Object.fromEntries(files) };
}

/** The size up to which a file that a command names is read as a part of the bot, in bytes; a larger one is data. */
const largestProgram = 10_000_000;

function programOf({ command }: Pick<Checked, 'command'>): string[] {
  return typeof command === 'string' ? splitCommand(command) : command;
}

const secretNames = /(^|[_-])(api[_-]?key|key|token|secret|password)$/i;

/** The settings of a program that may contain a secret in plain text. */
interface WrittenProgram {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Throws `target-invalid` for a secret in plain text: a config is shared, and stored with every run. */
function refuseWrittenSecrets({ command, env }: WrittenProgram): void {
  const found = Object.entries(env).find(
    ([name, value]) => value !== '' && (secretNames.test(name) || containsKnownKey(value)),
  );
  const argument = findSecretArgument(command);
  if (found === undefined && argument === undefined) return;
  const setting = found === undefined ? `command (${argument})` : `env.${found[0]}`;
  throw new TouchstoneError('target-invalid', `\`${setting}\` looks like a secret that is written out.`, {
    remedy: 'Set it in the environment that Touchstone runs in: the program inherits all of it.',
  });
}

function toLaunch(
  { command, cwd, env }: Checked,
  { folder, environment }: TargetNeeds,
): Omit<Launch, 'redact'> {
  const [program = '', ...rest] = programOf({ command });
  // Without these, Python buffers its replies, and on some systems writes another encoding.
  const python = { PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' };
  return {
    program,
    arguments: rest,
    folder: path.resolve(folder, cwd),
    environment: { ...python, ...environment, ...env },
  };
}

function createOnce(launch: Launch, { processes, toolCalls, takes }: Checked): Target {
  const copies = createAttachmentCopies();
  const sendsFiles = launch.arguments.some((argument) => argument.includes('{{attachments}}'));
  return {
    maxConcurrency: processes,
    ...(sendsFiles ? { takes: takes ?? attachmentKinds } : { takesHint: argumentHint }),
    prepare: copies.prepare,
    open: () => findProgram(launch),
    call: async (request, context) => {
      const attachments = await copies.give(request, context);
      return await askOnce(launch, { ...request, attachments }, { signal: context.signal, toolCalls });
    },
    close: copies.close,
  };
}

function createLines(launch: Launch, { takes = [...attachmentKinds], ...checked }: Checked): Target {
  const { processes, inFlight, startupTimeLimitMs, closeTimeLimitMs, toolCalls } = checked;
  const pool = new LinePool({ launch, processes, inFlight, startupTimeLimitMs, closeTimeLimitMs, toolCalls });
  return {
    maxConcurrency: processes * inFlight,
    takes,
    open: async (tools) => {
      await findProgram(launch);
      await pool.open(tools);
    },
    prepare: (request, context) => pool.prepare(request, context),
    call: (request, context) => pool.call(request, context),
    close: () => pool.close(),
  };
}

/** A question with the copies of its files. */
type OnceRequest = TargetRequest & { readonly attachments: readonly GivenAttachment[] };

/**
 * Starts a process for one question. The question replaces `{{input}}` or `{{messages}}` in the arguments, else it is
 * all of stdin. The answer is all of stdout: an object with a known name of an answer, else the text itself without its
 * last line ending.
 */
async function askOnce(
  launch: Launch,
  request: OnceRequest,
  { signal, toolCalls }: Pick<TargetContext, 'signal'> & ReplyRules,
): Promise<Reply> {
  if (signal.aborted) throw abortedFailure(signal);
  const isInArguments = launch.arguments.some((argument) => /\{\{(?:input|messages)\}\}/.test(argument));
  const group = start(fillLaunch(launch, request));
  group.stdin.end(isInArguments ? undefined : request.input);
  const logs = new RecentText(launch.redact);
  group.stderr.setEncoding('utf8').on('data', (text: string) => logs.append(text));
  const onAbort = () => group.kill('SIGKILL');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const output = await raceWithAbort(readOutput(group), signal);
    const exit = await group.ended;
    return addLogs(readReplyText(toText(output, exit, logs), { toolCalls }), logs.text);
  } catch (error) {
    throw addLogsToFailure(signal.aborted ? abortedFailure(signal) : error, logs.text);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns the values of the placeholders in arguments. A process learns of earlier turns only through them. */
const valuesOf = (request: OnceRequest): Readonly<Record<string, string>> => ({
  '{{input}}': request.input,
  '{{messages}}': JSON.stringify(request.messages),
  '{{attachments}}': JSON.stringify(request.attachments),
  '{{session.id}}': request.session.id,
  '{{session.turn}}': String(request.session.turn),
  ...toolValues(request.tools),
});

function fillLaunch(launch: Launch, request: OnceRequest): Launch {
  const filled = launch.arguments.map((template) => fillPlaceholders(template, valuesOf(request)));
  return { ...launch, arguments: filled, environment: fillEnvironment(launch.environment, request.tools) };
}

function start(launch: Launch): ProcessGroup {
  try {
    return startProcessGroup(launch);
  } catch (error) {
    // For example a NUL character in the question, which no argument can contain.
    throw new TargetFailure('process-failed', `The process cannot be started: ${(error as Error).message}`);
  }
}

/** Returns all of stdout; undefined when it is longer than an answer may be. The process is then killed. */
async function readOutput(group: ProcessGroup): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  group.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxReplyBytes) chunks.push(chunk);
    else group.kill('SIGKILL');
  });
  await group.ended;
  return length > maxReplyBytes ? undefined : Buffer.concat(chunks);
}

function toText(output: Buffer | undefined, exit: ProcessExit, logs: RecentText): string {
  if (output === undefined) throw answerTooLarge();
  if (exit.code !== 0) {
    const message = [`The process ended ${describeExit(exit)}.`, logs.lastLines()].filter(Boolean).join('\n');
    throw new TargetFailure('process-failed', message);
  }
  if (!isUtf8(output)) throw invalidUtf8();
  return output.toString('utf8');
}
