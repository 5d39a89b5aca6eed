import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import {
  acceptInvitation,
  checkPassword,
  findInvitation,
  findPerson,
  mainProject,
} from '../../privacy/accounts/accounts.ts';
import { recordEvent } from '../../privacy/accounts/audit.ts';
import { requireTurn } from '../../privacy/accounts/secrets.ts';
import {
  beginSession,
  endSession,
  endSessionsOf,
  findSession,
  removeOldSessions,
} from '../../privacy/accounts/sessions.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { Account, AuditEvent } from '../../core/schema/account/account.ts';
import { countAttempt, removeOldAttempts } from './attempts.ts';
import { type PageParts, readForm, sendPage, style, stylePath, type TeamParts } from './pages.ts';
import { addressOfClient, refuseOtherSites, sessionCookie } from './principal.ts';
import { usualRates } from './shared-rates.ts';

/** Adds the pages for signing in and out, and for accepting an invitation. */
export function addSignIn(app: Hono, parts: TeamParts): void {
  const { origin, assets, home } = parts;
  const { accounts } = home;
  app.get(stylePath, ({ body }) => body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  // The style of the dashboard is the same for everybody, and no secret.
  app.get('/assets/*', async ({ req, body }, next) => {
    const file = assets.files.get(req.path);
    if (file === undefined || !req.path.endsWith('.css')) return await next();
    return body(file.body, 200, { 'Content-Type': file.type });
  });
  app.get(
    '/sign-in',
    async (context) => await sendPage(context, signInPage(parts, context.req.query('next'))),
  );
  app.post('/sign-in', async (context) => {
    refuseOtherSites(context, origin);
    return await signIn(context, parts);
  });
  app.post('/sign-out', async (context) => {
    refuseOtherSites(context, origin);
    const secret = getCookie(context, sessionCookie);
    const person = secret === undefined ? undefined : await findSession(accounts, secret);
    if (secret !== undefined) await endSession(accounts, secret);
    setCookie(context, sessionCookie, '', { ...cookieOptions, maxAge: 0 });
    const elsewhere = person && (await findSignOutElsewhere(parts, person.name));
    if (elsewhere === undefined) return context.redirect('/sign-in', 303);
    return await sendPage(context, { title: 'Signed out', content: elsewhere, assets });
  });
  app.get('/invitations/:secret', async (context) => {
    const person = await findInvitation(accounts, context.req.param('secret'));
    return await sendPage(context, invitationPage(parts, person));
  });
  app.post('/invitations/:secret', async (context) => {
    refuseOtherSites(context, origin);
    return await accept(context, parts);
  });
}

/** Returns the words for a person who is still signed in at the provider; undefined for others, and where one cannot sign out there. */
async function findSignOutElsewhere({ home, oidc, origin }: TeamParts, name: string) {
  const account = oidc && (await findPerson(home.accounts, name));
  if (oidc === undefined || account?.identity === undefined) return undefined;
  // Signing out here works while the provider is away, too.
  const url = await oidc.findSignOut(new URL('/sign-in', origin)).catch(() => undefined);
  return (
    url &&
    html`<p>You are signed out here, and still signed in at ${oidc.settings.name}.</p>
<p><a href="${url.href}">Sign out at ${oidc.settings.name}</a></p>
<p><a href="/sign-in">Sign in</a></p>`
  );
}

/** The options of every cookie of the server. */
export const cookieOptions = { path: '/', httpOnly: true, secure: true, sameSite: 'Lax' } as const;

/** The choices for a session that begins. */
interface SessionChoices {
  /** The project to open, where the person has a role in it. */
  readonly wanted?: string;
  /** Records the session before it begins: when it throws, none does. */
  readonly record?: (project: string) => Promise<unknown>;
}

/** Begins a session under a new secret, whatever cookie the browser has sent, and ends the session of that cookie. */
export async function openSession(
  context: Context,
  { home }: Pick<TeamParts, 'home'>,
  { name, roles }: Pick<Account, 'name' | 'roles'>,
  { wanted, record }: SessionChoices = {},
): Promise<string | undefined> {
  const projects = Object.keys(roles);
  const usual = projects.includes(mainProject) ? mainProject : projects[0];
  const project = wanted !== undefined && projects.includes(wanted) ? wanted : usual;
  if (project === undefined) return undefined;
  await record?.(project);
  const old = getCookie(context, sessionCookie);
  if (old !== undefined) await endSession(home.accounts, old);
  const secret = await beginSession(home.accounts, { person: name, project });
  setCookie(context, sessionCookie, secret, cookieOptions);
  return project;
}

async function signIn(context: Context, parts: TeamParts): Promise<Response> {
  const form = await readForm(context);
  const next = form.get('next') ?? undefined;
  try {
    return await signInWith(form, { context, parts, next });
  } catch (error) {
    return await sendRefused(error, { context, parts, next });
  }
}

async function signInWith(form: URLSearchParams, { context, parts, next }: Attempted): Promise<Response> {
  const { home, isBehindProxy = false, rates = usualRates } = parts;
  const { accounts, shared } = home;
  const [name, password] = [form.get('name')?.trim() ?? '', form.get('password') ?? ''];
  const address = addressOfClient(context, isBehindProxy);
  requireTurn();
  await countAttempt(shared, { from: `address ${address}`, account: name }, rates.login);
  const account = await checkPassword(accounts, { name, password });
  const project =
    account &&
    (await openSession(context, parts, account, {
      record: async (opened) =>
        await recordEntry(parts, { who: name, address, action: 'sign-in', project: opened, object: null }),
    }));
  if (project === undefined) {
    await recordEntry(parts, {
      who: account?.name ?? null,
      address,
      action: 'sign-in-refused',
      project: null,
      object: name.slice(0, 100),
    });
    return await sendPage(context, signInPage(parts, next, 'The name or the password is wrong.', 403));
  }
  await Promise.all([removeOldSessions(accounts), removeOldAttempts(shared)]);
  return context.redirect(pathOf(next, parts.origin), 303);
}

/**
 * Records how a person enters, before the person has: no one enters without an entry. Throws `server-busy` when the entry cannot be written;
 * only the operator learns why.
 */
export async function recordEntry({ home, onFault }: TeamParts, event: AuditEvent): Promise<void> {
  try {
    await recordEvent(home.accounts, event);
  } catch (error) {
    onFault?.(error);
    throw new TouchstoneError(
      'server-busy',
      'Nobody can sign in at this moment: the server cannot write its audit log.',
      {
        remedy: 'Ask the operator of the server, whose standard error says why.',
        cause: error,
      },
    );
  }
}

/** An attempt to sign in, and the page that was asked for. */
interface Attempted {
  readonly context: Context;
  readonly parts: TeamParts;
  readonly next?: string;
}

/** Sends the page for signing in with the reason when no one, or not this person, can sign in at the moment. Throws every other error again. */
export async function sendRefused(error: unknown, { context, parts, next }: Attempted): Promise<Response> {
  if (!(error instanceof TouchstoneError)) throw error;
  if (error.code === 'rate-limited') {
    context.header('Retry-After', '60');
    return await sendPage(context, signInPage(parts, next, 'Too many attempts. Wait a minute.', 429));
  }
  if (error.code !== 'server-busy') throw error;
  context.header('Retry-After', '5');
  return await sendPage(context, signInPage(parts, next, `${error.message} ${error.remedy}`, 503));
}

/** Returns the path of an address of this server; the path of the first page for any other address. */
export function pathOf(next: string | undefined, origin: string): string {
  if (next === undefined || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  // A path that begins with two slashes would name another host.
  return url.origin === origin ? `/${(url.pathname + url.search).replace(/^[/\\]+/, '')}` : '/';
}

async function accept(context: Context, parts: TeamParts): Promise<Response> {
  const { accounts } = parts.home;
  const secret = context.req.param('secret') ?? '';
  const password = (await readForm(context)).get('password') ?? '';
  const address = addressOfClient(context, parts.isBehindProxy === true);
  try {
    const name = await acceptInvitation(
      accounts,
      { secret, password },
      async (who) =>
        await recordEntry(parts, { who, address, action: 'password-set', project: null, object: null }),
    );
    await endSessionsOf(accounts, name);
    const account = await findPerson(accounts, name);
    if (account !== undefined) await openSession(context, parts, account);
    return context.redirect('/', 303);
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.code.startsWith('store-')) throw error;
    const person = await findInvitation(accounts, secret);
    const isBusy = error.code === 'server-busy';
    if (isBusy) context.header('Retry-After', '5');
    return await sendPage(context, {
      ...invitationPage(parts, person, error.message),
      status: isBusy ? 503 : 400,
    });
  }
}

/** Returns the page for signing in: with the provider, which is a link since a form may lead to this server alone, and a password. */
export function signInPage(
  { assets, oidc }: TeamParts,
  next: string | undefined,
  refusal?: string,
  status: 200 | 403 | 429 | 503 = 200,
): PageParts {
  const query = new URLSearchParams({ next: next ?? '/' }).toString();
  const content = html`${refusal === undefined ? '' : html`<p class="refused" role="alert">${refusal}</p>`}
${
  oidc === undefined
    ? ''
    : html`<p><a class="button main" href="/sign-in/oidc?${query}">Sign in with ${oidc.settings.name}</a></p>
<p class="quiet or">or with a password</p>`
}
<form class="sign-in" method="post" action="/sign-in">
<input type="hidden" name="next" value="${next ?? '/'}">
<label>Name <input name="name" autocomplete="username" autocapitalize="none" required${oidc === undefined ? html` autofocus` : ''}></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button${oidc === undefined ? html` class="main"` : ''}>Sign in</button>
</form>`;
  return { title: 'Sign in', content, assets, status };
}

function invitationPage({ assets }: TeamParts, person: string | undefined, refusal?: string): PageParts {
  if (person === undefined) {
    const content = html`<p>The invitation is over, or was used before. Ask for another one.</p>`;
    return { title: 'No invitation', content, assets, status: 403 };
  }
  const content = html`${refusal === undefined ? '' : html`<p class="refused" role="alert">${refusal}</p>`}
<form class="sign-in" method="post">
<label>Name <input name="name" value="${person}" autocomplete="username" readonly></label>
<label>Password, at least 15 characters <input name="password" type="password" autocomplete="new-password" minlength="15" required autofocus></label>
<button class="main">Set the password</button>
</form>`;
  return { title: 'Welcome', content, assets };
}
