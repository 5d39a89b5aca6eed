import { findRun } from '../../queries/runs.ts';
import type { Store } from '../../stores/store.ts';
import { type ServeFlags, servePages } from '../serve-pages.ts';

/**
 * Runs `touchstone view [run]`: serves the dashboard to this machine until the user interrupts it, and opens it in the
 * browser. Returns the exit code.
 */
export async function viewCommand(given: string | undefined, flags: ServeFlags): Promise<number> {
  const findPath = async (openStore: () => Promise<Store>) =>
    given === undefined ? '/' : `/runs/${(await findRun(await openStore(), given)).id}`;
  return await servePages({ title: 'The dashboard', findPath }, flags);
}
