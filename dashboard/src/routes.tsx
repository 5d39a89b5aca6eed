import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { periodLengths, saidChoices } from '../../src/core/schema/api/record-counts.ts';
import { plainSearch, shared, text } from './addresses.ts';
import { Frame } from './layout/frame.tsx';
import { CaughtError, NotFound } from './layout/failed-pages.tsx';
import { Skeleton } from './parts/skeleton.tsx';

// Every page: its address, the parameters that its address may have, and the file that is loaded when it is opened.

const root = createRootRoute({ component: Frame });

const runs = createRoute({
  getParentRoute: () => root,
  path: '/',
  // `pick` holds the ids of the runs that are picked, with a comma between them.
  validateSearch: z.object({ dataset: text, target: text, branch: text, pick: text }),
  component: lazyRouteComponent(() => import('./pages/runs/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  validateSearch: shared.run,
  component: lazyRouteComponent(() => import('./pages/run/run-page.tsx'), 'RunPage'),
});

const datasets = createRoute({
  getParentRoute: () => root,
  path: '/datasets',
  component: lazyRouteComponent(() => import('./pages/datasets/datasets-page.tsx'), 'DatasetsPage'),
});

const dataset = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$name',
  component: lazyRouteComponent(() => import('./pages/dataset/dataset-page.tsx'), 'DatasetPage'),
});

const caseHistory = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$name/cases/$id',
  component: lazyRouteComponent(
    () => import('./pages/case-history/case-history-page.tsx'),
    'CaseHistoryPage',
  ),
});

const cases = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/cases',
  validateSearch: z.object({
    where: text,
    sort: text,
    /** The text that is searched for. */
    text,
    columns: text,
    /** The ordinal of the case that has the focus. */
    at: z.coerce.number().int().nonnegative().optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./pages/cases/cases-page.tsx'), 'CasesPage'),
});

const oneCase = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/cases/$ordinal',
  validateSearch: shared.oneCase,
  component: lazyRouteComponent(() => import('./pages/case/case-page.tsx'), 'CasePage'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: shared.compare,
  component: lazyRouteComponent(() => import('./pages/compare/compare-page.tsx'), 'ComparePage'),
});

const matrix = createRoute({
  getParentRoute: () => root,
  path: '/matrix',
  validateSearch: shared.matrix,
  component: lazyRouteComponent(() => import('./pages/matrix/matrix-page.tsx'), 'MatrixPage'),
});

const gate = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/gate',
  // The target and the difference, in percentage points, that the section on sizes is about.
  validateSearch: z.object({
    target: text,
    difference: z.coerce.number().gt(0).lte(100).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./pages/gate/gate-page.tsx'), 'GatePage'),
});

const tools = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/tools',
  validateSearch: z.object({ target: text }),
  component: lazyRouteComponent(() => import('./pages/tools/tools-page.tsx'), 'ToolsPage'),
});

const grid = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run/grid',
  // `of` is the target whose settings vary, `across` the setting of the columns, `where` the levels of others: `prompt=long&temperature=0`, `within` the points by
  // which a cheaper combination may be worse.
  validateSearch: z.object({
    of: text,
    across: text,
    where: text,
    within: z.coerce.number().min(0).lt(100).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./pages/grid/grid-page.tsx'), 'GridPage'),
});

const judges = createRoute({
  getParentRoute: () => root,
  path: '/judges',
  component: lazyRouteComponent(() => import('./pages/judges/judges-page.tsx'), 'JudgesPage'),
});

const judge = createRoute({
  getParentRoute: () => root,
  path: '/judges/$judge',
  component: lazyRouteComponent(() => import('./pages/judge/judge-page.tsx'), 'JudgePage'),
});

const feedback = createRoute({
  getParentRoute: () => root,
  path: '/feedback',
  // `by` is the length of the periods; `period`, `category` and `said` choose the answers in the list.
  validateSearch: z.object({
    by: z.enum(periodLengths).optional().catch(undefined),
    target: text,
    period: text,
    category: text,
    said: z.enum(saidChoices).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./pages/feedback/feedback-page.tsx'), 'FeedbackPage'),
});

const modes = createRoute({
  getParentRoute: () => root,
  path: '/modes',
  validateSearch: z.object({ run: text, target: text }),
  component: lazyRouteComponent(() => import('./pages/modes/modes-page.tsx'), 'ModesPage'),
});

const reviews = createRoute({
  getParentRoute: () => root,
  path: '/reviews',
  component: lazyRouteComponent(() => import('./pages/reviews/reviews-page.tsx'), 'ReviewsPage'),
});

const review = createRoute({
  getParentRoute: () => root,
  path: '/reviews/$task',
  // An adjudicator is offered the disputes. The name of the person is in no address.
  validateSearch: z.object({ role: z.literal('adjudicator').optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./pages/review/review-page.tsx'), 'ReviewPage'),
});

const proposals = createRoute({
  getParentRoute: () => root,
  path: '/proposals',
  // `at` is the id of the proposal on the screen; the name of the person is in no address.
  validateSearch: z.object({ at: text }),
  component: lazyRouteComponent(() => import('./pages/proposals/proposals-page.tsx'), 'ProposalsPage'),
});

const traces = createRoute({
  getParentRoute: () => root,
  path: '/traces',
  validateSearch: z.object({ text }),
  component: lazyRouteComponent(() => import('./pages/traces/traces-page.tsx'), 'TracesPage'),
});

const trace = createRoute({
  getParentRoute: () => root,
  path: '/traces/$trace',
  component: lazyRouteComponent(() => import('./pages/trace/trace-page.tsx'), 'TracePage'),
});

/** Creates the router. */
export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([
      runs,
      run,
      datasets,
      dataset,
      caseHistory,
      cases,
      oneCase,
      compare,
      matrix,
      gate,
      tools,
      grid,
      judges,
      judge,
      feedback,
      modes,
      reviews,
      review,
      proposals,
      traces,
      trace,
    ]),
    ...plainSearch,
    defaultPreload: 'intent',
    defaultPendingMs: 0,
    // By itself, the router would hold the skeleton for half a second.
    defaultPendingMinMs: 0,
    defaultPendingComponent: Skeleton,
    defaultErrorComponent: CaughtError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
