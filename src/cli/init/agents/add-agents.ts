import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { packageName } from '../../../core/own-package.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { linesOf, type LineEdit, unifiedDiff } from '../../../cases/proposals/unified-diff.ts';
import { writeFile } from '../../../library/api/write-file.ts';
import { configFileNames } from '../../../library/config/load-config.ts';
import type { Output } from '../../output.ts';
import type { PlannedFile } from '../create-files.ts';
import { goTo, ownCommand } from '../next-step.ts';
import type { AgentClient, InitFlags } from '../beginning.ts';
import { type AgentPlan, type FileChange, planAgentFiles, skillFolders } from './plan-agent-files.ts';

/**
 * Writes what coding agents need into a project: a section of AGENTS.md, the skill, and the files that start `touchstone mcp`; or
 * takes it back, or shows what would change. Returns the exit code.
 */
export async function addAgents(flags: InitFlags, output: Output): Promise<number> {
  const { agents, dryRun: isDryRun = false, remove: isRemoved = false } = flags;
  const folder = path.resolve(flags.folder);
  const plan = planAgentFiles({
    folder,
    clients: typeof agents === 'object' ? agents : undefined,
    isRemoved,
    platform: process.platform,
  });
  if (!isDryRun) await writeChanges(folder, plan.changes);
  const { clients, left, toAdd } = plan;
  const files = (isGone: boolean): string[] =>
    plan.changes.filter(({ after }) => (after === null) === isGone).map(({ file }) => file);
  const result = { folder, clients, written: files(false), removed: files(true), left, toAdd, isDryRun };
  return await output.print(flags.json, result, () =>
    isDryRun ? formatDiff(plan) : formatPlan(plan, { folder, isRemoved }),
  );
}

/** Returns what coding agents need as files of a new project; AGENTS.md speaks for all of them in its list. */
export function planForProject(folder: string, clients?: readonly AgentClient[]): PlannedFile[] {
  const { changes } = planAgentFiles({ folder, clients, platform: process.platform });
  return changes.map(({ file, before, after }) => ({
    name: file,
    text: after ?? '',
    meaning:
      file === 'AGENTS.md'
        ? 'how coding agents evaluate here; with a skill in .agents/ and .claude/'
        : (meanings[file] ?? ''),
    isChanged: before !== null,
    isListed: !skillFolders.some((skill) => file.startsWith(skill)),
  }));
}

/** Writes all changes, or none: those that were made are undone when one cannot be. Throws `output-unwritable`. */
async function writeChanges(folder: string, changes: readonly FileChange[]): Promise<void> {
  const made: FileChange[] = [];
  try {
    for (const change of changes) {
      await apply(folder, change);
      made.push(change);
    }
  } catch (error) {
    for (const { file, before, after } of made) await apply(folder, { file, before: after, after: before });
    if (!(error instanceof TouchstoneError)) throw error;
    throw new TouchstoneError(error.code, `${error.message} Nothing was written.`, { cause: error });
  }
}

async function apply(folder: string, { file, after }: FileChange): Promise<void> {
  const full = path.join(folder, file);
  if (after !== null) {
    makeFolderOf(full);
    return await writeFile(full, [after]);
  }
  rmSync(full, { force: true });
  removeEmpty(path.dirname(full), folder);
}

function makeFolderOf(full: string): void {
  try {
    mkdirSync(path.dirname(full), { recursive: true });
  } catch (error) {
    throw new TouchstoneError('output-unwritable', `${displayPath(full)} cannot be written.`, {
      cause: error,
    });
  }
}

/** Removes the folders between a removed file and the project that are empty now. */
function removeEmpty(emptied: string, folder: string): void {
  for (let at = emptied; at !== folder; at = path.dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
  }
}

const meanings: Readonly<Record<string, string>> = {
  'AGENTS.md': 'how to evaluate here, for every coding agent',
  [`${skillFolders[0]}/`]: 'the skill, with metrics, filters, config and errors: Codex and others',
  [`${skillFolders[1]}/`]: 'the same for Claude Code',
  '.mcp.json': 'starts `touchstone mcp` for Claude Code',
  '.codex/config.toml': 'starts `touchstone mcp` for Codex, in a project that it trusts',
  '.cursor/mcp.json': 'starts `touchstone mcp` for Cursor',
  '.vscode/mcp.json': 'starts `touchstone mcp` for VS Code',
};

function formatPlan(
  { changes, left, toAdd, clients }: AgentPlan,
  { folder, isRemoved }: { readonly folder: string; readonly isRemoved: boolean },
): string {
  const names = [
    ...new Set(
      changes.map(
        ({ file }) =>
          skillFolders.map((skill) => `${skill}/`).find((skill) => file.startsWith(skill)) ?? file,
      ),
    ),
  ];
  const width = Math.max(0, ...[...names, ...left.map(({ file }) => file)].map((name) => name.length));
  const rows = names.map((name) => `  ${name.padEnd(width)}  ${isRemoved ? '' : meanings[name]}`.trimEnd());
  const kept = left.map(({ file, why }) => `  ${file.padEnd(width)}  ${why}`);
  const verb = isRemoved ? 'Taken back from' : 'Wrote to';
  const done =
    rows.length === 0
      ? [`Nothing to ${isRemoved ? 'take back' : 'write'} in ${displayPath(folder)}.`]
      : [`${verb} ${displayPath(folder)}:`, ...rows];
  return `${[
    ...done,
    ...(kept.length === 0 ? [] : ['Left as they are:', ...kept]),
    ...(toAdd === undefined
      ? []
      : ['', `Claude Code reads ${toAdd.file} in place of AGENTS.md. Add this line to it: ${toAdd.line}`]),
    ...(isRemoved ? [] : ['', ...nextSteps(folder, clients)]),
  ].join('\n')}\n`;
}

/** Says what to do next: name a client where none was found, make a project where there is none, ask the agent. */
function nextSteps(folder: string, clients: readonly AgentClient[]): string[] {
  const own = ownCommand(folder);
  const command = `${goTo(folder)}${own}`;
  const isFound = !own.startsWith('node ');
  const missing = isFound
    ? []
    : [
        `\`npx --no-install touchstone\` finds nothing here yet, and agents call it so. Install ${packageName} in this project, or link it: npm link`,
      ];
  const tools =
    clients.length > 0
      ? []
      : [
          `To give an agent the tools as well, name it: ${command} init --agents claude (or codex, cursor, vscode)`,
        ];
  const hasConfig = configFileNames.some((name) => existsSync(path.join(folder, name)));
  const project = hasConfig ? [] : [`There is no config here yet: ${command} init`];
  const ask = 'Then ask your agent: "Evaluate the bot of this project, and explain what failed."';
  return [...tools, ...project, ...missing, ask];
}

function formatDiff({ changes }: AgentPlan): string {
  const parts = changes.map(({ file, before, after }) =>
    after === null ? `removed: ${file}\n` : unifiedDiff(file, before, editBetween(before ?? '', after)),
  );
  const text = parts.length === 0 ? 'Nothing would change.\n' : parts.join('');
  // Tabs and line ends stay, so that `git apply` takes it; whatever else could control a terminal is escaped.
  const parted = text.split(/(\t|\r?\n)/);
  return parted.map((piece, place) => (place % 2 === 1 ? piece : toTerminalText(piece))).join('');
}

/** Returns the one change that makes a text of another: the lines between what both begin and end with. */
function editBetween(before: string, after: string): LineEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end))
    end += 1;
  return [{ at: start, removed: old.length - end - start, added: now.slice(start, now.length - end) }];
}
