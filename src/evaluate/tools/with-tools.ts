import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '../../core/schema/message.ts';
import { withPartial } from '../conditions/with-call.ts';
import { mergeCalls } from '../targets/reply/merge-calls.ts';
import {
  type PartialReply,
  type Reply,
  type Target,
  type TargetContext,
  type TargetRequest,
  type TargetTools,
  type ToolRules,
} from '../targets/target.ts';
import type { ToolConversation, TurnCalls } from './conversation.ts';
import type { ToolHub } from './hub.ts';

/**
 * Wraps a target so that its tools pass through Touchstone: a conversation of its own with an address of its own for each attempt.
 * What was seen takes the place of what the target reports.
 */
export function withTools(target: Target, hub: ToolHub): Target {
  const { setting } = hub;
  const isInProcess = target.hasToolsInReach === true;
  const isAlone = setting.trial === 'one-at-a-time';
  const conversations = new Map<string, ToolConversation>();
  const begun = new Map<string, ToolRules>();
  let lastAnswerMs = Number.NEGATIVE_INFINITY;
  const converse = ({ key, caseId, session }: TargetRequest, context: TargetContext): ToolConversation => {
    const rules = begun.get(session.id) ?? { key, results: [], mustNot: [] };
    const conversation = conversations.get(session.id) ?? hub.converse(target, caseId, rules);
    conversations.set(session.id, conversation);
    hub.ask(conversation, session.turn, context.interceptTool);
    return conversation;
  };
  const call: Target['call'] = async (request, context) => {
    if (isAlone)
      await pause(Math.max(0, setting.quietMs - (performance.now() - lastAnswerMs)), undefined, {
        signal: context.signal,
      });
    const conversation = converse(request, context);
    const strays = hub.strays;
    const tools = await toolsFor(conversation, hub);
    const interceptTool: TargetContext['interceptTool'] = async (use, run) =>
      await conversation.use({ ...use, server: '' }, run);
    try {
      const reply = await target.call({ ...request, tools }, { ...context, interceptTool });
      const seen = conversation.take();
      if (seen.failure !== undefined) throw seen.failure.with({ partial: partialOf(request.messages, seen) });
      return withSeen(reply, seen, { hub, target, isInProcess, isDisturbed: hub.strays > strays });
    } catch (error) {
      throw withCalls(error, request.messages, { seen: conversation.take(true), signal: context.signal });
    } finally {
      lastAnswerMs = performance.now();
    }
  };
  return {
    maxConcurrency: isAlone ? 1 : target.maxConcurrency,
    takes: target.takes,
    takesFrom: target.takesFrom,
    takesHint: target.takesHint,
    hasFixedPort: target.hasFixedPort,
    hasToolsInReach: true,
    open: async () => {
      await hub.open(target);
      const shared = { addresses: hub.addresses(undefined), headers: {} };
      await target.open?.(setting.trial === 'address' ? undefined : shared);
    },
    ...(target.prepare !== undefined && { prepare: target.prepare.bind(target) }),
    call,
    beginSession: (id, rules) => void begun.set(id, rules),
    endSession: async (id) => {
      begun.delete(id);
      const conversation = conversations.get(id);
      conversations.delete(id);
      if (conversation !== undefined) await hub.end(conversation);
      await target.endSession?.(id);
    },
    close: async () => {
      await target.close?.();
      await hub.close(target);
    },
  };
}

/** Returns what a target gets to reach its tools in a conversation. */
async function toolsFor(conversation: ToolConversation, hub: ToolHub): Promise<TargetTools> {
  const { trial, servers } = hub.setting;
  const token = conversation.token;
  const addresses = hub.addresses(trial === 'address' ? token : undefined);
  const mcp = Object.entries(servers).filter(([, { mcp: server }]) => server !== undefined);
  if (mcp.length > 0) {
    const mcpServers = Object.fromEntries(
      mcp.map(([name]) => [name, { type: 'http', url: addresses[name] }]),
    );
    addresses['mcpConfig'] = await conversation.writeFile('mcp.json', `${JSON.stringify({ mcpServers })}\n`);
  }
  return { addresses, headers: headersFor(trial, token) };
}

function headersFor(trial: string, token: string): Record<string, string> {
  if (trial === 'baggage')
    return { baggage: `touchstone.trial=${token}`, traceparent: `00-${token}-${token.slice(0, 16)}-01` };
  return trial.startsWith('header:') ? { [trial.slice('header:'.length).toLowerCase()]: token } : {};
}

interface Merging {
  readonly hub: ToolHub;
  readonly target: Target;
  readonly isInProcess: boolean;
  /** True when calls came meanwhile that belong to no attempt. */
  readonly isDisturbed: boolean;
}

function withSeen(reply: Reply, seen: TurnCalls, { hub, target, isInProcess, isDisturbed }: Merging): Reply {
  const servers = Object.keys(hub.setting.servers);
  const merged = mergeCalls(reply, seen.calls, {
    isSeen: (name) => !isInProcess && hub.isSeen(name),
    plainName: (name) => plainName(name, servers),
    isOwn: isInProcess,
  });
  const { toolsUnknown, ...rest } = merged;
  const isUnknown = isDisturbed || (toolsUnknown === true && !hub.isTouched(target));
  return {
    ...rest,
    ...(isUnknown && { toolsUnknown: true }),
    reportedCalls: isInProcess ? reply.reportedCalls : merged.reportedCalls,
    tries: nonEmpty(seen.tries),
    toolTraffic: nonEmpty(seen.traffic),
  };
}

/** Returns the name of a tool as its server lists it: `mcp__memory__read`, `memory.read` and `functions.read` are `read`. */
function plainName(name: string, servers: readonly string[]): string {
  for (const server of [...servers, 'functions']) {
    for (const prefix of [
      `mcp__${server}__`,
      `${server}__`,
      `${server}.`,
      `${server}:`,
      `${server}/`,
      `${server}_`,
    ])
      if (name.startsWith(prefix) && name.length > prefix.length) return name.slice(prefix.length);
  }
  return name;
}

function nonEmpty<Item>(items: readonly Item[]): Item[] | undefined {
  return items.length === 0 ? undefined : [...items];
}

function partialOf(messages: readonly Message[], { calls, tries, traffic }: TurnCalls): PartialReply {
  const said: Message = { role: 'assistant', content: null, toolCalls: [...calls] };
  const transcript = calls.length === 0 ? undefined : [...messages, said];
  return { transcript, tries: nonEmpty(tries), toolTraffic: nonEmpty(traffic) };
}

interface FailedCall {
  readonly seen: TurnCalls;
  readonly signal: AbortSignal;
}

/** Adds the calls that were seen to a failed call. That one was not recorded matters more than how the bot took it. */
function withCalls(error: unknown, messages: readonly Message[], { seen, signal }: FailedCall): unknown {
  const { failure, calls, tries, traffic } = seen;
  const partial = partialOf(messages, seen);
  if (failure !== undefined) return failure.with({ partial });
  return calls.length + tries.length + traffic.length === 0 ? error : withPartial(error, partial, signal);
}
