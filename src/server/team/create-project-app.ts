import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { matchedRoutes } from 'hono/route';
import { recordEvent } from '../../privacy/accounts/audit.ts';
import type { Permission } from '../../core/schema/account/rights.ts';
import { isAllowed, permissions, type Principal } from '../../privacy/accounts/permissions.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';
import type { Store } from '../../stores/store.ts';
import { addDashboard, addFailures } from '../add-dashboard.ts';
import type { Assets } from '../assets.ts';
import { addFeedbackIngest } from '../ingest-feedback.ts';
import { addTraceIngest } from '../ingest-traces.ts';
import { readBody } from '../route.ts';
import { createShownAnswers } from '../shown-answers.ts';
import { addMcp } from './add-mcp.ts';
import { addRunIntake } from './add-run-intake.ts';
import { addressOfClient, principalOf } from './principal.ts';

/** The parts of the server of one project. */
export interface ProjectParts {
  readonly assets: Assets;
  readonly accounts: AccountStore;
  /** Returns the store of the project: the only one that its routes can reach. */
  readonly openStore: () => Promise<Store>;
  readonly isBehindProxy: boolean;
  /** The size of the largest run that may be sent, in bytes; 4 GB by default. */
  readonly mostRunBytes?: number;
  readonly onFault?: (fault: unknown) => void;
}

/** The size of the largest run that may be sent, in bytes: some hundred thousand answers. */
const usualMostRunBytes = 4_000_000_000;

/** The forms of answers that are compressed: not those that come line by line. */
const compressed = /^(?:application\/json|text\/(?:html|css|javascript))\b/;

/**
 * Creates the dashboard and the data of one project. The server in front of it has found out who sends a request, and passes the
 * answer in the environment.
 */
export function createProjectApp(parts: ProjectParts): Hono {
  const { openStore, assets, onFault } = parts;
  const sender = new AsyncLocalStorage<Principal>();
  const name = () => sender.getStore()?.name;
  const shown = createShownAnswers(openStore, name);
  const context = {
    openStore,
    shown,
    person: async () => name(),
    may: (permission: Permission) => {
      const principal = sender.getStore();
      return principal !== undefined && isAllowed(principal, permission);
    },
    isSignedIn: true,
    isReadingFiles: false,
    isBegunByWorkers: true,
    isRetaining: true,
  };
  const app = new Hono();
  app.use(compress({ contentTypeFilter: compressed }));
  app.use(async ({ env }, next) => await sender.run(principalOf(env), next));
  guardRoutes(app);
  for (const path of ['/api/reviews/*', '/api/proposals/*', '/api/modes/*']) app.use(path, requireOwnName);
  app.use('/api/*', recordChanges(parts), recordExports(parts));
  addFeedbackIngest(app, context);
  addTraceIngest(app, context);
  addMcp(app, { ...parts, may: context.may });
  addRunIntake(app, { ...context, mostRunBytes: parts.mostRunBytes ?? usualMostRunBytes });
  addDashboard(app, { context, assets });
  addFailures(app, onFault);
  requireDeclared(app);
  return app;
}

/** Lets people act only under their own name, and programs only under the id of their token. Throws `access-denied`. */
const requireOwnName: MiddlewareHandler = async ({ req, env }, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return await next();
  const { person } = Object(await readBody(req)) as { readonly person?: unknown };
  const { name } = principalOf(env);
  if (person !== name)
    throw new TouchstoneError(
      'access-denied',
      `You are signed in as ${name}, and can do this only under that name.`,
      {
        remedy: `Send \`person\` as ${JSON.stringify(name)}.`,
      },
    );
  await next();
};

/** The writes that change nothing that lasts: what a person works on now, and what an agent reads. */
const passing = /\/(?:mcp|next|plans|reading|release|reveal|skips)$/;

/** Records every change in the audit log, once it is made. */
function recordChanges(parts: ProjectParts): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { method, path } = context.req;
    const isIngest = path === '/api/feedback';
    if (method === 'GET' || method === 'HEAD' || isIngest || passing.test(path) || !context.res.ok) return;
    // A run that is sent is one change, once it is whole.
    if (context.get('use')?.['whole'] === 'false') return;
    await record(context, parts, `${method} ${path.split('/')[2] ?? ''}`);
  };
}

