import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router';
import { z } from 'zod';
import { plainSearch, shared, text } from './addresses.ts';
import { CaughtError, NotFound } from './layout/failed-pages.tsx';
import { ReportFrame } from './layout/report-frame.tsx';
import { CasePage } from './pages/case/case-page.tsx';
import { ComparePage } from './pages/compare/compare-page.tsx';
import { PreferencesPage } from './pages/compare/preference-section.tsx';
import { MatrixPage } from './pages/matrix/matrix-page.tsx';
import { CasesPage } from './pages/report/cases-page.tsx';
import { ReportedCases } from './pages/report/reported-cases.tsx';
import { RunPage } from './pages/run/run-page.tsx';

// The pages of a report in one file, under the addresses that they have in the dashboard, behind the `#` of the file's address.

const root = createRootRoute({ component: ReportFrame });

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  validateSearch: shared.run,
  component: () => <RunPage questions={<ReportedCases />} />,
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
  validateSearch: shared.oneCase,
  component: CasePage,
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: shared.compare,
  component: ComparePage,
});

const matrix = createRoute({
  getParentRoute: () => root,
  path: '/matrix',
  validateSearch: shared.matrix,
  component: MatrixPage,
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
  return createRouter({ ...usual(), routeTree: root.addChildren([start, run, cases, oneCase, matrix]) });
}

/** Creates the router of a report on two runs. */
export function createComparisonRouter(runs: { readonly a: string; readonly b: string }) {
  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      // oxlint-disable-next-line typescript/only-throw-error -- the router expects it
      throw redirect({ to: '/compare', search: { a: runs.a, b: runs.b }, replace: true });
    },
  });
  return createRouter({ ...usual(), routeTree: root.addChildren([start, compare]) });
}

/** Creates the router of a matrix. */
export function createMatrixRouter(columns: string) {
  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      // oxlint-disable-next-line typescript/only-throw-error -- the router expects it
      throw redirect({ to: '/matrix', search: { columns }, replace: true });
    },
  });
  return createRouter({ ...usual(), routeTree: root.addChildren([start, matrix]) });
}

const preferences = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: shared.compare,
  component: PreferencesPage,
});

/** Creates the router of a comparison of answers in pairs. It has the address that the comparison has in the dashboard. */
export function createPreferencesRouter() {
  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      // oxlint-disable-next-line typescript/only-throw-error -- the router expects it
      throw redirect({ to: '/compare', replace: true });
    },
  });
  return createRouter({ ...usual(), routeTree: root.addChildren([start, preferences]) });
}

/** Returns the settings of all routers; each has a history of its own. */
function usual() {
  return {
    history: createHashHistory(),
    ...plainSearch,
    defaultErrorComponent: CaughtError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  };
}
