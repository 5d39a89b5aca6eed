import type { CaseNames, PlannedCase } from '../../schema/result.ts';
import type { Database } from './database.ts';
import type { OpenRun } from './open-run.ts';
import { createPageTable } from './pages/page-table.ts';
import { ordinalAt, pageOf, placeOf, placesPerPage } from './pages/place.ts';
import type { Slots } from './pages/slots.ts';

/** A case as it is kept: its position is its place. */
export type KeptCase = Omit<PlannedCase, 'position'>;

/** The cases of all runs. */
export function createCaseTable(database: Database) {
  const pages = createPageTable<KeptCase>(database, 'cases', isBody);

  /** What `read` gives of every page, with the position of the page's first case. */
  function* eachPage(
    run: OpenRun,
    read: 'read' | 'readHeads',
  ): Generator<[position: number, cases: Slots<KeptCase>]> {
    for (const page of pages.pages(run.trials)) {
      yield [ordinalAt(page), pages[read](page, page + placesPerPage - 1)];
    }
  }

  /** Cases at some positions; a page is read once for all of them that are on it. */
  function* somePages(run: OpenRun, positions: readonly number[]): Generator<PlannedCase[]> {
    const byPage = Map.groupBy(positions, (position) => pageOf(placeOf(run.trials, position)));
    for (const onPage of byPage.values()) {
      const from = placeOf(run.trials, onPage[0] as number);
      const cases = pages.read(from, placeOf(run.trials, onPage.at(-1) as number));
      yield onPage.flatMap((position) => {
        const kept = cases[placeOf(run.trials, position) - from];
        return kept === undefined ? [] : { position, ...kept };
      });
    }
  }

  return {
    pages,
    *pagesOf(run: OpenRun, positions?: readonly number[]): Generator<PlannedCase[]> {
      if (positions !== undefined) {
        yield* somePages(run, positions);
        return;
      }
      for (const [first, cases] of eachPage(run, 'read')) {
        yield cases.flatMap((kept, index) =>
          kept === undefined ? [] : { position: first + index, ...kept },
        );
      }
    },
    add: (run: OpenRun, cases: readonly PlannedCase[]): void => {
      pages.add(
        cases.map((planned) => ({
          place: placeOf(run.trials, planned.position),
          value: { ...planned, position: undefined },
        })),
      );
    },
    find: (run: OpenRun, caseId: string): PlannedCase | undefined => {
      for (const [first, cases] of eachPage(run, 'readHeads')) {
        const position = first + cases.findIndex((kept) => kept?.case.id === caseId);
        if (position < first) continue;
        const place = placeOf(run.trials, position);
        return { position, ...(pages.read(place, place)[0] as KeptCase) };
      }
      return undefined;
    },
    *namesOf(run: OpenRun): Generator<CaseNames[]> {
      for (const [, cases] of eachPage(run, 'readHeads')) {
        yield cases.flatMap((kept) => (kept === undefined ? [] : kept.case));
      }
    },
  };
}

export type CaseTable = ReturnType<typeof createCaseTable>;

const heads: ReadonlySet<string> = new Set<keyof CaseNames>(['id', 'category', 'cluster']);

/** All but the names under which reports count a case, and whether it depends on others. */
function isBody(path: readonly string[]): boolean {
  return path[0] !== 'case' || (path[1] !== undefined && !heads.has(path[1]));
}