async function record(
  context: Context,
  { accounts, isBehindProxy }: ProjectParts,
  action: string,
): Promise<void> {
  const { name: who, project } = principalOf(context.env);
  const [address, details] = [addressOfClient(context, isBehindProxy), context.get('use')];
  await recordEvent(accounts, {
    who,
    address,
    action,
    project,
    object: context.req.path,
    ...(details && { details }),
  });
}

/** The routes that send a file to be stored elsewhere. Any other route that does so fails: it must be listed here. */
export const exportRoutes: readonly string[] = [
  'GET /api/blobs/:hash',
  'GET /api/matrix/table',
  'GET /api/run-table',
  'GET /api/runs/:run/report',
  'GET /api/runs/:run/trials/:ordinal/part',
  'GET /api/reviews/:task/items/:item/part',
  'GET /api/reviews/:task/items/:item/:turn/part',
];

/** The forms of answers that are files. Lines of JSON are not among them: the page of a run searches with them. */
const fileTypes = /^(?:text\/(?:csv|html|markdown)|application\/(?:octet-stream|vnd\.apache\.parquet))\b/;

/**
 * Records every file that is sent in the audit log, before it is sent: who got what, and how many records. A file whose entry cannot be written
 * is not sent.
 */
function recordExports(parts: ProjectParts): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { headers, ok } = context.res;
    const isFile = headers.has('content-disposition') || fileTypes.test(headers.get('content-type') ?? '');
    if (!ok || !isFile) return;
    const { method, path } = context.req;
    const isListed = matchedRoutes(context).some((each) =>
      exportRoutes.includes(`${each.method} ${each.path}`),
    );
    if (!isListed) throw new Error(`${method} ${path} sends a file and is not listed as an export.`);
    await record(context, parts, 'export');
  };
}

