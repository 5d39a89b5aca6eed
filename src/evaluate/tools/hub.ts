import { TouchstoneError } from '../../core/errors.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { ToolInterceptor, ToolRules } from '../targets/target.ts';
import type { Cassette } from './cassette.ts';
import { newToken, ToolConversation } from './conversation.ts';
import { createAttribution } from './attribution.ts';
import type { Door, ListedTool } from './door.ts';
import { createFunctionsDoor } from './functions-door.ts';
import { openToolListener, type ToolListener } from './listener.ts';
import { prepareResults, type PreparedResults } from './prepared-results.ts';
import { toolNamesIn } from './decide-call.ts';
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

/** The report of a hub at the end. */
export interface HubReport {
  readonly late: readonly StrayCall[];
  readonly unattributed: readonly StrayCall[];
  /** The places in `mocks` of those that answered no call. */
  readonly unusedMocks: readonly number[];
  /** True when nothing ever came to an address. */
  readonly isUntouched: boolean;
}

/** Calls of one name. */
interface StrayCall {
  readonly name: string;
  readonly calls: number;
}

/** Everything between the targets of a run and their tools, in this process. */
export class ToolHub {
  readonly setting: ToolsSetting;
  readonly #needs: HubNeeds;
  readonly #mocks: PreparedResults;
  readonly #live = new Map<string, ToolConversation>();
  readonly #over = new Set<string>();
  readonly #late = new Map<string, number>();
  readonly #unattributed = new Map<string, number>();
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
        if (key.startsWith('tools/list')) for (const name of toolNamesIn(reply)) this.#names.add(name);
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
    for (const name of conversation.leftover()) count(this.#late, name);
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

  /** Starts or reaches all servers, and lists what they offer. Throws `target-unreachable`. */
  async list(): Promise<{ readonly name: string; readonly tools?: readonly ListedTool[] }[]> {
    const { setting, createDoor } = this.#needs;
    const listed = Object.entries(setting.servers).map(async ([name, server]) => {
      const door = createDoor(name, server);
      try {
        await door.open();
        return { name, tools: await door.listTools() };
      } finally {
        await door.close();
      }
    });
    return await Promise.all(listed);
  }

  /** Returns what came too late and what belonged to no attempt, and the mocks that answered nothing. */
  report(): HubReport {
    return {
      late: listOf(this.#late),
      unattributed: listOf(this.#unattributed),
      unusedMocks: this.#mocks.unused(),
      isUntouched: this.#touched.size === 0,
    };
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
    const opened: Opened = { doors: [], listeners: new Map() };
    try {
      opened.doors.push(functions);
      opened.listeners.set(functionsName, await this.#listen(functionsName, functions, undefined));
      for (const [name, server] of Object.entries(setting.servers)) {
        const door = createDoor(name, server);
        opened.doors.push(door);
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
        count(this.#unattributed, call);
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
      onLate: (call) => count(this.#late, call),
    });
  }
}

function count(calls: Map<string, number>, name: string): void {
  calls.set(name, (calls.get(name) ?? 0) + 1);
}

interface Opened {
  readonly doors: Door[];
  readonly listeners: Map<string, ToolListener>;
}

async function closeAll({ doors, listeners }: Opened): Promise<void> {
  await Promise.allSettled(Array.from(listeners.values(), async (listener) => await listener.close()));
  await Promise.allSettled(doors.map(async (door) => await door.close()));
}

function listOf(calls: ReadonlyMap<string, number>): StrayCall[] {
  return Array.from(calls, ([name, number]) => ({ name, calls: number })).toSorted(
    (a, b) => b.calls - a.calls,
  );
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
