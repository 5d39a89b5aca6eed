import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { admitIdentity } from '../../privacy/accounts/identities.ts';
import { createSecret, hashSecret } from '../../privacy/accounts/secrets.ts';
import { removeOldSessions } from '../../privacy/accounts/sessions.ts';
import type { OidcSettings } from './load-oidc.ts';
import { type Role, roles } from '../../core/schema/account/rights.ts';
import type { SharedRecords } from '../../stores/shared/shared-records.ts';
import { countAttempt, removeOldAttempts } from './attempts.ts';
import { type OidcProvider, ProviderFault, type ProvenPerson } from './oidc-provider.ts';
import { sendPage, type TeamParts } from './pages.ts';
import { addressOfClient } from './principal.ts';
import { usualRates } from './shared-rates.ts';
import {
  cookieOptions,
  openSession,
  pathOf,
  recordEntry,
  sendRefused,
  signInPage,
} from './sign-in-routes.ts';

/** The cookie of a sign-in that has begun. The provider sends people back from another site, for which it must be `Lax`. */
const flowCookie = '__Host-touchstone-oidc';

/** The time in which a sign-in at the provider has to be finished. */
const flowMs = 600_000;

/** A sign-in that has begun. Only the hash of its cookie is known. */
interface Flow {
  readonly next: string;
  readonly startedAt: number;
}

/** The address to which the provider sends people back. */
const callbackPath = '/sign-in/oidc/callback';

/** Returns the address to which the provider sends people back, for the settings of the provider. */
export function callbackOf(origin: string): URL {
  return new URL(callbackPath, origin);
}

const prefix = 'oidc/';
const flowAt = (secret: string) => prefix + hashSecret(secret);

/** Adds the addresses for signing in at an identity provider. */
export function addOidc(app: Hono, parts: TeamParts, provider: OidcProvider): void {
  app.get('/sign-in/oidc', async (context) => await begin(context, parts, provider));
  app.get(callbackPath, async (context) => await finish(context, parts, provider));
}

/** Sends a person to the provider. */
async function begin(context: Context, parts: TeamParts, provider: OidcProvider): Promise<Response> {
  const { rates = usualRates } = parts;
  const { shared } = parts.home;
  const address = addressOfClient(context, parts.isBehindProxy === true);
  const next = pathOf(context.req.query('next'), parts.origin);
  try {
    await countAttempt(shared, { from: `begin ${address}` }, rates.login);
    const secret = createSecret();
    const url = await provider.begin(secret, callbackOf(parts.origin));
    await shared.change<Flow, undefined>(flowAt(secret), (_, now) => ({
      value: { next, startedAt: now },
      result: undefined,
    }));
    setCookie(context, flowCookie, secret, { ...cookieOptions, maxAge: flowMs / 1000 });
    return context.redirect(url.href, 303);
  } catch (error) {
    return await refuseFault(error, { context, parts, provider });
  }
}

/** Takes a person back from the provider, and begins a session. */
async function finish(context: Context, parts: TeamParts, provider: OidcProvider): Promise<Response> {
  const { rates = usualRates } = parts;
  const { accounts, shared } = parts.home;
  const address = addressOfClient(context, parts.isBehindProxy === true);
  try {
    await countAttempt(shared, { from: `address ${address}` }, rates.login);
    const secret = getCookie(context, flowCookie);
    const flow =
      secret !== undefined && provider.isOwn(secret, context.req.query('state'))
        ? await takeFlow(shared, secret)
        : undefined;
    if (secret === undefined || flow === undefined) return await refuse({ context, parts, provider }, stale);
    setCookie(context, flowCookie, '', { ...cookieOptions, maxAge: 0 });
    const answer = callbackOf(parts.origin);
    answer.search = new URL(context.req.url).search;
    const person = await provider.finish(secret, answer);
    const roles = rolesOf(person, provider.settings);
    const account = await admitIdentity(accounts, { ...person, roles, address });
    if (account === undefined) return await refusePerson({ context, parts, provider }, person);
    await openSession(context, parts, account, {
      record: async (project) =>
        await recordEntry(parts, {
          who: account.name,
          address,
          action: 'sign-in',
          project,
          object: null,
          details: { ...person.identity },
        }),
    });
    await Promise.all([removeOldSessions(accounts), removeOldAttempts(shared), removeOldFlows(shared)]);
    return context.redirect(flow.next, 303);
  } catch (error) {
    return await refuseFault(error, { context, parts, provider });
  }
}

