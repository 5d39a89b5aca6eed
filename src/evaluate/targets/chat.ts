import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { tryParseJson } from '../../core/lib/json/parse-json.ts';
import { valueAtPath } from '../../core/lib/objects.ts';
import { createResource } from '../../core/lib/resource.ts';
import { type Json, nonEmpty } from '../../core/schema/json.ts';
import type { Message, ToolCall } from '../../core/schema/message.ts';
import type { RetrievedDocument } from '../../core/schema/trial.ts';
import {
  batchesOf,
  beginConversation,
  conversationOptions,
  samplingOf,
  withContent,
} from './model-conversation.ts';
import { mcpServerSchema } from './chat/mcp-options.ts';
import { identifyTools, openTools, type OpenTools } from './chat/open-tools.ts';
import { compilePrompt, type Prompt, promptOption, readPrompt, readVariables } from './prompts.ts';
import { readDocuments } from './reply/read-details.ts';
import {
  abortedFailure,
  defineTarget,
  type Reply,
  type Target,
  type TargetContext,
  TargetFailure,
  type TargetNeeds,
  type TargetRequest,
} from './target.ts';

const file = nonEmpty();

const options = () =>
  z.strictObject({
    ...conversationOptions(),
    system: promptOption
      .optional()
      .describe(
        'The system prompt: a text, or `{ path }` of a file; may contain variables such as {{metadata.NAME}}.',
      ),
    prompt: promptOption
      .optional()
      .describe(
        'What is sent in place of the question, with {{question}} in it: a text, or `{ path }` of a file; may contain variables such as {{metadata.NAME}}.',
      ),
    tools: z
      .union([file, z.array(file).min(1)])
      .optional()
      .describe(
        'Files whose exports are tools `{ name, description, parameters, run }`; relative to the config file.',
      ),
    mcp: z.array(mcpServerSchema).default([]).describe('MCP servers whose tools the model can use.'),
    documents: z
      .record(nonEmpty(), nonEmpty())
      .default({})
      .describe(
        'Tools that retrieve documents, and the path of the list in their results: `{ search: hits }`; `.` for the whole ' +
          'result. The documents they find become the documents of the attempt.',
      ),
    maxSteps: z
      .int()
      .min(1)
      .max(1000)
      .default(20)
      .describe(
        'The maximum number of model replies to one question; without an answer by then, the attempt fails.',
      ),
  });
type Options = z.output<ReturnType<typeof options>>;

/** A model with a system prompt and tools. The model receives the results of the tools it asks for until it answers. */
export const chat = defineTarget({
  name: 'chat',
  version: 1,
  summary: 'A model with a system prompt and tools, from modules or MCP servers.',
  words: 'agent, system prompt, prompt, tools, MCP, model with tools, assistant, chatbot',
  example: { model: { use: 'openai-chat', model: 'gpt-5' }, system: 'You help customers.' },
  options,
  create: (checked, needs): Target => {
    const model = needs.resolveModel(checked.model);
    const { tools, mcp, documents, maxSteps, temperature, maxTokens, seed } = checked;
    const toolSettings = { files: [tools ?? []].flat(), servers: mcp, ...needs };
    const hasTools = toolSettings.files.length + mcp.length > 0;
    let loaded: Promise<Prompts> | undefined;
    const load = () => (loaded ??= loadPrompts(checked, needs));
    const opened = createResource(
      async () => await openTools(toolSettings),
      async (tools) => await tools.close(),
    );
    return {
      takes: model.takes,
      takesFrom: model.takesFrom,
      hasToolsInReach: hasTools,
      ...batchesOf(model, { model: checked.model, asksOften: hasTools }),
      identity: async () => {
        const { system, prompt } = await load();
        return {
          model: model.fingerprint,
          system: system?.identity ?? null,
          ...(prompt !== undefined && { prompt: prompt.identity }),
          tools: await identifyTools(toolSettings),
          parameters: {
            documents,
            maxSteps,
            temperature: temperature ?? null,
            maxTokens: maxTokens ?? null,
            seed,
          },
        };
      },
      open: async () => {
        await load();
        await Promise.all([model.open?.(), opened.get()]);
      },
      call: async (request, context) => {
        const prompts = await load();
        return await converse({ checked, model, prompts, tools: await opened.get() }, request, context);
      },
      close: async () => {
        await Promise.all([opened.close(), model.close?.()]);
      },
    };
  },
});

interface Session {
  readonly checked: Options;
  readonly model: ReturnType<TargetNeeds['resolveModel']>;
  readonly prompts: Prompts;
  readonly tools: OpenTools;
}

