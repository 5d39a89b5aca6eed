import { z } from 'zod';
import { valueAtPath } from '../lib/objects.ts';
import type { Json } from '../schema/json.ts';
import type { Message, ToolCall } from '../schema/message.ts';
import type { RetrievedDocument } from '../schema/trial.ts';
import { askingOptions, beginConversation, samplingOf } from './asking.ts';
import { mcpServerSchema } from './chat/mcp-options.ts';
import { identifyTools, openTools, type OpenTools } from './chat/open-tools.ts';
import { compilePrompt, type Prompt, promptOption, readPrompt, readVariables } from './prompts.ts';
import { readDocuments } from './reply/read-details.ts';
import {
  defineTarget,
  type Reply,
  type Target,
  type TargetContext,
  TargetFailure,
  type TargetNeeds,
  type TargetRequest,
} from './target.ts';

const file = z.string().min(1);

const options = () =>
  z.strictObject({
    ...askingOptions(),
    system: promptOption
      .optional()
      .describe(
        'The system prompt: a text, or `{ path }` of a file; may hold variables such as {{metadata.NAME}}.',
      ),
    tools: z
      .union([file, z.array(file).min(1)])
      .optional()
      .describe(
        'Files whose exports are tools `{ name, description, parameters, run }`; relative to the config file.',
      ),
    mcp: z.array(mcpServerSchema).default([]).describe('MCP servers whose tools the model can use.'),
    documents: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe(
        'Tools that retrieve documents, and the path of the list in their results: `{ search: hits }`; `.` for the whole ' +
          'result. What they found are the documents of the trial.',
      ),
    maxSteps: z
      .int()
      .min(1)
      .max(1000)
      .default(20)
      .describe(
        'Most replies of the model to one question; without an answer by then, the trial has failed.',
      ),
  });
type Options = z.output<ReturnType<typeof options>>;

/** A model with a system prompt and tools: it is given what the tools it asks for return until it answers. */
export const chat = defineTarget({
  name: 'chat',
  version: 1,
  summary: 'A model with a system prompt and tools, from modules or MCP servers.',
  options,
  create: (checked, needs): Target => {
    const model = needs.resolveModel(checked.model);
    const { system, tools, mcp, documents, maxSteps, temperature, maxTokens, seed } = checked;
    const toolSettings = { files: [tools ?? []].flat(), servers: mcp, ...needs };
    let loaded: Promise<Prompt | undefined> | undefined;
    const load = () =>
      (loaded ??= system === undefined ? Promise.resolve(undefined) : loadSystem(system, checked, needs));
    let opened: Promise<OpenTools> | undefined;
    const open = () => (opened ??= openTools(toolSettings));
    return {
      hasToolsInReach: toolSettings.files.length + mcp.length > 0,
      identity: async () => ({
        model: model.fingerprint,
        system: (await load())?.identity ?? null,
        tools: await identifyTools(toolSettings),
        parameters: {
          documents,
          maxSteps,
          temperature: temperature ?? null,
          maxTokens: maxTokens ?? null,
          seed,
        },
      }),
      open: async () => {
        await load();
        await Promise.all([model.open?.(), open()]);
      },
      call: async (request, context) => {
        const prompt = await load();
        return await converse({ checked, model, prompt, tools: await open() }, request, context);
      },
      close: async () => {
        const used = await opened?.catch(() => undefined);
        await Promise.all([used?.close(), model.close?.()]);
      },
    };
  },
});

interface Session {
  readonly checked: Options;
  readonly model: ReturnType<TargetNeeds['resolveModel']>;
  readonly prompt: Prompt | undefined;
  readonly tools: OpenTools;
}

async function converse(
  { checked, model, prompt, tools: { toolset } }: Session,
  request: TargetRequest,
  context: TargetContext,
): Promise<Reply> {
  const system: Message[] = prompt === undefined ? [] : [{ role: 'system', content: prompt.fill(request) }];
  const conversation = beginConversation({
    model,
    context,
    request: {
      ...samplingOf(checked, request),
      ...(toolset.specs.length > 0 && { tools: toolset.specs }),
    },
    messages: [...system, ...request.messages].map((sent) => ({ sent })),
  });
  const { key, caseId, metadata, attempt, seed } = request;
  for (let step = 1; step <= checked.maxSteps; step += 1) {
    const { toolCalls } = await conversation.step();
    try {
      if (toolCalls.length === 0) return withDocuments(conversation.finish(), checked.documents);
      const told = { key, caseId, metadata, attempt, seed, signal: context.signal };
      conversation.addResults(await toolset.run(toolCalls, told, context.aroundTool));
    } catch (error) {
      throw error instanceof TargetFailure ? conversation.fail(error) : error;
    }
  }
  const message = `no answer after ${checked.maxSteps} steps: the model went on asking for tools`;
  throw conversation.fail(new TargetFailure('step-limit', message));
}

function withDocuments(reply: Reply, paths: Options['documents']): Reply {
  const documents = findDocuments(reply.toolCalls, paths);
  return documents === undefined ? reply : { ...reply, documents };
}

async function loadSystem(
  system: z.output<typeof promptOption>,
  { variables }: Options,
  { folder, environment }: TargetNeeds,
): Promise<Prompt> {
  const source = await readPrompt(system, { setting: 'system', folder });
  return compilePrompt(source, { texts: await readVariables(variables, folder), environment });
}

/**
 * The documents in the results of tools that retrieve, in the order found, each once; undefined when no tool is said to
 * retrieve. Throws `TargetFailure` with `invalid-answer` for a list of something else.
 * @param paths - By the name of the tool: where in its result the list is.
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
    // Broken on purpose: that there is no list in it says nothing against the setting.
    if (fault !== undefined) return [];
    throw error;
  }
}

/** Tools of servers often give their JSON as a text. */
function parseText(result: Json): Json {
  if (typeof result !== 'string') return result;
  try {
    return JSON.parse(result);
  } catch {
    return result;
  }
}
