import type { Hono, HonoRequest } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ErrorCode, messageOf, TouchstoneError } from '../core/errors.ts';
import type { Failure } from '../core/schema/api/failure.ts';
import type { Assets } from './assets.ts';
import { failurePage } from './failure-page.ts';
import { otlpFailure, tracesPath } from './ingest-traces.ts';
import type { RouteContext } from './route.ts';
import { routes } from './routes/index.ts';

/** Adds the data and the pages of the dashboard. Who may have them is decided before. */
export function addDashboard(
  app: Hono,
  { context, assets }: { readonly context: RouteContext; readonly assets: Assets },
): void {
  app.use('/api/*', async (request, next) => {
    await next();
    request.header('Cache-Control', 'no-store');
    // Before a page has it: a label that follows is not blind, whatever happens to this process.
    await context.shown.settle();
  });
  for (const addRoute of routes) addRoute(app, context);
  app.all('/api/*', ({ req }) => {
    throw new TouchstoneError('address-unknown', `There is no ${req.method} ${req.path}.`);
  });
  addPage(app, assets);
}

/**
 * The readers of a fault: the one person of `touchstone view`, whose browser has access once it has opened the printed address;
 * people and programs that are signed in; or strangers, who learn nothing of the inside of the server, such as where its database is.
 */
type Audience = 'local' | 'signed-in' | 'strangers';

/** Answers what is refused or fails: to a person in a browser as a page, else as JSON. */
export function addFailures(
  app: Hono,
  onFault: ((fault: unknown) => void) | undefined,
  audience: Audience = 'signed-in',
): void {
  app.onError((thrown, request) => {
    const error = audience === 'strangers' ? withoutInside(thrown) : thrown;
    if (!(thrown instanceof TouchstoneError) || error !== thrown) onFault?.(thrown);
    request.header('Cache-Control', 'no-store');
    const isPage = isForPerson(request.req);
    if (isPage && audience === 'local' && isRefusedAccess(error)) return request.html(refusalPage, 403);
    const wait = error instanceof TouchstoneError ? waits[error.code] : undefined;
    if (wait !== undefined) request.header('Retry-After', wait);
    const [failure, status] = [describeFailure(error), statusOf(error)];
    // The one address whose answers are not ours to choose: exporters read a status of gRPC.
    if (request.req.path === tracesPath) return otlpFailure(request, failure, status);
    return isPage ? request.html(failurePage(failure), status) : request.json(failure, status);
  });
}

/** The seconds after which what was refused may be tried again. */
const waits: Partial<Record<ErrorCode, string>> = { 'rate-limited': '1', 'server-busy': '5' };

/** Returns what a stranger may know of a fault. */
function withoutInside(error: Error): Error {
  if (!(error instanceof TouchstoneError)) return new Error('The server has failed.');
  if (!error.code.startsWith('store-')) return error;
  return new TouchstoneError('server-busy', 'The server cannot use its database at this moment.', {
    remedy: 'Try again in a minute. If that does not help, ask the operator of the server.',
  });
}

/** Adds the built files by their exact names, and the document under every other address: the page reads the address. */
function addPage(app: Hono, { document, files }: Assets): void {
  app.get('/assets/*', ({ req, body }) => {
    const file = files.get(req.path);
    if (file === undefined) throw new TouchstoneError('address-unknown', `There is no ${req.path}.`);
    // The name of a file contains a hash of its content.
    const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
    return body(file.body, 200, headers);
  });
  app.get('*', ({ html }) => html(document, 200, { 'Cache-Control': 'no-store' }));
  app.all('*', ({ req }) => {
    throw new TouchstoneError('address-unknown', `There is no ${req.method} ${req.path}.`);
  });
}

/** Returns whether a request was for a page that a person looks at, or from a form on one. */
function isForPerson(req: HonoRequest): boolean {
  return !req.path.startsWith('/api/') && (req.header('accept') ?? '').includes('text/html');
}

function isRefusedAccess(error: unknown): boolean {
  return error instanceof TouchstoneError && error.code === 'access-denied';
}

const statuses: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  'not-signed-in': 401,
  'access-denied': 403,
  'address-unknown': 404,
  'run-not-found': 404,
  'case-not-found': 404,
  'baseline-not-found': 404,
  'dataset-not-found': 404,
  'judge-not-found': 404,
  'review-not-found': 404,
  'token-not-found': 404,
  'rubric-not-found': 404,
  'request-invalid': 400,
  'feedback-refused': 409,
  'request-too-large': 413,
  'content-unsupported': 415,
  'trace-not-found': 404,
  'proposal-not-found': 404,
  'proposal-invalid': 400,
  'proposal-refused': 409,
  'rate-limited': 429,
  'usage-invalid': 400,
  'review-invalid': 400,
  'label-refused': 409,
  'label-conflict': 409,
  'mode-conflict': 409,
  'run-in-progress': 409,
  'run-held': 409,
  'run-not-whole': 409,
  'push-refused': 409,
  'import-invalid': 400,
  'asking-refused': 409,
  'edit-refused': 409,
  'server-busy': 503,
};

function statusOf(error: unknown): ContentfulStatusCode {
  return error instanceof TouchstoneError ? (statuses[error.code] ?? 500) : 500;
}

function describeFailure(error: unknown): Failure {
  if (error instanceof TouchstoneError) {
    return { code: error.code, message: error.message, remedy: error.remedy };
  }
  return { code: 'internal', message: messageOf(error), remedy: 'Report it with what standard error shows.' };
}

/**
 * The document in place of a page that a browser may not open. It is the same for every request: nothing of the request is
 * in it.
 */
const refusalPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not open in this browser · Touchstone</title>
</head>
<body>
<main>
<h1>The dashboard is not open in this browser</h1>
<p>An address that <code>touchstone view</code> prints works once: the browser that opens it first keeps the access until it is
closed.</p>
<p>To open the dashboard here, run <code>touchstone view</code> again, in another terminal if the first is still needed, and
open the address that it prints.</p>
</main>
</body>
</html>
`;
