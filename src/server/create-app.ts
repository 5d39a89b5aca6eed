import { Hono } from 'hono';
import { addDashboard, addFailures } from './add-dashboard.ts';
import type { Assets } from './assets.ts';
import { guardIngest } from './ingest-access.ts';
import { addFeedbackIngest } from './ingest-feedback.ts';
import { addTraceIngest, tracesPath } from './ingest-traces.ts';
import { guardAccess, type LocalAccess } from './local-access.ts';
import type { RouteContext } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import { createShownAnswers } from './shown-answers.ts';

/** The parts of the server. */
export interface AppParts extends Omit<RouteContext, 'shown'> {
  readonly assets: Assets;
  readonly access: LocalAccess;
  /** The token with which programs send records; without one, they cannot. */
  readonly ingestToken?: string;
  /** Receives faults that are bugs of Touchstone, for standard error. */
  readonly onFault?: (fault: unknown) => void;
}

/** Creates the server of the dashboard: the built page, and the data that it shows. */
export function createApp({ assets, access, ingestToken, onFault, ...parts }: AppParts): Hono {
  const context = { ...parts, shown: createShownAnswers(parts.openStore) };
  const app = new Hono();
  app.use(securityHeaders);
  if (ingestToken !== undefined) {
    // Before the access of pages: programs have a token, and no cookie.
    for (const path of ['/api/feedback', tracesPath])
      app.use(path, guardIngest({ token: ingestToken, port: access.port }));
    addFeedbackIngest(app, context);
    addTraceIngest(app, context);
  }
  app.use(guardAccess(access));
  addDashboard(app, { context, assets });
  addFailures(app, onFault, 'local');
  return app;
}
