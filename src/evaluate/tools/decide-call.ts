import { wait } from '../../core/lib/waiting.ts';
import type { CallPattern } from '../../core/schema/expected-calls.ts';
import type { CallSource } from '../../core/schema/message.ts';
import type { ToolResult } from '../../core/schema/tools/tool-result.ts';
import { argumentsKey, type CallTest, compileForbidden, compileToolName } from './match-call.ts';
import { type Cassette, describeMissing, findRecorded, ruleOf, type SoughtCall } from './cassette.ts';
import type { DoorOutcome, ServerToolUse } from './door.ts';
import { recordedTools } from './recorded-lists.ts';
import type { PreparedQueue } from './prepared-results.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { ToolsSetting } from './tools-setting.ts';

/** The rules that refuse calls. */
export interface Refusals {
  /** Returns why a call is refused; undefined when it is not. `count` is its number in the attempt, from 1. */
  find(use: ServerToolUse, count: number): string | undefined;
}

type RefusalSetting = Pick<ToolsSetting, 'deny' | 'allow' | 'act' | 'maxCalls' | 'denyMustNot'>;

/** Compiles the rules that refuse calls; `mustNot` is what a question forbids. */
export function createRefusals(setting: RefusalSetting, mustNot: readonly CallPattern[]): Refusals {
  const { deny, allow, act, maxCalls = Number.POSITIVE_INFINITY, denyMustNot } = setting;
  const any =
    (tests: readonly CallTest[]): CallTest =>
    (call) =>
      tests.some((matches) => matches(call));
  const denied = any((deny ?? []).map(compileToolName));
  const allowed = allow && any(allow.map(compileToolName));
  const forbidden = any((denyMustNot ? mustNot : []).flatMap((pattern) => compileForbidden(pattern) ?? []));
  return {
    find: (use, count) => {
      const { name } = use;
      if (count > maxCalls) return `${name} is refused by this test: an attempt may call ${maxCalls} tools.`;
      if (denied(use) || allowed?.(use) === false || forbidden(use))
        return `${name} is refused by this test.`;
      if (act === 'read-only' && use.isReadOnly !== true)
        return `${name} is refused by this test: it does not say that it changes nothing.`;
      return undefined;
    },
  };
}

/** The sources of answers in place of the tool. */
export interface Answering {
  readonly setting: ToolsSetting;
  readonly caseId: string;
  readonly cassette: Cassette | undefined;
  /** Removes secrets, so that arguments are compared as they are recorded. */
  readonly redactor: SecretRedactor;
  /** The prepared results, first the question's own. */
  readonly prepared: readonly PreparedQueue[];
  /** Aborted when the conversation is over. */
  readonly signal: AbortSignal;
  /** Returns the number of a call among its equals, from 1. */
  count(key: string): number;
  /** Called with a call that is not recorded, whose attempt is then not measured. */
  onMissing(problem: string): void;
}

/** An answer with its source; `tool` alone stands for the real tool, which has not been used yet. */
export type Decided =
  | { readonly from: Exclude<CallSource, 'tool' | 'refused'>; readonly outcome: DoorOutcome }
  | { readonly from: 'tool'; readonly nth: number };

/** Decides what answers a call that is not refused: a prepared result, a recorded one, or the tool. */
export async function decideCall(use: ServerToolUse, answering: Answering): Promise<Decided> {
  const { setting, prepared, signal, redactor } = answering;
  let found: ToolResult | undefined;
  for (const queue of prepared) found ??= queue.take(use);
  if (found?.error !== undefined || found?.result !== undefined) {
    await pauseFor(found.delayMs, signal);
    return { from: 'mock', outcome: mockOutcome(found) };
  }
  const { name, isReadOnly, server } = use;
  const args = redactor.json(use.arguments);
  const nth = answering.count(JSON.stringify([server, name, argumentsKey(args, ruleOf(setting.match, use))]));
  await pauseFor(found?.delayMs, signal); // A delay alone lets the call through.
  if (setting.mode !== 'replay' && setting.mode !== 'record-missing') return { from: 'tool', nth };
  const sought = { name, isReadOnly, arguments: args, server: server === '' ? undefined : server };
  return replay(sought, nth, answering) ?? { from: 'tool', nth };
}

/** Returns what a recording answers to a call; undefined where the tool is used. */
function replay(sought: SoughtCall, nth: number, answering: Answering): Decided | undefined {
  const { setting, cassette, caseId } = answering;
  const recorded = cassette?.calls.get(caseId) ?? [];
  const found = findRecorded(recorded, sought, nth, setting.match);
  if (found !== undefined) {
    const { result = null, error, wire } = found;
    const outcome = error === undefined ? { result } : { error };
    return { from: 'cassette', outcome: { ...outcome, wire, from: 'cassette' } };
  }
  if (setting.mode === 'record-missing' || setting.missing === 'real') return undefined;
  // A tool that the server does not list is the bot's own mistake: the door says so, and reaches no server.
  const listed = recordedTools(cassette, sought.server ?? '');
  if (listed?.some(({ name }) => name === sought.name) === false) return undefined;
  if (setting.missing === 'not-measured') answering.onMissing(describeMissing(recorded, sought, nth));
  return { from: 'cassette', outcome: { error: `${sought.name} is not recorded.`, from: 'cassette' } };
}

function mockOutcome({ result = null, error, status }: ToolResult): DoorOutcome {
  if (error === undefined) return { result, from: 'mock' };
  return { error, details: status === undefined ? {} : { status }, from: 'mock' };
}

async function pauseFor(delayMs: number | undefined, signal: AbortSignal): Promise<void> {
  if (delayMs !== undefined) await wait(delayMs, signal);
}
