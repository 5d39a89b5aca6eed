import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { findPerson, listPeople } from '../../privacy/accounts/accounts.ts';
import {
  addPerson,
  addToken,
  changeRole,
  parseRole,
  parseScopes,
  removeToken,
} from '../../privacy/accounts/manage.ts';
import { isAllowed, type Principal } from '../../privacy/accounts/permissions.ts';
import { listTokens, mostTokenDays } from '../../privacy/accounts/tokens.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { type Account, type MachineToken } from '../../core/schema/account/account.ts';
import { type Role, roles, tokenScopes } from '../../core/schema/account/rights.ts';
import { readForm, sendPage, type TeamParts } from './pages.ts';
import { addressOfClient, authenticate, refuseOtherSites } from './principal.ts';
import { openSession } from './sign-in-routes.ts';

type Person = Principal & { readonly kind: 'person' };

/** The result of a form, for the page that follows. */
type Done = Pick<AccountView, 'notice' | 'secret'>;

/** Adds the page of one's own account, and, for administrators, of the people and tokens of the project. */
export function addAccountPages(app: Hono, parts: TeamParts): void {
  app.get('/account', async (context) => {
    const person = await findPrincipal(context, parts);
    if (person === undefined) return context.redirect('/sign-in?next=%2Faccount', 303);
    return await show(context, parts, person, {});
  });
  app.post('/account/project', async (context) => {
    await requirePerson(context, parts);
    const { name, roles } = await requireAccount(context, parts);
    const project = (await readForm(context)).get('project') ?? '';
    if (!Object.hasOwn(roles, project))
      throw new TouchstoneError('address-unknown', `There is no project ${JSON.stringify(project)}.`);
    await openSession(context, parts, { name, roles }, { wanted: project });
    return context.redirect('/', 303);
  });
  for (const [path, work] of Object.entries(managed)) {
    app.post(path, async (context) => {
      const person = await requirePerson(context, parts);
      if (!isAllowed(person, 'manage'))
        throw new TouchstoneError('access-denied', 'Only administrators of the project can do this.', {
          remedy: 'Ask one of them.',
        });
      const address = addressOfClient(context, parts.isBehindProxy === true);
      const done = await work(await readForm(context), {
        parts,
        actor: { who: person.name, address, project: person.project },
      });
      return await show(context, parts, person, done);
    });
  }
}

type Work = (
  form: URLSearchParams,
  given: { readonly parts: TeamParts; readonly actor: Parameters<typeof addPerson>[1] },
) => Promise<Done>;

/** The forms of administrators, by their addresses. */
const managed: Readonly<Record<string, Work>> = {
  '/account/people': async (form, { parts, actor }) => {
    const name = form.get('name')?.trim() ?? '';
    const role = parseRole(form.get('role') ?? '');
    const secret = await addPerson(parts.home.accounts, actor, { name, role });
    if (secret === undefined) return { notice: await describeKnown(parts, name) };
    const notice = `Send this address to ${name}. It is shown once, and works once, within seven days.`;
    return { notice, secret: `${parts.origin}/invitations/${secret}` };
  },
  '/account/people/role': async (form, { parts, actor }) => {
    const [name, given] = [form.get('name') ?? '', form.get('role') ?? ''];
    if (!Object.hasOwn((await findPerson(parts.home.accounts, name))?.roles ?? {}, actor.project))
      throw new TouchstoneError(
        'address-unknown',
        `There is no person named ${JSON.stringify(name)} in the project.`,
      );
    await changeRole(parts.home.accounts, actor, { name, role: given === 'none' ? null : parseRole(given) });
    return {
      notice: `The role of ${name} was changed. Open pages of ${name} have to sign in again, and an invitation that was not used yet has ended.`,
    };
  },
  '/account/tokens': async (form, { parts, actor }) => {
    const scopes = parseScopes(form.getAll('scope'));
    const token = { name: form.get('name') ?? '', scopes, days: Number(form.get('days')) };
    const secret = await addToken(parts.home.accounts, actor, token);
    return { notice: 'This is the token. It is shown once.', secret };
  },
  '/account/tokens/revoke': async (form, { parts, actor }) => {
    await removeToken(parts.home.accounts, actor, form.get('id') ?? '');
    return { notice: 'The token was revoked.' };
  },
};

/** Describes a person who had an account before, in another project: others have made it, perhaps for somebody else of that name. */
async function describeKnown({ home }: TeamParts, name: string): Promise<string> {
  const account = await findPerson(home.accounts, name);
  return account?.password === null
    ? `${name} is in the project, has an account of another project, and has chosen no password yet. Earlier invitations have ended: the operator of the server gives a new one, with \`touchstone server invite\`.`
    : `${name} is in the project, and signs in as before. The account was made in another project: make sure that it is the person you mean.`;
}

async function findPrincipal(context: Context, { home }: TeamParts): Promise<Person | undefined> {
  const principal = await authenticate(context, home.accounts);
  return principal?.kind === 'person' ? principal : undefined;
}

/** Returns the person who has sent a form. Throws `not-signed-in`, and `access-denied` for a form of another site. */
async function requirePerson(context: Context, parts: TeamParts): Promise<Person> {
  refuseOtherSites(context, parts.origin);
  const person = await findPrincipal(context, parts);
  if (person === undefined) throw new TouchstoneError('not-signed-in', 'Nobody is signed in here.');
  return person;
}

