import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { makeWorkFolder } from '../../core/lib/files/work-folder.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { Json } from '../../core/schema/json.ts';
import type { CallSource, ToolCall } from '../../core/schema/message.ts';
import type { ToolResult } from '../../core/schema/tools/tool-result.ts';
import { notRecordedCode, proxyFailedCode, type ToolTraffic } from '../../core/schema/trial.ts';
import { TargetFailure, type ToolInterceptor, type ToolRules } from '../targets/target.ts';
import { type Cassette, trafficKey } from './cassette.ts';
import { type Answering, createRefusals, decideCall, type Refusals } from './decide-call.ts';
import type { DoorOutcome, RealUse, ServerToolUse, ServerTraffic, ToolSession, WireOutcome } from './door.ts';
import { type PreparedQueue, prepareResults, type PreparedResults } from './prepared-results.ts';
import type { ToolsSetting } from './tools-setting.ts';

/** The parts that all conversations of a run share. */
export interface Surroundings {
  readonly setting: ToolsSetting;
  readonly cassette: Cassette | undefined;
  readonly mocks: PreparedResults;
  /** Removes secrets from what is recorded. */
  readonly redactor: SecretRedactor;
  /** Returns whether the reply of a server is stored with this conversation: once for each process. */
  keepsReply(server: string, key: string, reply: Json): boolean;
  /** Called when a conversation has used a server, and one of its tools. */
  onTouched(tool?: string): void;
}

/** The traffic of a conversation in one question. */
export interface TurnCalls {
  readonly calls: readonly ToolCall[];
  readonly tries: readonly { toolCalls: ToolCall[] }[];
  readonly traffic: readonly ToolTraffic[];
  /** Why the attempt says nothing about the target. */
  readonly failure: TargetFailure | undefined;
}

type Run = (real: RealUse) => Promise<WireOutcome>;

/** One conversation of a target with its tools: all questions and tries of an attempt. */
export class ToolConversation implements ToolSession {
  readonly trialKey: string;
  readonly isOffline: boolean;
  readonly caseId: string;
  readonly #around: Surroundings;
  readonly #over = new AbortController();
  readonly #started = performance.now();
  readonly #refusals: Refusals;
  readonly #results: readonly ToolResult[];
  readonly #own: PreparedResults;
  readonly #prepared: readonly PreparedQueue[];
  #counts = new Map<string, number>();
  #calls: ToolCall[] = [];
  /** The calls of a try that has failed, and that may be given up for another. */
  #failed: ToolCall[] = [];
  #tries: { toolCalls: ToolCall[] }[] = [];
  #traffic = new Map<string, ToolTraffic>();
  #failure: TargetFailure | undefined;
  #intercept: ToolInterceptor | undefined;
  #token = newToken();
  #turn = 0;
  #total = 0;
  #isAnswered = false;
  #restore = (): void => {};
  #folder: Promise<string> | undefined;

  constructor(caseId: string, { key, results, mustNot }: ToolRules, around: Surroundings) {
    const { setting, mocks } = around;
    this.trialKey = key;
    this.isOffline = setting.mode === 'replay' && setting.missing !== 'real';
    this.caseId = caseId;
    this.#around = around;
    this.#refusals = createRefusals(setting, mustNot);
    this.#results = results;
    this.#own = prepareResults(results);
    this.#prepared = [this.#own.begin(), mocks.begin()];
  }

  /** The secret that names the try in addresses. */
  get token(): string {
    return this.#token;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  get mayChange(): boolean {
    return this.#intercept !== undefined;
  }

