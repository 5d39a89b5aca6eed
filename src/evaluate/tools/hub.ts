import { TouchstoneError } from '../../core/errors.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { ListedServer } from '../../core/schema/tools/listed-server.ts';
import type { StrayCall } from '../../core/schema/tools/run-tools.ts';
import { joinCalls, type ToolsReport } from '../../core/schema/tools/tools-report.ts';
import type { ToolInterceptor, ToolRules } from '../targets/target.ts';
import type { Cassette } from './cassette.ts';
import { newToken, ToolConversation } from './conversation.ts';
import { createAttribution } from './attribution.ts';
import type { Door } from './door.ts';
import { createFunctionsDoor } from './functions-door.ts';
import { openToolListener, type ToolListener } from './listener.ts';
import { prepareResults, type PreparedResults } from './prepared-results.ts';
import { recordedTools, toolsIn } from './recorded-lists.ts';
import { functionsName, type ToolServer, type ToolsSetting } from './tools-setting.ts';

/** The services that a hub needs. */
export interface HubNeeds {
  readonly setting: ToolsSetting;
  readonly cassette: Cassette | undefined;
  /** Removes secrets from what is recorded. */
  readonly redactor: SecretRedactor;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Creates the door of a server. */
  createDoor(name: string, server: ToolServer): Door;
}

/** Everything between the targets of a run and their tools, in this process. */
export class ToolHub {
  readonly setting: ToolsSetting;
  readonly #needs: HubNeeds;
  readonly #mocks: PreparedResults;
  readonly #live = new Map<string, ToolConversation>();
  readonly #over = new Set<string>();
  #late: readonly StrayCall[] = [];
  #unattributed: readonly StrayCall[] = [];
  /** The prepared results that have answered no call, by question. */
  readonly #unusedResults = new Map<string, readonly string[]>();
  /** The targets of which something has come. */
  readonly #touched = new Set<object>();
  /** The names of tools whose calls are seen. */
  readonly #names = new Set<string>();
  /** The replies of servers that are stored. */
  readonly #replies = new Set<string>();
  readonly #owners = new Set<object>();
  #opened: Promise<Opened> | undefined;
  #listeners: ReadonlyMap<string, ToolListener> = new Map();
  #strays = 0;

  constructor(needs: HubNeeds) {
    this.setting = needs.setting;
    this.#needs = needs;
    this.#mocks = prepareResults(needs.setting.mocks);
  }

  /** The number of calls that belong to no attempt: attempts in flight then lack some. */
  get strays(): number {
    return this.#strays;
  }

  /** Opens the doors and their listeners for a target, once for all. Throws `TouchstoneError`. */
  async open(owner: object): Promise<void> {
    this.#owners.add(owner);
    this.#opened ??= this.#openAll();
    this.#listeners = (await this.#opened).listeners;
  }

  /** Closes them when the last target needs them no more. */
  async close(owner: object): Promise<void> {
    this.#owners.delete(owner);
    const own = this.#owners.size === 0 ? this.#opened : undefined;
    if (own === undefined) return;
    this.#opened = undefined;
    await own.then(closeAll, () => {});
  }

  /** Begins a conversation of a target. */
  converse(owner: object, caseId: string, rules: ToolRules): ToolConversation {
    const { setting, cassette, redactor } = this.#needs;
    return new ToolConversation(caseId, rules, {
      setting,
      cassette,
      redactor,
      mocks: this.#mocks,
      keepsReply: (server, key, reply) => {
        if (key.startsWith('tools/list')) for (const { name } of toolsIn(reply)) this.#names.add(name);
        const isNew = !this.#replies.has(`${server} ${key}`);
        this.#replies.add(`${server} ${key}`);
        return isNew;
      },
      onTouched: (name) => {
        this.#touched.add(owner);
        if (name !== undefined) this.#names.add(name);
      },
    });
  }

  /** Begins a question in a conversation, or another try at it. */
  ask(conversation: ToolConversation, turn: number, intercept: ToolInterceptor | undefined): void {
    const before = conversation.begin(turn, intercept);
    if (before !== undefined) this.#end(before);
    this.#live.set(conversation.token, conversation);
  }

  /** Ends a conversation: what comes to its address later is refused and counted. */
  async end(conversation: ToolConversation): Promise<void> {
    this.#end(conversation.token);
    conversation.leftover().forEach((name) => this.#countLate(name));
    const { caseId } = conversation;
    const unused = conversation.unusedResults();
    const before = this.#unusedResults.get(caseId) ?? unused;
    if (before !== undefined)
      this.#unusedResults.set(
        caseId,
        before.filter((each) => unused?.includes(each)),
      );
    await conversation.end();
  }