async function requireAccount(context: Context, parts: TeamParts) {
  const person = await findPrincipal(context, parts);
  const account = person === undefined ? undefined : await findPerson(parts.home.accounts, person.name);
  if (account === undefined) throw new TouchstoneError('not-signed-in', 'Nobody is signed in here.');
  return account;
}

async function show(context: Context, parts: TeamParts, before: Person, done: Done): Promise<Response> {
  const { accounts } = parts.home;
  // The form may have changed one's own role, which ends the session.
  const account = await findPerson(accounts, before.name);
  const role = account?.roles[before.project];
  if (account === undefined || role === undefined) return context.redirect('/sign-in', 303);
  const person = { ...before, role };
  const isManager = isAllowed(person, 'manage');
  const view: AccountView = {
    ...done,
    person,
    projects: Object.keys(account.roles),
    ...(isManager && {
      people: await listPeople(accounts, person.project),
      tokens: await listTokens(accounts, person.project),
    }),
  };
  return await sendPage(context, { title: 'Account', content: accountContent(view), assets: parts.assets });
}

/** The content of the page of an account. */
interface AccountView {
  readonly person: { readonly name: string; readonly project: string; readonly role: Role };
  readonly projects: readonly string[];
  /** The people and tokens of the project, for administrators. */
  readonly people?: readonly Account[];
  readonly tokens?: readonly MachineToken[];
  /** The outcome of a form, in words, and a secret that is shown once. */
  readonly notice?: string;
  readonly secret?: string;
}

/** Returns the content of the page of an account. */
function accountContent({ person, projects, people, tokens, notice, secret }: AccountView) {
  return html`
${notice === undefined ? '' : html`<div class="notice" role="status"><p>${notice}</p>${secret === undefined ? '' : html`<p><code>${secret}</code></p>`}</div>`}
<p>${person.name} <span class="quiet">is ${person.role} of the project ${person.project}</span></p>
<div class="row bar">
<a href="/">Dashboard</a>
<form method="post" action="/sign-out"><button>Sign out</button></form>
${projects.length < 2 ? '' : projectForm(projects, person.project)}
</div>
${people === undefined ? '' : peopleSection(people, person.project)}
${tokens === undefined ? '' : tokensSection(tokens)}`;
}

function projectForm(projects: readonly string[], current: string) {
  return html`<form method="post" action="/account/project" class="row">
<select name="project" aria-label="Project">${options(projects, current)}</select><button>Open</button></form>`;
}

function options(values: readonly string[], current?: string) {
  return values.map((value) =>
    value === current ? html`<option selected>${value}</option>` : html`<option>${value}</option>`,
  );
}

function peopleSection(people: readonly Account[], project: string) {
  const rows = people.map(({ name, password, identity, roles: held }) => {
    const byGroups = identity && `by groups at ${new URL(identity.issuer).host}`;
    // Groups decide on the role, which can only be taken away until the next sign-in.
    const choices = identity === undefined ? roles : [held[project] ?? ''];
    return html`<tr><td>${name}</td><td class="quiet">${byGroups ?? (password === null ? 'invited' : '')}</td><td>
<form method="post" action="/account/people/role" class="row"><input type="hidden" name="name" value="${name}">
<select name="role" aria-label="Role of ${name}">${options([...choices, 'none'], held[project])}</select><button>Change</button></form></td></tr>`;
  });
  return html`<h2>People</h2>
<div class="wide"><table><thead><tr><th>Name</th><th>State</th><th>Role</th></tr></thead><tbody>${rows}</tbody></table></div>
<form method="post" action="/account/people" class="row">
<label>Name <input name="name" required maxlength="100" autocomplete="off"></label>
<label>Role <select name="role">${options(roles, 'viewer')}</select></label>
<button>Invite</button></form>`;
}

function tokensSection(tokens: readonly MachineToken[]) {
  const rows = tokens.map(
    (
      token,
    ) => html`<tr><td><code>${token.id}</code></td><td>${token.name}</td><td>${token.scopes.join(', ')}</td>
<td class="quiet">${dayOf(token.expiresAt)}</td><td class="quiet">${token.usedAt === null ? 'never' : dayOf(token.usedAt)}</td><td>${
      token.revokedAt === null
        ? html`<form method="post" action="/account/tokens/revoke"><input type="hidden" name="id" value="${token.id}"><button>Revoke</button></form>`
        : html`<span class="quiet">revoked ${dayOf(token.revokedAt)}</span>`
    }</td></tr>`,
  );
  const scopes = tokenScopes.map(
    (scope) => html`<label><input type="checkbox" name="scope" value="${scope}"> ${scope}</label>`,
  );
  return html`<h2>Tokens of programs</h2>
<div class="wide"><table><thead><tr><th>Id</th><th>Name</th><th>Scopes</th><th>Ends</th><th>Last used</th><th>State</th></tr></thead><tbody>${rows}</tbody></table></div>
<form method="post" action="/account/tokens" class="row">
<label>Name <input name="name" required maxlength="100" autocomplete="off"></label>
<label>Days <input name="days" type="number" min="1" max="${mostTokenDays}" value="90" required></label>
${scopes}
<button>Create</button></form>`;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
