import { Hono, type HonoRequest } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ErrorCode, messageOf, TouchstoneError } from '../errors.ts';
import type { Failure } from '../schema/api/failure.ts';
import type { Assets } from './assets.ts';
import { guardIngest } from './ingest-access.ts';
import { addFeedbackIngest } from './ingest-feedback.ts';
import { addTraceIngest, otlpFailure, tracesPath } from './ingest-traces.ts';
import { guardAccess, type LocalAccess } from './local-access.ts';
import { refusalPage } from './refusal-page.ts';
import type { RouteContext } from './route.ts';
import { routes } from './routes/index.ts';
import { securityHeaders } from './security-headers.ts';
import { createShownAnswers } from './shown-answers.ts';

/** The parts of the server. */
export interface AppParts extends Omit<RouteContext, 'shown'> {
  readonly assets: Assets;
  readonly access: LocalAccess;
  /** The token with which programs send records; they cannot when it is left out. */
  readonly ingestToken?: string | undefined;
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
  app.onError((error, request) => {
    if (!(error instanceof TouchstoneError)) onFault?.(error);
    request.header('Cache-Control', 'no-store');
    if (isRefusedPage(error, request.req)) return request.html(refusalPage, 403);
    if (error instanceof TouchstoneError && error.code === 'rate-limited') request.header('Retry-After', '1');
    const [failure, status] = [describeFailure(error), statusOf(error)];
    // The one address whose answers are not ours to choose: exporters read a status of gRPC.
    if (request.req.path === tracesPath) return otlpFailure(request, failure, status);
    return request.json(failure, status);
  });
  return app;
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

/** Returns whether a refused request was for a page that a person looks at. */
function isRefusedPage(error: unknown, req: HonoRequest): boolean {
  const isRefusal = error instanceof TouchstoneError && error.code === 'access-denied';
  return isRefusal && !req.path.startsWith('/api/') && (req.header('accept') ?? '').includes('text/html');
}

const statuses: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  'access-denied': 403,
  'address-unknown': 404,
  'run-not-found': 404,
  'case-not-found': 404,
  'baseline-not-found': 404,
  'dataset-not-found': 404,
  'judge-not-found': 404,
  'review-not-found': 404,
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
  'run-in-progress': 409,
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
