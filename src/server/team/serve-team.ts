import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { isAllowed } from '../../privacy/accounts/permissions.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { addFailures } from '../add-dashboard.ts';
import type { Assets } from '../assets.ts';
import { keepAnswers } from '../keep-answers.ts';
import { securityHeaders } from '../security-headers.ts';
import { answerWith, listenOn } from '../serve.ts';
import { addAccountPages } from './account-routes.ts';
import { createProjectApp } from './create-project-app.ts';
import { addOidc } from './oidc-routes.ts';
import type { TeamParts } from './pages.ts';
import { addressOfClient, authenticate, refuseOtherSites } from './principal.ts';
import { createSharedRates, usualRates } from './shared-rates.ts';
import { addSignIn } from './sign-in-routes.ts';

/** The options of a server for a team. */
export interface TeamOptions extends Omit<TeamParts, 'origin'> {
  readonly port?: number;
  /** The address to listen on; the loopback address by default. */
  readonly host?: string;
  /** The address that people open; by default the address of the port on this machine. */
  readonly url?: string;
  /** The milliseconds in which a request must have arrived, so that slow ones do not fill the server; 60,000 by default. */
  readonly requestMs?: number;
}

/** Serves a team. Throws `port-unavailable`, and `usage-invalid` for an address that would send passwords without TLS. */
export async function serveTeam({ port: wanted, host, url, requestMs = 60_000, ...parts }: TeamOptions) {
  const ownOrigin = url === undefined ? undefined : originOf(url);
  if (ownOrigin === undefined && host !== undefined && !isLoopback(host))
    throw new TouchstoneError('usage-invalid', `\`--host ${host}\` needs \`--url\`.`, {
      remedy:
        'Name the address that people open, such as `--url https://evals.example.org`: a proxy before it speaks TLS.',
    });
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: requestMs / 2,
    connectionsCheckingInterval: requestMs / 4,
  });
  const port = await listenOn(server, { port: wanted, host });
  const origin = ownOrigin ?? `http://localhost:${port}`;
  return { port, origin, close: answerWith(server, createTeamApp({ ...parts, origin })) };
}

/** Returns the origin of an address. Throws `usage-invalid` for one that is neither https nor of this machine. */
export function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isSafe =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
  if (parsed !== undefined && isSafe) return parsed.origin;
  throw new TouchstoneError('usage-invalid', `\`--url\` is not an https address: ${url}.`, {
    remedy:
      'Have a proxy with a certificate before the server, and name its address: `--url https://evals.example.org`.',
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** The addresses that take records. */
const ingestPath = /^\/(?:v1\/traces|api\/feedback|api\/projects\/[^/]+\/runs)$/;

function useOf({ req }: Context): 'ingest' | 'api' {
  return ingestPath.test(req.path) ? 'ingest' : 'api';
}

/** The milliseconds that a request waits for the store until it is known who has sent it. */
const longestWaitMs = 10_000;

/** Waits for what comes before a sender is known. Throws `server-busy` when the store, which may wait for its database, takes too long. */
async function soon<Result>(work: Promise<Result>): Promise<Result> {
  const end = new AbortController();
  const late = pause(longestWaitMs, undefined, { signal: end.signal, ref: false }).then(() => {
    throw new TouchstoneError('server-busy', 'The server takes too long to answer at this moment.', {
      remedy: 'Try again in a minute. If that does not help, ask the operator of the server.',
    });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    end.abort();
  }
}

/**
 * Creates the server of a team: pages to sign in and for accounts, and, for those who have a session or a token, the dashboard
 * and the data of their project.
 */
export function createTeamApp(teamParts: TeamParts): Hono {
  const parts = { ...teamParts, assets: withAccount(teamParts.assets) };
  const { home, openProject, origin, isBehindProxy = false, onFault, rates = usualRates } = parts;
  const { accounts } = home;
  const app = new Hono();
  app.use(securityHeaders);
  if (origin.startsWith('https:'))
    app.use(async ({ header }, next) => {
      await next();
      header('Strict-Transport-Security', 'max-age=31536000');
    });
  app.get('/healthz', async ({ json }) => json({ ready: await soon(home.exists()) }));
  app.use(requireHost(origin));
  const take = createSharedRates(home, rates, (count) => {
    if (count % 1000 === 1) onFault?.(`Requests could not be counted for all servers, so far ${count}.`);
  });
  // Before anything is looked up or hashed, so that strangers and guesses are limited, too.
  app.use(async (context, next) => {
    await soon(take(useOf(context), { kind: 'address', name: addressOfClient(context, isBehindProxy) }));
    await next();
  });
  for (const path of ['/sign-in/*', '/sign-out', '/invitations/*', '/account/*'])
    app.use(path, async (_context, next) => await soon(next()));
  addSignIn(app, parts);
  if (parts.oidc !== undefined) addOidc(app, parts, parts.oidc);
  addAccountPages(app, parts);
  // A route without a permission keeps the server from starting, not only a project from being opened.
  createProjectApp({ ...parts, accounts, isBehindProxy, openStore: async () => home });
  const findApp = keepAnswers<Hono>(100);
  app.all('*', async (context) => {
    const principal = await soon(authenticate(context, accounts));
    if (principal === undefined) return toSignIn(context);
    if (principal.kind === 'person') refuseOtherSites(context, origin);
    await take(useOf(context), principal);
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
  addFailures(app, onFault, 'strangers');
  return app;
}

/** Marks the document of the dashboard, which then has a link to the page of the account. */
function withAccount(assets: Assets): Assets {
  return {
    ...assets,
    document: assets.document.replace('</head>', '<meta name="account" content="/account"></head>'),
  };
}

/** Refuses requests under another host name, which would be requests to another site whose name leads here. */
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
