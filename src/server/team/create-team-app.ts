import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { isAllowed, type Principal } from '../../accounts/permissions.ts';
import { TouchstoneError } from '../../errors.ts';
import { addFailures } from '../add-dashboard.ts';
import type { Assets } from '../assets.ts';
import { createBucket } from '../ingest-access.ts';
import { keepAnswers } from '../keep-answers.ts';
import { securityHeaders } from '../security-headers.ts';
import { addAccountPages } from './account-routes.ts';
import { createProjectApp } from './create-project-app.ts';
import { addOidc } from './oidc-routes.ts';
import type { TeamParts } from './pages.ts';
import { authenticate, refuseOtherSites } from './principal.ts';
import { addSignIn } from './sign-in-routes.ts';

/** The requests of one person or program in a second, and at once after a pause. */
const rates = { ingest: { perSecond: 200, burst: 400 }, other: { perSecond: 20, burst: 200 } };

/** The people and programs whose rates are counted at a time. */
const mostCounted = 10_000;

/**
 * Creates the server of a team: pages to sign in and for accounts, and, for those who have a session or a token, the dashboard
 * and the data of their project.
 */
export function createTeamApp(given: TeamParts): Hono {
  const parts = { ...given, assets: withAccount(given.assets) };
  const { home, openProject, origin, isBehindProxy = false, onFault } = parts;
  const { accounts } = home;
  const app = new Hono();
  app.use(securityHeaders);
  if (origin.startsWith('https:'))
    app.use(async ({ header }, next) => {
      await next();
      header('Strict-Transport-Security', 'max-age=31536000');
    });
  app.get('/healthz', async ({ json }) => json({ ready: await home.exists() }));
  app.use(requireHost(origin));
  addSignIn(app, parts);
  if (parts.oidc !== undefined) addOidc(app, parts, parts.oidc);
  addAccountPages(app, parts);
  // A route without a permission keeps the server from starting, not only a project from being opened.
  createProjectApp({ ...parts, accounts, isBehindProxy, openStore: async () => home });
  const take = createRates();
  const findApp = keepAnswers<Hono>(100);
  app.all('*', async (context) => {
    const principal = await authenticate(context, accounts);
    if (principal === undefined) return toSignIn(context);
    if (principal.kind === 'person') refuseOtherSites(context, origin);
    take(principal, context.req.path);
    const project = await findApp(principal.project, async () => {
      const store = await openProject(principal.project);
      return createProjectApp({ ...parts, accounts, isBehindProxy, openStore: async () => store });
    });
    const response = await project.fetch(context.req.raw, { ...(context.env as object), principal });
    return isEndless(response) ? endWithAccess(response, async () => await mayStill(context)) : response;
  });

  const mayStill = async (context: Context): Promise<boolean> => {
    const principal = await authenticate(context, accounts).catch(() => undefined);
    return principal !== undefined && isAllowed(principal, 'read');
  };
  addFailures(app, onFault);
  return app;
}

/** Marks the document of the dashboard, which then has a link to the page of the account. */
function withAccount(assets: Assets): Assets {
  return {
    ...assets,
    document: assets.document.replace('</head>', '<meta name="account" content="/account"></head>'),
  };
}

/** Refuses requests under another host name, which would be those of another site whose name leads here. */
function requireHost(origin: string): MiddlewareHandler {
  const { host } = new URL(origin);
  return async ({ req }, next) => {
    if (req.header('host') !== host)
      throw new TouchstoneError('access-denied', 'This address is not the one of the server.', {
        remedy: `Open ${origin}. If that is not the address that people use, name theirs with \`--url\`.`,
      });
    await next();
  };
}

/** Sends a person to the page for signing in, and refuses what is not a page. Throws `not-signed-in`. */
function toSignIn({ req, redirect }: Context): Response {
  const isPage = req.method === 'GET' && (req.header('accept') ?? '').includes('text/html');
  if (!isPage || req.path.startsWith('/api/'))
    throw new TouchstoneError('not-signed-in', 'Nobody is signed in here, or the token is not valid.');
  const { pathname, search } = new URL(req.url);
  return redirect(`/sign-in?${new URLSearchParams({ next: pathname + search }).toString()}`, 303);
}

/** Counts requests by who sends them. The function that it returns throws `rate-limited` when there are too many. */
function createRates(): (principal: Principal, path: string) => void {
  const buckets = new Map<string, () => boolean>();
  return ({ kind, name }, path) => {
    const use = path === '/v1/traces' || path === '/api/feedback' ? 'ingest' : 'other';
    const key = `${use} ${kind} ${name}`;
    const bucket = buckets.get(key) ?? createBucket(() => performance.now(), rates[use]);
    buckets.delete(key);
    buckets.set(key, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > mostCounted && oldest !== undefined) buckets.delete(oldest);
    if (!bucket())
      throw new TouchstoneError(
        'rate-limited',
        `More than ${rates[use].perSecond} requests came in a second.`,
        {
          remedy: 'Wait a second between requests.',
        },
      );
  };
}

function isEndless(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
}

/** Ends an answer that goes on for ever when its reader loses the access, within a second. */
function endWithAccess(response: Response, mayStill: () => Promise<boolean>): Response {
  const end = new AbortController();
  const timer = setInterval(() => {
    void mayStill().then((may) => {
      if (!may) end.abort();
    });
  }, 900);
  const stop = () => clearInterval(timer);
  end.signal.addEventListener('abort', stop);
  const pass = new TransformStream<Uint8Array, Uint8Array>({ flush: stop });
  response.body?.pipeTo(pass.writable, { signal: end.signal }).catch(stop);
  return new Response(pass.readable, response);
}
