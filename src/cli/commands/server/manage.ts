import { roles, tokenScopes } from '../../../core/schema/account/rights.ts';
import type { Actor } from '../../../privacy/accounts/manage.ts';
import type { AccountStore } from '../../../stores/accounts/account-store.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, parsed, repeated, text } from '../../program/input.ts';
import { wholeNumber } from '../../program/parse-option.ts';
import { json, store } from '../../program/shared-inputs.ts';

/** `--project` of the commands that manage a server. */
export const project = text('<name>', 'the project').default('main');

/** `--url`: the address that people open. */
export const serverUrl = text(
  '<address>',
  'the address that people open (default: the port on this machine; of `invite`, the address of the server that was started last)',
);

/** Uses the accounts of a server, in the name of the person at this machine; `creates` begins a store where there is none. */
async function useAccounts<Result>(
  input: { readonly store?: string; readonly project?: string; readonly creates?: boolean },
  use: (accounts: AccountStore, actor: Actor) => Promise<Result>,
): Promise<Result> {
  const { withProjects } = await import('../../server-projects.ts');
  return await withProjects(input, async ({ home, who }) => {
    return await use(home.accounts, { who, address: null, project: input.project ?? 'main' });
  });
}

const loadManage = async () => await import('../../../privacy/accounts/manage.ts');
const loadTexts = async () => await import('../../texts/accounts.ts');

/** `touchstone server invite NAME`. */
export const invite = defineCommand({
  name: 'invite',
  summary: 'give a person a role in a project, and print an invitation',
  description: 'Gives a person a role in a project, and prints the address where they choose a password.',
  inputs: {
    name: argument('<name>', 'the name to sign in with, such as ann'),
    role: text('<role>', 'what the person may do').oneOf(roles).default('viewer'),
    project,
    url: serverUrl,
    store,
  },
  run: async ({ name, ...input }, output, command) => {
    const { originOf } = await import('../../../server/team/serve-team.ts');
    const { addPerson, parseRole } = await loadManage();
    const { readOrigin } = await import('../../../privacy/accounts/origin.ts');
    const { port } = command.optsWithGlobals<{ readonly port?: number }>();
    const own = port === undefined ? undefined : `http://localhost:${port}`;
    const given = input.url ?? own;
    const known = given === undefined ? undefined : originOf(given);
    const role = parseRole(input.role);
    const { secret, origin } = await useAccounts({ ...input, creates: true }, async (accounts, actor) => ({
      secret: await addPerson(accounts, actor, { name, role, mayReset: true }),
      origin: known ?? (await readOrigin(accounts)) ?? 'http://localhost:7357',
    }));
    await output.write(
      `${name} is ${role} of ${input.project}. This address works once, within seven days:\n${origin}/invitations/${secret}\n`,
    );
    return 0;
  },
});

/** `touchstone server remove NAME`. */
export const remove = defineCommand({
  name: 'remove',
  summary: 'remove a person from a project',
  description: 'Removes a person from a project, and ends their sessions.',
  inputs: { name: argument('<name>', 'the name of the person'), project, store },
  run: async ({ name, ...input }, output) => {
    const { changeRole } = await loadManage();
    await useAccounts(input, (accounts, actor) => changeRole(accounts, actor, { name, role: null }));
    await output.write(`${name} is no longer in ${input.project}.\n`);
    return 0;
  },
});

/** `touchstone server people`. */
export const people = defineCommand({
  name: 'people',
  summary: 'list the people of a project with their roles',
  description: 'Lists the people of a project with their roles.',
  inputs: { project, json, store },
  run: async (input, output) => {
    const { listPeople } = await import('../../../privacy/accounts/accounts.ts');
    const { peopleText, toListed } = await loadTexts();
    const found = await useAccounts(input, (accounts) => listPeople(accounts, input.project));
    const listed = found.map((each) => toListed(each, input.project));
    return await output.print(input.json, { people: listed }, () => peopleText(listed, input.project));
  },
});

/** `touchstone server token NAME`. */
export const token = defineCommand({
  name: 'token',
  summary: 'create a token and print it once',
  description: 'Creates a token and prints it once.',
  inputs: {
    name: argument('<name>', 'what it is for, such as ci'),
    scope: repeated('<scope>', `what it allows: ${tokenScopes.join(', ')}; may be repeated`)
      .oneOf(tokenScopes)
      .required(),
    days: parsed('<n>', 'how many days it is valid', wholeNumber(1, 365)).default(90),
    project,
    store,
  },
  run: async ({ name, scope, days, ...input }, output) => {
    const { addToken, parseScopes } = await loadManage();
    const made = await useAccounts({ ...input, creates: true }, (accounts, actor) =>
      addToken(accounts, actor, { name, scopes: parseScopes(scope), days }),
    );
    await output.write(`${made}\n`);
    return 0;
  },
});

/** `touchstone server tokens`. */
export const tokens = defineCommand({
  name: 'tokens',
  summary: 'list the tokens of a project',
  description: 'Lists the tokens of a project, the newest first.',
  inputs: { project, json, store },
  run: async (input, output) => {
    const { listTokens } = await import('../../../privacy/accounts/tokens.ts');
    const { tokensText } = await loadTexts();
    const found = await useAccounts(input, (accounts) => listTokens(accounts, input.project));
    const listed = found.map(({ hash: _, ...each }) => each);
    return await output.print(input.json, { tokens: listed }, () => tokensText(listed, input.project));
  },
});

/** `touchstone server revoke ID`. */
export const revoke = defineCommand({
  name: 'revoke',
  summary: 'revoke a token, so that its next use is refused',
  description: 'Revokes a token: its next use is refused.',
  inputs: { id: argument('<id>', 'the id of the token'), project, store },
  run: async ({ id, ...input }, output) => {
    const { removeToken } = await loadManage();
    await useAccounts(input, (accounts, actor) => removeToken(accounts, actor, id));
    await output.write(`The token ${id} is revoked.\n`);
    return 0;
  },
});

/** `touchstone server audit`: the audit log; exits with 1 when its chain is broken. */
export const audit = defineCommand({
  name: 'audit',
  summary: 'print the audit log, or verify its chain',
  description:
    'Prints the audit log: who did what, when and from where. With --verify, checks its chain of hashes.',
  inputs: {
    verify: flag('check that no entry was changed, removed or inserted; exit 1 if one was'),
    head: text('<hash>', 'with --verify: the hash that the log ended with at an earlier time'),
    json,
    store,
  },
  run: async ({ verify, head, ...input }, output) => {
    const { readAudit, recordEvent, verifyChain } = await import('../../../privacy/accounts/audit.ts');
    const { auditText, chainText } = await loadTexts();
    return await useAccounts(input, async (accounts, { who, address }) => {
      if (verify === true) {
        const state = await verifyChain(accounts, head);
        await output.print(input.json, state, chainText);
        return Number(state.fault !== undefined);
      }
      const entries = await Array.fromAsync(readAudit(accounts));
      // Who has read it is a part of it, too.
      const details = { entries: String(entries.length) };
      await recordEvent(accounts, {
        who,
        address,
        action: 'audit-read',
        project: null,
        object: null,
        details,
      });
      return await output.print(input.json, { entries }, () => auditText(entries));
    });
  },
});
