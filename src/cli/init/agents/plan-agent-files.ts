import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { type AgentClient, agentClients } from '../beginning.ts';
import { type EditProblem, putEntry, takeEntry } from './edit-json.ts';
import { putTable, takeTable } from './edit-toml.ts';
import { createSkill, isUntouched, readTemplate, type SkillFiles } from './skill-files.ts';
import { pathWithin } from '../../../core/lib/files/path-within.ts';

/** A change of a file. Paths are relative to the project, with slashes. */
export interface FileChange {
  readonly file: string;
  /** The text of the file; null when there is none yet. */
  readonly before: string | null;
  /** The new text; null for a file that is removed. */
  readonly after: string | null;
}

/** The changes that agents need in a project. */
export interface AgentPlan {
  readonly clients: readonly AgentClient[];
  readonly changes: readonly FileChange[];
  /** Files that stay as they are, each with the reason. */
  readonly left: readonly { readonly file: string; readonly why: string }[];
  /** A line that the user may add to a file, which is not edited. */
  readonly toAdd?: { readonly file: string; readonly line: string };
}

/** A project, and what is wanted in it. */
export interface AgentChoice {
  readonly folder: string;
  /** The clients to configure; those whose folders exist by default. */
  readonly clients?: readonly AgentClient[];
  /** True to take back what was written. */
  readonly isRemoved?: boolean;
  readonly platform: NodeJS.Platform;
}

/** The folders of the skill: Codex and others read the first, Claude Code the second. */
export const skillFolders = ['.agents/skills/touchstone', '.claude/skills/touchstone'] as const;

/** The files that name the server of each client. */
const configFiles: Readonly<Record<AgentClient, string>> = {
  claude: '.mcp.json',
  codex: '.codex/config.toml',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
};

/**
 * Returns what has to change in a project so that coding agents find Touchstone, or no longer do. Nothing is written. Throws
 * `usage-invalid` for a file that cannot be read as what it should be, and for one that leads out of the project.
 */
export function planAgentFiles(choice: AgentChoice): AgentPlan {
  const { folder, isRemoved = false, platform } = choice;
  const clients = choice.clients ?? (isRemoved ? agentClients : findClients(folder));
  const read = (file: string): string | null => readInside(folder, file);
  const edits = [
    editSection(read('AGENTS.md'), isRemoved),
    ...skillFolders.flatMap((skill) => editSkill(skill, { folder, isRemoved })),
    ...clients.map((client) => editConfig(client, { text: read(configFiles[client]), isRemoved, platform })),
  ];
  return {
    clients,
    changes: edits.flatMap((edit) => ('why' in edit || edit.before === edit.after ? [] : [edit])),
    left: edits.flatMap((edit) => ('why' in edit ? [edit] : [])),
    ...(!isRemoved && needsLine(folder) && { toAdd: { file: 'CLAUDE.md', line: '@AGENTS.md' } }),
  };
}

/** Returns the clients that are used in a project. The skill of ours alone does not make it one of Claude Code. */
function findClients(folder: string): AgentClient[] {
  const isUsed: Readonly<Record<AgentClient, boolean>> = {
    claude:
      ['CLAUDE.md', '.mcp.json'].some((file) => existsSync(path.join(folder, file))) ||
      namesIn(path.join(folder, '.claude')).some(
        (name) =>
          name !== 'skills' ||
          namesIn(path.join(folder, '.claude', 'skills')).some((skill) => skill !== 'touchstone'),
      ),
    codex: existsSync(path.join(folder, '.codex')),
    cursor: existsSync(path.join(folder, '.cursor')),
    vscode: existsSync(path.join(folder, '.vscode')),
  };
  return agentClients.filter((client) => isUsed[client]);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Reads a file of the project; null when there is none. Throws `usage-invalid` when it is elsewhere, or cannot be read. */
function readInside(folder: string, file: string): string | null {
  const root = realpathSync(existing(folder));
  const full = path.join(folder, file);
  try {
    const real = realpathSync(existing(full));
    if (pathWithin(root, real) === undefined)
      throw refusal(`\`${file}\` leads out of this project, to ${real}`);
    return existsSync(full) ? readFileSync(full, 'utf8') : null;
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    throw refusal(`\`${file}\` cannot be read: ${messageOf(error)}`);
  }
}

/** Returns the nearest folder of a path, or the path itself, that exists; a link exists also when its end does not. */
function existing(full: string): string {
  return lstatSync(full, { throwIfNoEntry: false }) === undefined ? existing(path.dirname(full)) : full;
}

function refusal(problem: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', `${problem}; nothing was written.`, {
    remedy: 'Correct the file, or leave it out: name the clients after `--agents`.',
  });
}

type Edit = FileChange | { readonly file: string; readonly why: string };

/** A file of a client that names its MCP servers, and what it should name. */
interface ConfigEdit {
  readonly text: string | null;
  readonly isRemoved: boolean;
  readonly platform: NodeJS.Platform;
}

