import { recordEvent } from '../../../privacy/accounts/audit.ts';
import {
  openPlacedStore,
  openStoreOfProject,
  type PlacedStore,
} from '../../../library/config/open-store-of.ts';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { applyRetention, type RetainedProject } from '../../../privacy/retention/apply-retention.ts';
import { readRetention, retainedKinds, setRetention } from '../../../privacy/retention/settings.ts';
import type { Store } from '../../../stores/store.ts';
import { readGitPerson } from '../../git-person.ts';
import { findWritableStore } from '../../open-store.ts';
import { claimStdout } from '../../output.ts';

interface ServerFlags {
  readonly store?: string;
  readonly project: string;
  readonly json?: boolean;
}

/** Opens the stores of the projects of a server, one of each, and closes them all. */
export function createProjectStores(place: PlacedStore, home: Store) {
  const opened = new Map<string, Promise<Store>>([['main', Promise.resolve(home)]]);
  const openProject = async (project: string): Promise<Store> => {
    const store = opened.get(project) ?? openStoreOfProject(place, project);
    opened.set(project, store);
    return await store;
  };
  const close = async () => {
    for (const store of opened.values()) await (await store).close();
  };
  return { openProject, close };
}

/** Uses the store of a server and those of its projects, and prints the result. Returns the exit code. */
async function withProjects(
  flags: Pick<ServerFlags, 'store'>,
  use: (stores: {
    home: Store;
    openProject: (project: string) => Promise<Store>;
    who: string;
  }) => Promise<string>,
): Promise<number> {
  const output = claimStdout();
  const place = await findWritableStore(flags.store);
  const home = openPlacedStore(place);
  const { openProject, close } = createProjectStores(place, home);
  try {
    const person = await readGitPerson(process.cwd());
    const who = person === undefined ? 'command line' : `command line, ${person}`;
    await output.write(await use({ home, openProject, who }));
    return 0;
  } finally {
    await close();
  }
}

/** Runs `touchstone server retention`: removes what is too old, says what would be removed, or changes the times. Returns the exit code. */
export async function retentionCommand(
  flags: ServerFlags & { readonly set?: readonly string[]; readonly dryRun?: boolean },
): Promise<number> {
  const { set = [], project, dryRun: isDry = false } = flags;
  return await withProjects(flags, async ({ home, openProject, who }) => {
    const { accounts } = home;
    if (set.length > 0) {
      const changed = await setRetention(accounts, project, set);
      const details = Object.fromEntries(
        Object.entries(changed).map(([kind, days]) => [kind, days === null ? 'never' : String(days)]),
      );
      const event = { who, address: null, action: 'retention-set', project, object: null };
      await recordEvent(accounts, { ...event, details });
      const days = await readRetention(accounts, project);
      return flags.json === true ? jsonDocument({ project, days }) : `${describeDays(project, days)}\n`;
    }
    const projects = await applyRetention({ home, openProject, who, isDry });
    if (flags.json === true) return jsonDocument({ isDry, projects });
    return projects.map((each) => describeProject(each, isDry)).join('');
  });
}

function describeDays(project: string, days: RetainedProject['days']): string {
  const times = retainedKinds.map(
    (kind) => `${kind} ${days[kind] === null ? 'for ever' : `${days[kind]} days`}`,
  );
  return `${project} keeps ${times.join(', ')}.`;
}

function describeProject({ project, days, removed, kept }: RetainedProject, isDry: boolean): string {
  const counts = Object.entries(removed)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind === 'audit' ? 'entries of the audit log' : kind}`);
  return [
    describeDays(project, days),
    `${isDry ? 'Would remove' : 'Removed'} ${counts.length === 0 ? 'nothing' : counts.join(', ')}.`,
    ...kept.map(({ run, why }) => `  kept ${toTerminalText(run)}: ${toTerminalText(why)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Runs `touchstone server hold`: puts runs under a legal hold, or releases them. Returns the exit code. */
export async function holdCommand(
  names: readonly string[],
  flags: ServerFlags & { readonly tag: string; readonly release?: boolean },
): Promise<number> {
  const { tag, release: isRelease = false, project } = flags;
  return await withProjects(flags, async ({ home, openProject, who }) => {
    const store = await openProject(project);
    const lines: string[] = [];
    for (const name of names) {
      const { id } = await findRun(store, name);
      await using _claim = await store.claimRun(id);
      const { holds: before = [], ...run } = (await store.readRun(id)) ?? (await findRun(store, id));
      const holds = [...before.filter((each) => each !== tag), ...(isRelease ? [] : [tag])];
      await store.updateRun({ ...run, ...(holds.length > 0 && { holds }) });
      const action = isRelease ? 'run-release' : 'run-hold';
      await recordEvent(home.accounts, { who, address: null, action, project, object: id, details: { tag } });
      lines.push(
        holds.length === 0
          ? `${id} is no longer under a legal hold.\n`
          : `${id} is under a legal hold: ${holds.map(toTerminalText).join(', ')}.\n`,
      );
    }
    return lines.join('');
  });
}
