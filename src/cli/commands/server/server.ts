import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, repeated, text, parsed } from '../../program/input.ts';
import { wholeNumber } from '../../program/parse-option.ts';
import { json, port, store } from '../../program/shared-inputs.ts';
import { audit, invite, people, project, remove, revoke, serverUrl, token, tokens } from './manage.ts';

/** `touchstone server retention`: removes what is too old, or changes how long records are stored. */
const retention = defineCommand({
  name: 'retention',
  summary: 'remove records past their retention time, or change that time',
  description:
    'Removes traces, feedback, runs and audit log entries past the retention times of each project; a server does this by itself every day. With --set, changes the retention times of a project and removes nothing.',
  inputs: {
    set: repeated(
      '<kind=days>',
      'how long to keep traces, feedback, runs or audit: days, or never; may be repeated',
    ),
    dryRun: flag('say what would be removed, and remove nothing'),
    project,
    json,
    store,
  },
  run: async ({ set = [], dryRun: isDry = false, project: name, ...input }, output) => {
    const { recordEvent } = await import('../../../privacy/accounts/audit.ts');
    const { applyRetention } = await import('../../../privacy/retention/apply-retention.ts');
    const { readRetention, setRetention } = await import('../../../privacy/retention/settings.ts');
    const { withProjects } = await import('../../server-projects.ts');
    const { describeDays, describeRetained } = await import('../../texts/retention.ts');
    return await withProjects({ ...input, creates: set.length > 0 }, async ({ home, openProject, who }) => {
      if (set.length === 0) {
        const projects = await applyRetention({ home, openProject, who, isDry });
        const said = () => projects.map((each) => describeRetained(each, isDry)).join('');
        return await output.print(input.json, { isDry, projects }, said);
      }
      const { accounts } = home;
      const changed = await setRetention(accounts, name, set);
      const details = Object.fromEntries(
        Object.entries(changed).map(([kind, days]) => [kind, days === null ? 'never' : String(days)]),
      );
      const event = { who, address: null, action: 'retention-set', project: name, object: null };
      await recordEvent(accounts, { ...event, details });
      const days = await readRetention(accounts, name);
      return await output.print(input.json, { project: name, days }, () => `${describeDays(name, days)}\n`);
    });
  },
});

/** `touchstone server hold RUN…`: runs that cannot be deleted. */
const hold = defineCommand({
  name: 'hold',
  summary: 'put runs under a legal hold, or release them',
  description: 'Puts runs under a legal hold: they cannot be deleted until they are released.',
  inputs: {
    runs: argument('<run...>', 'ids of runs, or their first or last characters'),
    tag: text('<tag>', 'what the hold is for, such as case-7').required(),
    release: flag('end the hold of this tag'),
    project,
    store,
  },
  run: async ({ runs, tag, release: isRelease = false, project: name, ...input }, output) => {
    const { recordEvent } = await import('../../../privacy/accounts/audit.ts');
    const { findRun } = await import('../../../look/queries/runs.ts');
    const { withProjects } = await import('../../server-projects.ts');
    return await withProjects(input, async ({ home, openProject, who }) => {
      const opened = await openProject(name);
      const lines: string[] = [];
      for (const each of runs) {
        const { id } = await findRun(opened, each);
        await using _claim = await opened.claimRun(id);
        const { holds: before = [], ...run } = await findRun(opened, id);
        const holds = [...before.filter((other) => other !== tag), ...(isRelease ? [] : [tag])];
        await opened.updateRun({ ...run, ...(holds.length > 0 && { holds }) });
        const action = isRelease ? 'run-release' : 'run-hold';
        const event = { who, address: null, action, project: name, object: id, details: { tag } };
        await recordEvent(home.accounts, event);
        lines.push(
          holds.length === 0
            ? `${id} is no longer under a legal hold.\n`
            : `${id} is under a legal hold: ${holds.map(toTerminalText).join(', ')}.\n`,
        );
      }
      await output.write(lines.join(''));
      return 0;
    });
  },
});

/** `touchstone server`: the dashboard for a team, with accounts, until Ctrl-C. */
export const server = defineCommand({
  name: 'server',
  summary: 'serve the dashboard to a team, with accounts, projects and tokens',
  description:
    'Serves the dashboard to a team until Ctrl-C: people sign in, programs send tokens, and each project has its own runs, people and tokens. The first start prints an invitation for an administrator.',
  inputs: {
    port,
    host: text('<address>', 'the address to listen on (default: only this machine)'),
    url: serverUrl,
    behindProxy: flag('read the addresses of clients from X-Forwarded-For, which your proxy must set'),
    oidc: text(
      '<file>',
      'the settings of an identity provider that people can also sign in with (OpenID Connect)',
    ),
    rate: repeated(
      '<use=n>',
      'how many requests to answer: ingest or api per second, login per minute; may be repeated (default: ingest=200, api=20, login=5)',
    ),
    largestRun: parsed(
      '<mb>',
      'the size of the largest run that may be sent, in MB of its export (default: 4000)',
      wholeNumber(1, 1_000_000),
    ),
    store,
  },
  help: `
Examples:
  $ touchstone server                                      the first start prints an invitation
  $ touchstone server --store postgres://touchstone@127.0.0.1/evals
  $ touchstone server --url https://evals.example.org --behind-proxy
  $ touchstone server --url https://evals.example.org --behind-proxy --oidc oidc.yaml
  $ touchstone server invite ann --role reviewer
  $ touchstone server token ci --scope run --days 90
  $ touchstone server audit --verify
`,
  commands: [invite, remove, people, token, tokens, revoke, retention, hold, audit],
  run: async (input, output) =>
    await (await import('../../serve-team.ts')).serveTeamUntilStopped(input, output),
});
