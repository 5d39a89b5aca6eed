import { resolve as resolvePath } from 'node:path';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../errors.ts';
import type { NamedUse } from '../lib/define.ts';
import { jsonSchema } from '../schema/json.ts';
import type { ToolCall } from '../schema/message.ts';
import { exchange } from '../schema/trial.ts';
import { hashModule } from '../lib/hash-module.ts';
import { importFunction } from './module/import-function.ts';
import { copyForFunction } from './module/copy-for-function.ts';
import { type ModuleFunction, type ModuleRequest, withJsonForm } from './module/module-function.ts';
import { refuseExit, runTargetCode } from './module/refuse-exit.ts';
import { shortStack } from './module/short-stack.ts';
import { createToolRecorder } from './module/tool-recorder.ts';
import { withRecordedCalls } from './module/with-recorded-calls.ts';
import { describeValue } from '../lib/describe-value.ts';
import { lazily } from '../lib/lazily.ts';
import { findWrittenSecret } from '../lib/written-secrets.ts';
import { createEnvironmentRedactor } from '../models/http/environment-redactor.ts';
import { readReply } from './read-reply.ts';
import {
  defineTarget,
  type Reply,
  type Target,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
} from './target.ts';
import { untilAborted } from './until-aborted.ts';
import { withoutSecrets } from './without-secrets.ts';

const functionSchema: z.ZodType<ModuleFunction, ModuleFunction> = z
  .any()
  .refine((value) => typeof value === 'function', {
    error: ({ input }) =>
      typeof input === 'string'
        ? 'a function that was given in a program cannot be rebuilt from stored text; use `path`'
        : `must be a function, not ${describeValue(input)}`,
  })
  .overwrite((value) => (typeof value === 'function' ? withJsonForm(value) : value));

const options = () =>
  z
    .strictObject({
      path: z
        .string()
        .min(1)
        .optional()
        .describe('A .ts, .js or .mjs file, relative to the folder of the config file.'),
      export: z.string().min(1).default('default').describe('Which of its exports is the function.'),
      function: functionSchema.optional().meta({
        description: 'In place of `path`, when Touchstone is used as a library: the function itself.',
        programOnly: true,
      }),
      version: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Which version of the bot this is; another one is another target. Without it, the content of the file and of what it imports by relative paths says so.',
        ),
      with: z
        .record(z.string(), jsonSchema)
        .default({})
        .describe('Handed to the function as `request.options`.'),
    })
    .refine(({ path, function: given }) => (path === undefined) !== (given === undefined), {
      message: 'give one of `path` and `function`',
    });

const definition = defineTarget({
  name: 'module',
  version: 1,
  summary: 'A function in a TypeScript or JavaScript file: `(input, request) => answer`.',
  options,
  create: (checked, { folder, environment }): Target => {
    refuseWrittenSecrets(checked.with);
    const { path, function: given } = checked;
    let allowExit: (() => void) | undefined;
    const load = async () => {
      allowExit = refuseExit();
      const place = { folder, path: path ?? '', export: checked.export };
      return given ?? (await runTargetCode(() => importFunction(place)));
    };
    let loaded: Promise<ModuleFunction> | undefined;
    const getFunction = () => (loaded ??= load());
    const target: Target = {
      // An edited bot is another target; who states a version says so instead of the file.
      ...(path !== undefined &&
        checked.version === undefined && {
          identity: async () => ({
            export: checked.export,
            with: checked.with,
            code: hashModule(resolvePath(folder, path)),
          }),
        }),
      open: async () => void (await getFunction()),
      hasToolsInReach: true,
      call: async (request, context) =>
        await callFunction(await getFunction(), request, { context, options: checked.with }),
      close: async () => {
        allowExit?.();
        allowExit = undefined;
      },
    };
    return withoutSecrets(
      target,
      lazily(() => createEnvironmentRedactor(environment)),
    );
  },
});

/**
 * A function as a target. In a config: `module({ path: 'bot.ts' })`; in a program also `module({ function: answer
 * })`, which works in that program only: stored, it is a text with the function's name.
 */
export const module: typeof definition = Object.assign(
  (given: Parameters<typeof definition>[0]): NamedUse => {
    const use = definition(given);
    if (typeof use.function === 'function') use.function = withJsonForm(use.function as ModuleFunction);
    return use;
  },
  { definition: definition.definition },
);

async function callFunction(
  answer: ModuleFunction,
  request: TargetRequest,
  { context, options }: { readonly context: TargetContext } & Pick<ModuleRequest, 'options'>,
): Promise<Reply> {
  const { key, caseId, attempt, seed, input } = request;
  const { signal, onLate } = context;
  const { useTool, calls } = createToolRecorder(context.aroundTool);
  const { messages, session, metadata } = copyForFunction(request);
  const told = { key, caseId, messages, session, metadata, attempt, seed, signal, options, useTool };
  try {
    const given = runTargetCode(() => answer(input, told));
    const value = isPromise(given) ? await untilAborted(given, signal, onLate) : given;
    return withRecordedCalls(readReply(value), calls());
  } catch (thrown) {
    throw withPartial(toFailure(thrown), request, calls());
  }
}

/** Throws `target-invalid` for a secret that is written out: a config is shared, and stored with every run. */
function refuseWrittenSecrets(given: Readonly<Record<string, unknown>>): void {
  const place = findWrittenSecret(given, 'with');
  if (place === undefined) return;
  throw new TouchstoneError('target-invalid', `\`${place}\` looks like a secret that is written out.`, {
    remedy: 'Keep it in an environment variable, which the module reads: `process.env.NAME`.',
  });
}

function isPromise(given: unknown): given is PromiseLike<unknown> {
  return typeof given === 'object' && given !== null && 'then' in given && typeof given.then === 'function';
}

function toFailure(thrown: unknown): TargetFailure {
  if (thrown instanceof TargetFailure) return thrown;
  return new TargetFailure('target-threw', messageOf(thrown), {
    logs: shortStack(thrown),
    cause: thrown,
  });
}

/** What tools were used before there was no answer is kept. */
function withPartial(failure: TargetFailure, { messages }: TargetRequest, calls: ToolCall[]): TargetFailure {
  if (calls.length === 0) return failure;
  return failure.with({ partial: { transcript: exchange([...messages], null, calls), ...failure.partial } });
}