function editConfig(client: AgentClient, { text, isRemoved, platform }: ConfigEdit): Edit {
  const file = configFiles[client];
  if (isRemoved && text === null) return { file, before: null, after: null };
  const before = text ?? '';
  const own = startOf(platform);
  // What was written on another system is taken back here as well.
  const all = [startOf('linux'), startOf('win32')];
  let after: string | undefined | EditProblem;
  if (client === 'codex') {
    const name = ['mcp_servers', 'touchstone'];
    after = isRemoved ? takeTable(before, name, all.map(tomlOf)) : putTable(before, name, tomlOf(own));
  } else {
    const group = client === 'vscode' ? 'servers' : 'mcpServers';
    const valueOf = (start: Start): object => (client === 'vscode' ? { type: 'stdio', ...start } : start);
    const isBlank = before.replace('\uFEFF', '').trim() === '';
    after = isRemoved
      ? isBlank
        ? undefined
        : takeEntry(before, { group, name: 'touchstone', values: all.map(valueOf) })
      : putEntry(isBlank ? '{}\n' : before, { group, name: 'touchstone', value: valueOf(own) });
  }
  if (typeof after === 'object') throw refusal(`\`${file}\` ${after.problem}`);
  if (after === undefined) {
    return { file, why: isRemoved ? 'has no entry of ours' : 'has an entry `touchstone` already' };
  }
  return { file, before: text, after: isRemoved && after.trim() === '' ? null : after };
}

/** The command that starts the server. */
interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns how the server is started: on Windows, npx is a script that only the shell finds. */
function startOf(platform: NodeJS.Platform): Start {
  const args = ['--no-install', 'touchstone', 'mcp'];
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

function tomlOf({ command, args }: Start): string[] {
  const list = args.map((word) => JSON.stringify(word)).join(', ');
  return [`command = ${JSON.stringify(command)}`, `args = [${list}]`, 'tool_timeout_sec = 60'];
}

const sectionBegin = '<!-- touchstone -->';
const sectionEnd = '<!-- /touchstone -->';

/** Puts our section into AGENTS.md, in place of the one that is there, or takes it out. */
function editSection(text: string | null, isRemoved: boolean): FileChange {
  const file = 'AGENTS.md';
  const before = text ?? '';
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const section = readTemplate(file).trimEnd().replaceAll('\n', lineEnd);
  const lines = before.split('\n').map((line) => line.trimEnd());
  const [from, to] = [lines.indexOf(sectionBegin), lines.lastIndexOf(sectionEnd)];
  if (from < 0 && to < 0) {
    if (isRemoved) return { file, before: text, after: text };
    const gap = before.trim() === '' ? '' : before.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
    return { file, before: text, after: `${before}${gap}${section}${lineEnd}` };
  }
  if (from < 0 || to < from) {
    const line = Math.max(from, to) + 1;
    throw refusal(
      `\`${file}\` line ${line} is one end of the section of Touchstone, and the other is missing`,
    );
  }
  const raw = before.split('\n');
  const above = raw.slice(0, from).join('\n');
  const below = raw.slice(to + 1).join('\n');
  if (!isRemoved) {
    const begun = from === 0 ? '' : `${above}\n`;
    return { file, before: text, after: begun + section + (to + 1 < raw.length ? lineEnd + below : '') };
  }
  const kept = [above.trimEnd(), below.trim()].filter((part) => part !== '').join(lineEnd + lineEnd);
  return { file, before: text, after: kept === '' ? null : `${kept}${lineEnd}` };
}

/** Writes or removes one copy of the skill. A copy that somebody edited stays. */
function editSkill(skill: string, { folder, isRemoved }: Pick<AgentChoice, 'folder' | 'isRemoved'>): Edit[] {
  const own = createSkill();
  const present = readSkill(skill, folder);
  const isThere = Object.keys(present).length > 0;
  if (isRemoved === true && !isThere) return [];
  if (isThere && !isUntouched(present))
    return [{ file: `${skill}/`, why: 'was written or edited by somebody else' }];
  const names = new Set([...Object.keys(own), ...Object.keys(present)]);
  return [...names].map((name) => ({
    file: `${skill}/${name}`,
    before: present[name] ?? null,
    after: isRemoved === true ? null : (own[name] ?? null),
  }));
}

/** Reads all files of a copy of the skill. */
function readSkill(skill: string, folder: string): SkillFiles {
  // Also when there is nothing to read: the folder may lead elsewhere.
  readInside(folder, `${skill}/SKILL.md`);
  readInside(folder, `${skill}/references/metrics.md`);
  const names = ['', 'references/'].flatMap((inner) =>
    namesIn(path.join(folder, skill, inner)).map((name) => `${inner}${name}`),
  );
  const files = names.filter((name) => name !== 'references');
  return Object.fromEntries(files.map((name) => [name, readInside(folder, `${skill}/${name}`) ?? '']));
}

/** Returns whether Claude Code reads a CLAUDE.md that does not lead to AGENTS.md. */
function needsLine(folder: string): boolean {
  const [claude, agents] = ['CLAUDE.md', 'AGENTS.md'].map((name) => path.join(folder, name));
  if (claude === undefined || agents === undefined || !existsSync(claude)) return false;
  if (existsSync(agents) && realpathSync(claude) === realpathSync(agents)) return false;
  return !/^\s*@(?:\.\/)?AGENTS\.md\s*$/m.test(readFileSync(claude, 'utf8'));
}