/** The prompts of a target that have been read. */
interface Prompts {
  readonly system: Prompt | undefined;
  readonly prompt: Prompt | undefined;
}

async function converse(
  { checked, model, prompts, tools: { toolset } }: Session,
  request: TargetRequest,
  context: TargetContext,
): Promise<Reply> {
  const { system, prompt } = prompts;
  const instructions: Message[] =
    system === undefined ? [] : [{ role: 'system', content: system.fill(request) }];
  const conversation = beginConversation({
    model,
    context,
    request: {
      ...samplingOf(checked, request),
      ...(toolset.specs.length > 0 && { tools: toolset.specs }),
    },
    messages: [...instructions, ...askedWith(prompt, request)].map((sent) => ({ sent })),
  });
  const { key, caseId, metadata, attempt, seed } = request;
  for (let step = 1; step <= checked.maxSteps; step += 1) {
    const { toolCalls } = await conversation.step();
    try {
      if (toolCalls.length === 0) return withDocuments(conversation.finish(), checked.documents);
      const toolContext = { key, caseId, metadata, attempt, seed, signal: context.signal };
      conversation.addResults(await toolset.run(toolCalls, toolContext, context.interceptTool));
    } catch (error) {
      const failure = context.signal.aborted ? abortedFailure(context.signal) : error;
      throw failure instanceof TargetFailure ? conversation.fail(failure) : failure;
    }
  }
  const message = `no answer after ${checked.maxSteps} steps: the model went on asking for tools`;
  throw conversation.fail(new TargetFailure('step-limit', message));
}

/** Returns the messages of a case, with the prompt in place of the question. */
function askedWith(prompt: Prompt | undefined, request: TargetRequest): readonly Message[] {
  if (prompt === undefined) return request.messages;
  const question = request.messages.findLastIndex(({ role }) => role === 'user');
  return request.messages.map((message, index) =>
    index === question ? withContent(message, prompt.fill(request)) : message,
  );
}

async function loadPrompts(
  { system, prompt, variables }: Options,
  { folder, environment }: TargetNeeds,
): Promise<Prompts> {
  if (system === undefined && prompt === undefined) return { system, prompt };
  const texts = await readVariables(variables, folder);
  const load = async (option: z.output<typeof promptOption> | undefined, setting: string) =>
    option === undefined
      ? undefined
      : compilePrompt(await readPrompt(option, { setting, folder }), { texts, environment });
  const loaded = { system: await load(system, 'system'), prompt: await load(prompt, 'prompt') };
  const { names } = loaded.prompt ?? {};
  if (names !== undefined && !names.has('question') && !names.has('input')) {
    throw new TouchstoneError('target-invalid', '`prompt` does not contain {{question}}.', {
      remedy: 'Insert {{question}} where the question belongs; use `system` for instructions without it.',
    });
  }
  return loaded;
}

function withDocuments(reply: Reply, paths: Options['documents']): Reply {
  const documents = findDocuments(reply.toolCalls, paths);
  return documents === undefined ? reply : { ...reply, documents };
}

/**
 * Returns the documents in the results of retrieving tools, in the order found, each once; undefined when no tool is
 * declared to retrieve. Throws `TargetFailure` with `invalid-answer` when the place holds something else than a list of
 * documents.
 * @param paths - The path of the list in the tool's result, by the name of the tool.
 */
function findDocuments(
  calls: readonly ToolCall[],
  paths: Readonly<Record<string, string>>,
): RetrievedDocument[] | undefined {
  if (Object.keys(paths).length === 0) return undefined;
  const found = new Map<string, RetrievedDocument>();
  for (const call of calls) {
    const path = Object.hasOwn(paths, call.name) ? paths[call.name] : undefined;
    if (path === undefined) continue;
    for (const document of documentsIn(call, path)) {
      if (!found.has(document.id)) found.set(document.id, document);
    }
  }
  return [...found.values()];
}

function documentsIn({ name, result, fault }: ToolCall, path: string): RetrievedDocument[] {
  if (result === undefined) return [];
  try {
    return readDocuments(valueAtPath(parseText(result), path), `${name}: ${path}`) ?? [];
  } catch (error) {
    // The result was broken on purpose, so a missing list does not mean that the setting is wrong.
    if (fault !== undefined) return [];
    throw error;
  }
}

/** Parses a JSON text; MCP servers often return their JSON as one. Anything else is returned as it is. */
function parseText(result: Json): Json {
  if (typeof result !== 'string') return result;
  return tryParseJson(result, result);
}
