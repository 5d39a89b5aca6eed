import { findTask } from '../../../people/reviews/read-view.ts';
import { type ServeFlags, servePages } from '../../serve-pages.ts';

/**
 * Runs `touchstone review open [task]`: serves the dashboard to this machine until the user interrupts it, and opens the page on
 * which people label answers. Returns the exit code.
 */
export async function reviewOpenCommand(taskId: string | undefined, flags: ServeFlags): Promise<number> {
  return await servePages(
    {
      title: 'The review',
      findPath: async (openStore) => {
        const { id } = await findTask((await openStore()).reviews, taskId);
        return `/reviews/${encodeURIComponent(id)}`;
      },
    },
    flags,
  );
}