  /** Returns the addresses of all servers for a token, or for none. */
  addresses(token: string | undefined): Record<string, string> {
    const addresses = Array.from(this.#listeners, ([name, { address }]) => [name, address(token)]);
    return Object.fromEntries(addresses) as Record<string, string>;
  }

  /** Returns whether calls of a tool are seen. */
  isSeen(name: string): boolean {
    return this.#names.has(name);
  }

  /** Returns whether anything of a target has ever come. */
  isTouched(owner: object): boolean {
    return this.#touched.has(owner);
  }

  /** Starts or reaches all servers, unless they are open, and lists what they offer; in a replay, what they offered when it was recorded. Throws `target-unreachable`. */
  async list(): Promise<ListedServer[]> {
    const { cassette } = this.#needs;
    await this.open(this);
    try {
      const { doors } = (await this.#opened) as Opened;
      const listed = Object.keys(this.setting.servers).map(async (name): Promise<ListedServer> => {
        try {
          return { name, tools: (await doors.get(name)?.listTools()) ?? recordedTools(cassette, name) };
        } catch (failure) {
          return { name, failure };
        }
      });
      return await Promise.all(listed);
    } finally {
      await this.close(this);
    }
  }

  /** Returns what came too late, what belonged to no attempt, and which prepared results answered nothing. */
  report(): ToolsReport {
    return {
      late: this.#late,
      unattributed: this.#unattributed,
      unusedMocks: this.#mocks.unused(),
      unusedResults: Object.fromEntries(this.#unusedResults),
      isUntouched: this.#touched.size === 0,
    };
  }

  #countLate(name: string): void {
    this.#late = joinCalls(this.#late, [{ name, calls: 1 }]);
  }

  #end(token: string): void {
    this.#live.delete(token);
    this.#over.add(token);
  }

  async #openAll(): Promise<Opened> {
    const { setting, createDoor } = this.#needs;
    const functions = createFunctionsDoor((names) => {
      for (const name of names) this.#names.add(name);
    });
    const opened: Opened = { doors: new Map([[functionsName, functions]]), listeners: new Map() };
    try {
      opened.listeners.set(functionsName, await this.#listen(functionsName, functions, undefined));
      for (const [name, server] of Object.entries(setting.servers)) {
        const door = createDoor(name, server);
        opened.doors.set(name, door);
        await door.open();
        opened.listeners.set(name, await this.#listen(name, door, server));
      }
      return opened;
    } catch (error) {
      await closeAll(opened);
      throw error;
    }
  }

  async #listen(name: string, door: Door, server: ToolServer | undefined): Promise<ToolListener> {
    const { listen } = this.setting;
    const attribute = createAttribution(this.setting, {
      sessionOf: (token) => this.#live.get(token),
      mcpSessions: new Map(),
      only: () => (this.#live.size === 1 ? [...this.#live.keys()][0] : undefined),
      onStray: (call) => {
        this.#strays += 1;
        this.#unattributed = joinCalls(this.#unattributed, [{ name: call, calls: 1 }]);
      },
    });
    return await openToolListener({
      name,
      host: listen?.host ?? '127.0.0.1',
      url: listen && new URL(listen.url),
      port: server?.port ?? 0,
      key: readKey(server, this.#needs) ?? newToken(),
      door,
      findSession: (token) => this.#live.get(token) ?? (this.#over.has(token) ? 'over' : undefined),
      attribute,
      onLate: (call) => this.#countLate(call),
    });
  }
}

interface Opened {
  readonly doors: Map<string, Door>;
  readonly listeners: Map<string, ToolListener>;
}

async function closeAll({ doors, listeners }: Opened): Promise<void> {
  await Promise.allSettled(Array.from(listeners.values(), async (listener) => await listener.close()));
  await Promise.allSettled(Array.from(doors.values(), async (door) => await door.close()));
}

/** Returns the key of a fixed address. Throws `environment-missing`. */
function readKey(server: ToolServer | undefined, { environment }: HubNeeds): string | undefined {
  const variable = server?.keyFromEnv;
  if (variable === undefined) return undefined;
  const key = environment[variable];
  if (key !== undefined && /^[\w-]{8,}$/.test(key)) return key;
  throw new TouchstoneError(
    'environment-missing',
    `\`${variable}\` has no key of 8 or more letters and digits for the address of a tool.`,
  );
}
