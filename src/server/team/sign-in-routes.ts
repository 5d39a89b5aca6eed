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
import {
  beginSession,
  endSession,
  endSessionsOf,
  findSession,
  removeOldSessions,
} from '../../privacy/accounts/sessions.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { Account } from '../../core/schema/account/account.ts';
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

/** Begins a session under a new secret, whatever cookie the browser has sent, and ends the session of that cookie. */
export async function openSession(
  context: Context,
  { home }: Pick<TeamParts, 'home'>,
  { name, roles }: Pick<Account, 'name' | 'roles'>,
  wanted?: string,
): Promise<string | undefined> {
  const projects = Object.keys(roles);
  const usual = projects.includes(mainProject) ? mainProject : projects[0];
  const project = wanted !== undefined && projects.includes(wanted) ? wanted : usual;
  if (project === undefined) return undefined;
  const old = getCookie(context, sessionCookie);
  if (old !== undefined) await endSession(home.accounts, old);
  const secret = await beginSession(home.accounts, { person: name, project });
  setCookie(context, sessionCookie, secret, cookieOptions);
  return project;
}

async function signIn(context: Context, parts: TeamParts): Promise<Response> {
  const { home, isBehindProxy = false, rates = usualRates } = parts;
  const { accounts, shared } = home;
  const form = await readForm(context);
  const [name, password] = [form.get('name')?.trim() ?? '', form.get('password') ?? ''];
  const address = addressOfClient(context, isBehindProxy);
  const next = form.get('next') ?? undefined;
  try {
    await countAttempt(shared, [`account ${name}`, `address ${address}`], rates.login);
  } catch (error) {
    const limited = await sendRateLimited(error, { context, parts, next });
    if (limited === undefined) throw error;
    return limited;
  }
  const account = await checkPassword(accounts, { name, password });
  const project = account === undefined ? undefined : await openSession(context, parts, account);
  const event = { address, object: null, who: account?.name ?? null, project: project ?? null };
  if (project === undefined) {
    await recordEvent(accounts, { ...event, action: 'sign-in-refused', object: name.slice(0, 100) });
    return await sendPage(context, signInPage(parts, next, 'The name or the password is wrong.', 403));
  }
  await recordEvent(accounts, { ...event, action: 'sign-in' });
  await Promise.all([removeOldSessions(accounts), removeOldAttempts(shared)]);
  return context.redirect(pathOf(next, parts.origin), 303);
}

/** Sends the page for signing in when there were too many attempts; returns undefined for every other error. */
export async function sendRateLimited(
  error: unknown,
  { context, parts, next }: { readonly context: Context; readonly parts: TeamParts; readonly next?: string },
): Promise<Response | undefined> {
  if (!(error instanceof TouchstoneError) || error.code !== 'rate-limited') return undefined;
  context.header('Retry-After', '60');
  return await sendPage(context, signInPage(parts, next, 'Too many attempts. Wait a minute.', 429));
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
  try {
    const name = await acceptInvitation(accounts, { secret, password });
    await endSessionsOf(accounts, name);
    const account = await findPerson(accounts, name);
    const project = account === undefined ? undefined : await openSession(context, parts, account);
    const address = addressOfClient(context, parts.isBehindProxy === true);
    await recordEvent(accounts, {
      who: name,
      address,
      action: 'password-set',
      project: project ?? null,
      object: null,
    });
    return context.redirect('/', 303);
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.code === 'store-unreadable') throw error;
    const person = await findInvitation(accounts, secret);
    return await sendPage(context, { ...invitationPage(parts, person, error.message), status: 400 });
  }
}

/** Returns the page for signing in: with the provider, which is a link since a form may lead to this server alone, and a password. */
export function signInPage(
  { assets, oidc }: TeamParts,
  next: string | undefined,
  refusal?: string,
  status: 200 | 403 | 429 = 200,
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