  /** Begins a question, or another try at it. Returns the token of the try before, which names nothing any more. */
  begin(turn: number, intercept: ToolInterceptor | undefined): string | undefined {
    const isAgain = turn === this.#turn;
    this.#intercept = intercept;
    this.#isAnswered = false;
    if (!isAgain) {
      this.#turn = turn;
      this.#tries = [];
      const counts = new Map(this.#counts);
      const queues = this.#prepared.map((queue) => queue.mark());
      this.#restore = () => {
        this.#counts = new Map(counts);
        for (const giveBack of queues) giveBack();
      };
      return undefined;
    }
    this.#restore();
    const calls = [...this.#failed, ...this.#calls];
    if (calls.length > 0) this.#tries.push({ toolCalls: calls });
    [this.#calls, this.#failed] = [[], []];
    this.#failure = undefined;
    const before = this.#token;
    this.#token = newToken();
    return before;
  }

  /** Returns what was seen since the question began, and ends it: calls before the next one come after the answer. */
  take(isFailed = false): TurnCalls {
    this.#isAnswered = true;
    const calls = this.#calls.map((call) => ({ ...call }));
    const taken = { calls, tries: this.#tries, traffic: [...this.#traffic.values()], failure: this.#failure };
    this.#failed = isFailed ? calls : [];
    [this.#calls, this.#traffic, this.#failure] = [[], new Map<string, ToolTraffic>(), undefined];
    return taken;
  }

  /** Returns the names of the tools that were called after the last answer. */
  leftover(): string[] {
    return this.#calls.map(({ name }) => name);
  }

  /** Returns the question's own results that answered no call; undefined where it brings none. */
  unusedResults(): string[] | undefined {
    if (this.#results.length === 0) return undefined;
    return this.#own.unused().map((index) => `tool_results[${index}] (${this.#results[index]?.name})`);
  }

  folder(): Promise<string> {
    this.#folder ??= makeWorkFolder('tools');
    return this.#folder;
  }

  /** Writes a file that is there until the end, and returns its path. */
  async writeFile(name: string, text: string): Promise<string> {
    const file = path.join(await this.folder(), 'config', name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
    return file;
  }

  /** Ends the conversation: what is open ends, and its folder goes. */
  async end(): Promise<void> {
    this.#over.abort();
    const made = await this.#folder?.catch(() => undefined);
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }

  async use(asked: ServerToolUse, run: Run): Promise<DoorOutcome> {
    const { redactor, onTouched } = this.#around;
    onTouched(asked.name);
    const call = this.#beginCall(redactor.json(asked));
    this.#total += 1;
    try {
      const { from, outcome } = await this.#decide(asked, this.#total, run);
      this.#endCall(call, from, outcome);
      return outcome;
    } catch (error) {
      const message = messageOf(error).toWellFormed();
      const outcome: DoorOutcome = { error: message };
      if (this.over.aborted) return outcome; // It began, and never ended.
      this.#endCall(call, 'tool', outcome);
      if (!isUpstreams(error)) {
        const said = `Touchstone could not carry out ${asked.name}: ${redactor.text(message)}`;
        this.#failure ??= new TargetFailure(proxyFailedCode, said);
      }
      return outcome;
    }
  }

  noteTraffic({ server, method, status, ms, request, reply }: ServerTraffic): void {
    const { redactor, onTouched, keepsReply } = this.#around;
    onTouched();
    const key = trafficKey(method, request);
    const known = this.#traffic.get(`${server} ${key}`);
    const isKept = known?.reply === undefined && reply !== undefined && keepsReply(server, key, reply);
    const total = Math.round(((known?.ms ?? 0) + ms) * 10) / 10;
    const noted: ToolTraffic = {
      ...known,
      server,
      method,
      status,
      count: (known?.count ?? 0) + 1,
      ms: total,
    };
    if (isKept) Object.assign(noted, redactor.json({ request, reply }));
    this.#traffic.set(`${server} ${key}`, noted);
  }

  notePast(server: string, count: number, kind: 'redirect' | 'address'): void {
    for (let each = 0; each < count; each += 1) this.noteTraffic({ server, method: kind, ms: 0 });
  }

  async recordedReply(server: string, method: string, request: Json): Promise<Json | undefined> {
    return this.#around.cassette?.servers[server]?.[trafficKey(method, request)];
  }

  #elapsed(): number {
    return Math.round((performance.now() - this.#started) * 10) / 10;
  }

  #beginCall({ server, name, arguments: args, isReadOnly }: ServerToolUse): ToolCall {
    const call: ToolCall = { name, arguments: args, observed: true, startMs: this.#elapsed() };
    if (server !== '') call.server = server;
    if (isReadOnly === true) call.readOnly = true;
    if (this.#isAnswered) call.afterAnswer = true;
    this.#calls.push(call);
    return call;
  }

  #endCall(call: ToolCall, from: CallSource | undefined, outcome: DoorOutcome): void {
    const durationMs = Math.round((this.#elapsed() - (call.startMs ?? 0)) * 10) / 10;
    const { fault, withheld, wire } = outcome;
    const said = 'result' in outcome ? { result: outcome.result } : { error: outcome.error };
    const kept = this.#around.redactor.json({ ...said, fault, withheld, wire });
    for (const [name, value] of Object.entries({ ...kept, from, durationMs }))
      if (value !== undefined) Object.assign(call, { [name]: value });
  }

  async #decide(use: ServerToolUse, number: number, run: Run): Promise<Seen> {
    const refused = this.#refusals.find(use, number);
    if (refused !== undefined)
      return { from: 'refused', outcome: { error: refused, details: { status: 403 }, from: 'refused' } };
    let from: CallSource | undefined;
    const inner = async (): Promise<DoorOutcome> => {
      const decided = await decideCall(use, this.#answering());
      from = decided.from;
      if (decided.from !== 'tool') return use.unfit ?? decided.outcome;
      const key = hashContent([this.trialKey, use.server, use.name, use.arguments, decided.nth]);
      return await run({ key });
    };
    const outcome = this.#intercept === undefined ? await inner() : await this.#intercept(use, inner);
    return { from, outcome };
  }

  #answering(): Answering {
    const { setting, cassette, redactor } = this.#around;
    return {
      setting,
      caseId: this.caseId,
      cassette,
      redactor,
      prepared: this.#prepared,
      signal: this.over,
      count: (key) => {
        const count = (this.#counts.get(key) ?? 0) + 1;
        this.#counts.set(key, count);
        return count;
      },
      onMissing: (problem) => (this.#failure ??= new TargetFailure(notRecordedCode, problem)),
    };
  }
}

interface Seen {
  readonly from: CallSource | undefined;
  readonly outcome: DoorOutcome;
}

/** Returns a name that cannot be guessed: 128 random bits. */
export function newToken(): string {
  return randomBytes(16).toString('hex');
}

/** Returns whether the server behind the proxy was lost, which a bot may well meet in real life. */
function isUpstreams(error: unknown): boolean {
  return error instanceof Error && error.name === 'UpstreamLost';
}
