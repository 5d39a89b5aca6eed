import type { Database } from './database.ts';
import type { OpenRun } from './open-run.ts';
import type { PageTable } from './pages/page-table.ts';

type AnyPages = Pick<PageTable<unknown>, 'scatteredPages' | 'gather'>;

/**
 * Puts together what a run has left in many pieces, and gives the room back. Each page is a transaction of its own: it can
 * end anywhere, and others can write in between.
 */
export function tidyRun(
  database: Database,
  run: OpenRun,
  { cases, trials, scores }: Readonly<Record<'cases' | 'trials' | 'scores', AnyPages>>,
): void {
  const tables = [
    [cases, run.trials],
    [trials, run.trials],
    [scores, run.number],
  ] as const;
  for (const [pages, number] of tables) {
    for (const page of pages.scatteredPages(number)) database.write(() => pages.gather(page));
  }
  database.shrink();
}