/** The permission that each route needs, by its method and path. A route that is missing here keeps the server from starting. */
const routePermissions: Readonly<Record<string, Permission>> = {
  'POST /api/feedback': 'ingest',
  'POST /v1/traces': 'ingest',
  'POST /api/projects/:project/mcp': 'read',
  'POST /api/projects/:project/runs': 'run',
  'GET /api/baselines': 'read',
  'POST /api/baselines': 'edit',
  // Reviewers too: they know the hashes of what they are shown, and no others.
  'GET /api/blobs/:hash': 'see-reviews',
  'GET /api/compare': 'read',
  'GET /api/compare/differences': 'read',
  'GET /api/compare/cases': 'read',
  'GET /api/compare/case': 'read',
  'GET /api/matrix': 'read',
  'GET /api/matrix/counts': 'read',
  'GET /api/matrix/table': 'read',
  'GET /api/modes': 'read',
  // Reviewers too, who mark by them: words, and no answers.
  'GET /api/modes/open': 'see-reviews',
  'GET /api/modes/conversations/:task/:item': 'review',
  'GET /api/modes/compare': 'read',
  'POST /api/modes': 'edit',
  'POST /api/modes/marks': 'review',
  'POST /api/modes/reading': 'review',
  'GET /api/run-table': 'read',
  'GET /api/runs/:run/report': 'read',
  'GET /api/datasets': 'read',
  'GET /api/datasets/:name': 'read',
  'GET /api/datasets/:name/lint': 'read',
  'GET /api/datasets/:name/cases/:id': 'read',
  'POST /api/erasures': 'manage',
  'GET /api/events': 'read',
  'GET /api/feedback/size': 'read',
  'GET /api/feedback/summary': 'read',
  'GET /api/feedback/answers': 'read',
  'GET /api/runs/:run/gate': 'read',
  'GET /api/runs/:run/trials/:ordinal/judgements': 'read',
  'GET /api/judges': 'read',
  'GET /api/judges/:judge': 'read',
  'GET /api/runs/:run/trials/:ordinal/place': 'read',
  'GET /api/runs/:run/plan': 'read',
  'GET /api/runs/:run/grid': 'read',
  'GET /api/preferences': 'read',
  'GET /api/preferences/cases': 'read',
  'GET /api/proposals': 'read',
  'POST /api/proposals': 'edit',
  'GET /api/proposals/size': 'read',
  'GET /api/traces': 'read',
  'GET /api/proposals/:proposal': 'read',
  'POST /api/proposals/:proposal/decisions': 'edit',
  'POST /api/reviews/:task/next': 'review',
  'POST /api/reviews/:task/release': 'review',
  'GET /api/reviews/:task/items/:item/part': 'review',
  'GET /api/reviews/:task/items/:item/:turn/part': 'review',
  'POST /api/reviews/:task/labels': 'review',
  'POST /api/reviews/:task/skips': 'review',
  'POST /api/reviews/:task/undo': 'review',
  'POST /api/reviews/:task/reveal': 'review',
  'POST /api/reviews/:task/corrections': 'review',
  'GET /api/reviews': 'see-reviews',
  'POST /api/reviews': 'edit',
  'GET /api/reviews/:task': 'see-reviews',
  'GET /api/runs/:run': 'read',
  'PATCH /api/runs/:run': 'edit',
  'DELETE /api/runs/:run': 'edit',
  'POST /api/runs/:run/stop': 'run',
  'POST /api/runs/:run/plans': 'run',
  'GET /api/asked-runs/:asked': 'run',
  'POST /api/asked-runs/:asked/confirmation': 'run',
  'DELETE /api/asked-runs/:asked': 'run',
  'POST /api/looks': 'look',
  'GET /api/looks/:look': 'look',
  // A job that has the held-out set: who may ask must not be able to answer.
  'POST /api/looks/next': 'run',
  'POST /api/looks/:look/answer': 'run',
  // Reviewers and programs too: it says what each may do.
  'GET /api/rights': 'see-reviews',
  'GET /api/runs': 'read',
  'GET /api/run-values': 'read',
  'GET /api/runs/:run/search': 'read',
  'GET /api/runs/:run/tools': 'read',
  'GET /api/traces/:trace': 'read',
  'GET /api/trends': 'read',
  'GET /api/runs/:run/trials/:ordinal': 'read',
  'GET /api/runs/:run/trials/:ordinal/messages': 'read',
  'GET /api/runs/:run/trials/:ordinal/part': 'read',
  'GET /api/runs/:run/trials/:ordinal/history': 'read',
  'GET /api/runs/:run/trials': 'read',
  'GET /api/runs/:run/facets': 'read',
  'GET /api/runs/:run/values': 'read',
};

/** Lets every route be reached only with its permission. Comes before the routes. */
function guardRoutes(app: Hono): void {
  for (const [route, permission] of Object.entries(routePermissions)) {
    const [method = '', path = ''] = route.split(' ');
    app.on(method, path, requirePermission(permission));
  }
}

function requirePermission(permission: Permission): MiddlewareHandler {
  return async ({ env }, next) => {
    if (!isAllowed(principalOf(env), permission)) {
      const [roles, scopes] = [
        permissions[permission].roles.join(', '),
        permissions[permission].scopes.join(', '),
      ];
      throw new TouchstoneError('access-denied', `This needs the permission \`${permission}\`.`, {
        remedy: `${roles === '' ? 'No person has it' : `People have it as ${roles}`}, tokens by the scope ${scopes}; ask an administrator of the project.`,
      });
    }
    await next();
  };
}

/** Throws an error that ends the start of the server when a route has no permission in the table. Comes after the routes. */
export function requireDeclared({ routes }: Pick<Hono, 'routes'>): void {
  for (const { method, path } of routes) {
    const isData = method !== 'ALL' && /^\/(?:api|v1)\//.test(path);
    if (isData && !Object.hasOwn(routePermissions, `${method} ${path}`))
      throw new Error(`The route ${method} ${path} declares no permission.`);
  }
}
