import { findWritableStore, refuseMissing } from '../library/api/open-store.ts';
import { openPlacedStore, openStoreOfProject, type PlacedStore } from '../library/config/open-store-of.ts';
import { mainProject } from '../privacy/accounts/accounts.ts';
import type { Store, StoreOpening } from '../stores/store.ts';
import { readGitPerson } from './git-person.ts';

/** The stores of a server: its own, which is the store of the project `main`, and the stores of its other projects. */
export interface ServerProjects {
  readonly home: Store;
  /** Opens the store of a project, once. */
  openProject(project?: string): Promise<Store>;
  /** The name of the person at this machine, for the audit log. */
  readonly who: string;
}

/**
 * Uses the stores of a server, and closes them again. Throws `store-not-found` where a folder without a store is named, unless
 * `creates` says that one may begin.
 */
export async function withProjects<Result>(
  { store, creates = false }: { readonly store?: string; readonly creates?: boolean },
  use: (projects: ServerProjects) => Promise<Result>,
): Promise<Result> {
  if (!creates) refuseMissing({ store });
  const place = await findWritableStore({ store });
  const opening = creates ? 'create' : 'existing';
  const home = openPlacedStore(place, opening);
  const { openProject, close } = createProjectStores(place, home, opening);
  try {
    const person = await readGitPerson(process.cwd());
    const who = person === undefined ? 'command line' : `command line, ${person}`;
    return await use({ home, openProject, who });
  } finally {
    await close();
  }
}

/** Opens the stores of the projects of a server, one of each, and closes them all. */
export function createProjectStores(place: PlacedStore, home: Store, opening: StoreOpening = 'create') {
  const opened = new Map<string, Promise<Store>>([[mainProject, Promise.resolve(home)]]);
  const openProject = async (project: string = mainProject): Promise<Store> => {
    const store = opened.get(project) ?? openStoreOfProject(place, project, opening);
    opened.set(project, store);
    return await store;
  };
  const close = async () => {
    for (const store of opened.values()) await (await store).close();
  };
  return { openProject, close };
}
