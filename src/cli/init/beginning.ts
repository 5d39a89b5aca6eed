import { TouchstoneError } from '../../core/errors.ts';

/** Where a bot is: each is a choice of `--bot`. */
export const botKinds = ['http', 'command', 'module', 'model', 'sample'] as const;
export type BotKind = (typeof botKinds)[number];

/** The coding agents whose configuration can be written. */
export const agentClients = ['claude', 'codex', 'cursor', 'vscode'] as const;
export type AgentClient = (typeof agentClients)[number];

/** The flags of `touchstone init`. */
export interface InitFlags {
  readonly folder: string;
  /** The coding agents to write files for; true for those that are used here; false to leave the files out. */
  readonly agents?: boolean | readonly AgentClient[];
  /** True to show what `--agents` would change. */
  readonly dryRun?: boolean;
  /** True to take back what `--agents` wrote. */
  readonly remove?: boolean;
  readonly bot?: BotKind;
  /** The older name of `--bot`. */
  readonly target?: BotKind;
  readonly url?: string;
  readonly body?: string;
  readonly probe?: boolean;
  readonly command?: string;
  /** True when the program is started for each question. */
  readonly once?: boolean;
  readonly path?: string;
  readonly model?: string;
  readonly questions?: string;
  readonly answers?: string;
  /** The file of another tool to begin with; false for none, whatever is found. */
  readonly import?: string | false;
  readonly save?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/**
 * Returns whether the flags ask for the files of coding agents alone: `--agents` without a word of how a project begins. Throws
 * `usage-invalid` for a flag of these files without it.
 */
export function isForAgents(flags: InitFlags): boolean {
  const begins = (['bot', 'target', 'questions', 'answers', 'import', 'save'] as const).some(
    (name) => flags[name] !== undefined,
  );
  const isAlone =
    flags.agents !== undefined && flags.agents !== false && !begins && readKind(flags) === undefined;
  const flag = flags.dryRun === true ? '--dry-run' : flags.remove === true ? '--remove' : undefined;
  if (isAlone || flag === undefined) return isAlone;
  throw new TouchstoneError('usage-invalid', `\`${flag}\` is about the files of coding agents alone.`, {
    remedy: `Write \`touchstone init --agents ${flag}\`.`,
  });
}

/** The bot as far as it is known. */
export interface BotChoice {
  readonly kind: BotKind;
  readonly url?: string;
  /** The body of a request as JSON; the usual one when it is undefined. */
  readonly body?: unknown;
  /** The path of the answer in a reply, where it is under no usual name. */
  readonly answer?: string;
  readonly command?: string;
  /** True when the program is started for each question, and prints the answer. */
  readonly isStartedOnce?: boolean;
  readonly path?: string;
  readonly model?: string;
}

/** The flags that say more of one kind of bot. */
const details = {
  url: 'http',
  body: 'http',
  probe: 'http',
  command: 'command',
  once: 'command',
  path: 'module',
  model: 'model',
} as const;
type Detail = keyof typeof details;

/**
 * Returns what the flags say of the bot; undefined when they say nothing. Throws `usage-invalid` for flags that contradict each
 * other.
 */
export function readBot(flags: InitFlags): BotChoice | undefined {
  refuseTwoBeginnings(flags);
  const { url, command, path, model, body } = flags;
  const kind = readKind(flags);
  if (kind === undefined) return undefined;
  if (kind === 'model' && model === undefined) {
    throw new TouchstoneError('usage-invalid', '`--bot model` needs the name of the model.', {
      remedy: 'Give it: `--model gpt-5-mini`, or `--model anthropic:NAME`.',
    });
  }
  if (url !== undefined) checkAddress(url);
  const isStartedOnce = flags.once ?? command?.includes('{{input}}');
  return {
    kind,
    url,
    command,
    isStartedOnce,
    path,
    model,
    ...(body !== undefined && { body: readBody(body) }),
  };
}

/** Returns the kind of bot that the flags name, or that their details belong to. */
function readKind(flags: InitFlags): BotKind | undefined {
  const { bot, target } = flags;
  if (bot !== undefined && target !== undefined && bot !== target) throw contradiction('--bot', '--target');
  const given = (Object.keys(details) as Detail[]).filter((name) => flags[name] !== undefined);
  const [first] = given;
  const kind = bot ?? target ?? (first && details[first]);
  const other = given.find((name) => details[name] !== kind);
  if (other !== undefined && first !== other) throw contradiction(`--${first}`, `--${other}`);
  if (other !== undefined) {
    const message = `\`--${other}\` belongs to \`--bot ${details[other]}\`, not to \`--bot ${kind}\`.`;
    throw new TouchstoneError('usage-invalid', message, { remedy: 'Give one of them.' });
  }
  refuseHalves(flags);
  return kind;
}

/** Throws `usage-invalid` for a flag that says more of what no flag gives. */
function refuseHalves({ url, probe, body, command, once }: InitFlags): void {
  if (url === undefined && (probe === true || body !== undefined)) {
    const flag = probe === true ? '--probe' : '--body';
    throw new TouchstoneError('usage-invalid', `\`${flag}\` needs the address of the bot.`, {
      remedy: 'Give it: `--url http://127.0.0.1:8080/chat`.',
    });
  }
  if (command === undefined && once === true) {
    throw new TouchstoneError('usage-invalid', '`--once` needs the program.', {
      remedy: 'Give it: `--command "python3 bot.py"`.',
    });
  }
}

/** Throws `usage-invalid` when two flags name two ways to begin. */
function refuseTwoBeginnings(flags: InitFlags): void {
  const ofBot = (['bot', 'target', ...Object.keys(details)] as const).find(
    (name) => flags[name as keyof InitFlags] !== undefined,
  );
  const from = typeof flags.import === 'string' ? '--import' : undefined;
  const ways = [
    flags.answers === undefined ? undefined : '--answers',
    from,
    ofBot === undefined ? undefined : `--${ofBot}`,
    from === undefined || flags.questions === undefined ? undefined : '--questions',
  ].filter((way) => way !== undefined);
  const [first, second] = ways;
  if (first !== undefined && second !== undefined) throw contradiction(first, second);
}

function contradiction(one: string, other: string): TouchstoneError {
  const what = [one, other].every((flag) => flag !== '--answers' && flag !== '--import')
    ? 'two bots'
    : 'two ways to begin';
  return new TouchstoneError('usage-invalid', `\`${one}\` and \`${other}\` are ${what}; give one.`, {
    remedy: 'See `touchstone init --help`.',
  });
}

/** Checks the address of a bot. Throws `usage-invalid`. */
export function checkAddress(url: string): void {
  const address = URL.parse(url.replaceAll(/\{\{[^{}]*\}\}/g, 'x'));
  if (address !== null && /^https?:$/.test(address.protocol)) return;
  throw new TouchstoneError('usage-invalid', `"${url}" is no web address.`, {
    remedy: /^https?:\/\//i.test(url)
      ? 'Write it like this: http://127.0.0.1:8080/chat.'
      : 'Begin it with http:// or https://, such as http://127.0.0.1:8080/chat.',
  });
}

/** Reads the body of a request. Throws `usage-invalid` for what is no JSON, or has no place for the question. */
export function readBody(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new TouchstoneError('usage-invalid', 'The body of a request is no JSON.', {
      remedy: 'Write it like this: {"question": "{{input}}"}',
    });
  }
  if (/\{\{(?:input|messages)\}\}/.test(text)) return body;
  throw new TouchstoneError('usage-invalid', 'The body of a request has no place for the question.', {
    remedy: 'Put {{input}} where the question goes: {"question": "{{input}}"}',
  });
}