/** Ends a sign-in that has begun, and returns it; undefined when it is over, used or unknown. */
async function takeFlow(shared: SharedRecords, secret: string): Promise<Flow | undefined> {
  return await shared.change<Flow, Flow | undefined>(flowAt(secret), (flow, now) => ({
    value: undefined,
    result: flow !== undefined && now - flow.startedAt < flowMs ? flow : undefined,
  }));
}

async function removeOldFlows(shared: SharedRecords): Promise<void> {
  for (const { name } of await shared.list(prefix))
    await shared.change<Flow, undefined>(name, (flow, now) => ({
      value: flow !== undefined && now - flow.startedAt < flowMs ? flow : undefined,
      result: undefined,
    }));
}

/** Returns the roles that follow from the groups of a person: of several in a project, the last one in the order of roles. */
function rolesOf({ groups = [] }: ProvenPerson, settings: OidcSettings): Record<string, Role> {
  const granted = groups.flatMap((group) =>
    Object.hasOwn(settings.groups, group) ? [settings.groups[group]] : [],
  );
  const found = new Map<string, Role>();
  for (const [project, role] of [settings.others, ...granted].flatMap((each) => Object.entries(each ?? {}))) {
    const held = found.get(project);
    if (held === undefined || roles.indexOf(held) < roles.indexOf(role)) found.set(project, role);
  }
  return Object.fromEntries(found);
}

/** The parts of the answer to a request. */
interface Refused {
  readonly context: Context;
  readonly parts: TeamParts;
  readonly provider: OidcProvider;
}

const stale = {
  reason: 'not begun in this browser',
  text: 'This sign-in was not begun in this browser, was finished before, or took more than ten minutes. Begin again.',
};

/** Records why a sign-in was refused, and sends the page for signing in. */
async function refuse(
  { context, parts }: Refused,
  { reason, text }: { readonly reason: string; readonly text: string },
): Promise<Response> {
  await recordRefusal({ context, parts }, { reason });
  return await sendPage(context, signInPage(parts, undefined, text, 403));
}

async function recordRefusal(
  { context, parts }: Pick<Refused, 'context' | 'parts'>,
  details: Readonly<Record<string, string>>,
): Promise<void> {
  const address = addressOfClient(context, parts.isBehindProxy === true);
  const event = { who: null, address, action: 'sign-in-refused', project: null, object: 'oidc', details };
  await recordEntry(parts, event);
}

/** Refuses a sign-in that the provider has not proven, or of which there were too many. Throws every other error again. */
async function refuseFault(error: unknown, refused: Refused): Promise<Response> {
  if (!(error instanceof ProviderFault)) return await sendRefused(error, refused);
  const { name, contact } = refused.provider.settings;
  return await refuse(refused, {
    reason: error.message,
    text: `${name} has not confirmed who you are. Try again. If that does not help, ask ${contact}: the audit log has the reason.`,
  });
}

/** Sends the page for a person who is known at the provider, but of no group with a role. */
async function refusePerson(refused: Refused, { identity, groups }: ProvenPerson): Promise<Response> {
  const { settings } = refused.provider;
  await recordRefusal(refused, {
    ...identity,
    reason: groups === undefined ? `no claim ${settings.groupsClaim}` : 'no group with a role',
    ...(groups !== undefined && { groups: groups.join(', ').slice(0, 500) }),
  });
  const content = html`<p>${settings.name} knows you, but none of your groups there has a role in a project of this server.</p>
<p>Ask ${settings.contact}, and sign in again.</p>
<p><a href="/sign-in">Sign in</a></p>`;
  return await sendPage(refused.context, {
    title: 'No access',
    content,
    assets: refused.parts.assets,
    status: 403,
  });
}
