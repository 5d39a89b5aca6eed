import { resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import { copyJson } from '../../core/lib/json/copy-json.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { hashModule } from '../../core/lib/user-code/user-files.ts';
import {
  checkFile,
  importFunction,
  sourceOf,
  userFunctionOptions,
  withJsonForm,
} from '../../core/lib/user-code/user-functions.ts';
import { lazily } from '../../core/lib/lazily.ts';
import { createResource } from '../../core/lib/resource.ts';
import { raceWithAbort } from '../../core/lib/waiting.ts';
import { findLiteralSecret } from '../../core/lib/literal-secrets.ts';
import { createAttachmentCopies, hasFiles } from './attachment-copies.ts';
import { takesOption } from '../models/model.ts';
import { createEnvironmentRedactor } from '../models/http/common-options.ts';
import { jsonSchema } from '../../core/schema/json.ts';
import { attachmentKinds, type ToolCall } from '../../core/schema/message.ts';
import { exchange } from '../../core/schema/trial.ts';
import { type ModuleFunction, type ModuleRequest, refuseExit, runTargetCode } from './module-function.ts';
import { readReply } from './read-reply.ts';
import {
  abortedFailure,
  defineTarget,
  type Reply,
  type Target,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
} from './target.ts';
import { toolCallsOption, type ToolCallsSetting } from './reply/tool-calls-setting.ts';
import { createToolRecorder, withRecordedCalls } from './tool-recorder.ts';
import { withoutSecrets } from './without-secrets.ts';

const options = () =>
  z
    .strictObject({
      ...userFunctionOptions<ModuleFunction>(),
      version: z
        .string()
        .min(1)
        .optional()
        .describe(
          'The version of the bot, in any form; another version is another target. Without it, the content of the file and of its relative imports is the version.',
        ),
      with: z
        .record(z.string(), jsonSchema)
        .default({})
        .describe('Passed to the function as `request.options`.'),
      toolCalls: toolCallsOption(),
      takes: takesOption(),
    })
    .refine(({ path, function: functionName }) => (path === undefined) !== (functionName === undefined), {
      message: 'give one of `path` and `function`',
    });

const definition = defineTarget({
  name: 'module',
  version: 1,
  summary: 'A function in a TypeScript or JavaScript file: `(input, request) => answer`.',
  words: 'function, TypeScript, JavaScript, code, in process, LangChain, Vercel AI SDK, node',
  example: { path: './bot.ts' },
  options,
  create: (checked, { folder, environment }): Target => {
    refuseWrittenSecrets(checked.with);
    const { path, function: functionName } = checked;
    const load = async () => {
      if (functionName !== undefined) return functionName;
      const file = resolvePath(folder, path ?? '');
      const place = { file, shown: path ?? '', export: checked.export, form: '(input, request) => answer' };
      checkFile(place, 'path', 'target-invalid');
      return await runTargetCode(() => importFunction<ModuleFunction>(place, 'target-invalid'));
    };
    const loaded = lazily(load);
    const guarded = createResource(
      async () => {
        const allowExit = refuseExit();
        try {
          return { answer: await loaded(), allowExit };
        } catch (error) {
          allowExit();
          throw error;
        }
      },
      ({ allowExit }) => allowExit(),
    );
    const copies = createAttachmentCopies();
    const target: Target = {
      // An edited bot is another target, unless its version is stated.
      ...(path !== undefined &&
        checked.version === undefined && {
          identity: async () => ({
            export: checked.export,
            with: checked.with,
            ...(checked.toolCalls !== undefined && { toolCalls: checked.toolCalls }),
            code: hashModule(resolvePath(folder, path)),
          }),
        }),
      open: async () => void (await guarded.get()),
      takes: checked.takes ?? attachmentKinds,
      hasToolsInReach: true,
      prepare: copies.prepare,
      call: async (request, context) =>
        await callFunction((await guarded.get()).answer, request, {
          ...checked,
          context,
          options: checked.with,
          attachments: hasFiles(request) ? await copies.give(request, context) : [],
        }),
      close: async () => {
        await copies.close();
        await guarded.close();
      },
    };
    return withoutSecrets(
      target,
      lazily(() => createEnvironmentRedactor(environment)),
    );
  },
});

/**
 * A function as a target. In a config: `module({ path: 'bot.ts' })`; in a program also `module({ function: answer })`,
 * which works in that program only: when stored, the function becomes a text with its name.
 */
export const module: typeof definition = Object.assign(
  (options: Parameters<typeof definition>[0]): NamedUse => {
    const use = definition(options);
    if (typeof use.function === 'function') use.function = withJsonForm(use.function as ModuleFunction);
    return use;
  },
  { definition: definition.definition },
);

/** Throws `target-invalid` for a secret in plain text: a config is shared, and stored with every run. */
function refuseWrittenSecrets(options: Readonly<Record<string, unknown>>): void {
  const place = findLiteralSecret(options, 'with');
  if (place === undefined) return;
  throw new TouchstoneError('target-invalid', `\`${place}\` looks like a secret that is written out.`, {
    remedy: 'Keep it in an environment variable, which the module reads: `process.env.NAME`.',
  });
}

interface CallSettings extends Pick<ModuleRequest, 'options' | 'attachments'> {
  readonly context: TargetContext;
  readonly toolCalls?: ToolCallsSetting;
}

async function callFunction(
  answer: ModuleFunction,
  request: TargetRequest,
  { context, options, toolCalls, attachments }: CallSettings,
): Promise<Reply> {
  const { key, caseId, attempt, seed, input } = request;
  const { signal, onLate } = context;
  const recorder = createToolRecorder(context.interceptTool);
  const { calls } = recorder;
  const { messages, session, metadata } = copyForFunction(request);
  let isRecorded = usesTools(answer);
  const given = {
    key,
    caseId,
    messages,
    session,
    metadata,
    attempt,
    seed,
    tools: { ...request.tools?.addresses },
    signal,
    options,
    attachments,
    // A function that takes it records its calls: when it then makes none, none was made.
    get useTool() {
      isRecorded = true;
      return recorder.useTool;
    },
  };
  try {
    const returned = runTargetCode(() => answer(input, given));
    const value = isPromise(returned) ? await raceWithAbort(returned, signal, onLate) : returned;
    const { toolsUnknown, ...reply } = readReply(value, { toolCalls });
    const isUnknown = toolsUnknown === true && !isRecorded;
    return withRecordedCalls({ ...reply, ...(isUnknown && { toolsUnknown }) }, calls());
  } catch (thrown) {
    throw withPartial(toFailure(thrown, signal), request, calls());
  }
}

/** Returns whether the source of a function names `useTool`, with which it records its calls. */
function usesTools(answer: ModuleFunction): boolean {
  return sourceOf(answer).includes('useTool');
}

function isPromise(returned: unknown): returned is PromiseLike<unknown> {
  return (
    typeof returned === 'object' &&
    returned !== null &&
    'then' in returned &&
    typeof returned.then === 'function'
  );
}

function toFailure(thrown: unknown, signal: AbortSignal): TargetFailure {
  if (signal.aborted) return abortedFailure(signal);
  if (thrown instanceof TargetFailure) return thrown;
  return new TargetFailure('target-threw', messageOf(thrown), {
    logs: shortStack(thrown),
    cause: thrown,
  });
}

const maxFrames = 5;

/** The location of Touchstone's code, as a URL and as a path: `src` when run from source, `dist` when built. */
const ourUrl = import.meta.url.replace(/^(.*\/(?:src|dist)\/).*$/, '$1');
const ourFolders = [ourUrl, fileURLToPath(ourUrl)];

/** Returns the first lines of an error's stack in the target's own code: those before the first line of Touchstone's code. */
function shortStack(thrown: unknown): string {
  if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return '';
  const frames = thrown.stack.split('\n').filter((line) => /^\s+at /.test(line));
  const ours = frames.findIndex((line) => ourFolders.some((folder) => line.includes(folder)));
  const own = frames.slice(0, ours === -1 ? undefined : ours).filter((line) => !line.includes('node:'));
  return [`${thrown.name}: ${thrown.message}`, ...own.slice(0, maxFrames)].join('\n');
}

/** Adds the tools used before the failure to it. */
function withPartial(failure: TargetFailure, { messages }: TargetRequest, calls: ToolCall[]): TargetFailure {
  if (calls.length === 0) return failure;
  return failure.with({ partial: { transcript: exchange([...messages], null, calls), ...failure.partial } });
}

/**
 * Returns copies of the parts of a request that belong to the case, which a function may change freely, and the
 * session. Few contain nested values, and a deep copy of the others would be most of the cost of a call.
 */
function copyForFunction({
  messages,
  session,
  metadata,
}: TargetRequest): Pick<ModuleRequest, 'messages' | 'session' | 'metadata'> {
  return { messages: messages.map(copyDeeply), session: { ...session }, metadata: copyDeeply(metadata) };
}

function copyDeeply<Value extends object>(value: Value): Value {
  const isNested = Object.values(value).some((part) => isContainer(part));
  return isNested ? copyJson(value) : { ...value };
}
