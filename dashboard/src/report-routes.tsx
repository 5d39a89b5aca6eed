import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router';
import { z } from 'zod';
import { CaughtError, NotFound } from './layout/failed-pages.tsx';
import { ReportFrame } from './layout/report-frame.tsx';
import { CasePage } from './pages/case/case-page.tsx';
import { CasesPage } from './pages/report/cases-page.tsx';
import { ReportedCases } from './pages/report/reported-cases.tsx';
import { RunPage } from './pages/run/run-page.tsx';

// The pages of a report in one file, under the addresses that they have in the dashboard, behind the `#` of the file's address.

const root = createRootRoute({ component: ReportFrame });

const text = z.string().min(1).optional().catch(undefined);

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  validateSearch: z.object({ target: text }),
  component: () => (
    <>
      <RunPage />
      <ReportedCases />
    </>
  ),
});

const cases = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/cases',
  validateSearch: z.object({ where: text, sort: text }),
  component: CasesPage,
});

const oneCase = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/cases/$ordinal',
  validateSearch: z.object({ where: text, sort: text }),
  component: CasePage,
});

/** Creates the router of a report on a run. */
export function createReportRouter(id: string) {
  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      // oxlint-disable-next-line typescript/only-throw-error -- the router expects it
      throw redirect({ to: '/runs/$run', params: { run: id }, replace: true });
    },
  });
  return createRouter({
    routeTree: root.addChildren([start, run, cases, oneCase]),
    history: createHashHistory(),
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).flatMap(([name, value]) =>
        typeof value === 'string' && value !== '' ? [[name, value]] : [],
      );
      return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
    },
    defaultErrorComponent: CaughtError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}
