import { type Command, Option } from 'commander';
import { roles, tokenScopes } from '../../core/schema/account/rights.ts';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { gather, wholeNumber } from './parse-option.ts';

const projectOption = () => new Option('--project <name>', 'the project').default('main');

const urlOption = () =>
  new Option('--url <address>', 'the address that people open (default: the port on this machine)');

/** Adds the command `touchstone server` with its own commands. */
export function addServer(program: Command, exitWith: ExitWith): void {
  const server = program
    .command('server')
    .summary('serve the dashboard to a team, with accounts, projects and tokens')
    .description(
      'Serves the dashboard to a team until Ctrl-C: people sign in, programs send tokens, and each project has its own runs, people and tokens. The first start prints an invitation for an administrator.',
    )
    .addOption(option.portOption())
    .addOption(new Option('--host <address>', 'the address to listen on (default: only this machine)'))
    .addOption(urlOption())
    .addOption(
      new Option(
        '--behind-proxy',
        'read the addresses of clients from X-Forwarded-For, which your proxy must set',
      ),
    )
    .addOption(
      new Option(
        '--oidc <file>',
        'the settings of an identity provider that people can also sign in with (OpenID Connect)',
      ),
    )
    .addOption(
      new Option(
        '--rate <use=n>',
        'how many requests to answer: ingest or api per second, login per minute; may be repeated (default: ingest=200, api=20, login=5)',
      ).argParser<string[]>(gather),
    )
    .addOption(option.storeOption())
    .addHelpText('after', examples.server)
    .action(async (flags) =>
      exitWith(await (await import('../commands/server/server.ts')).serverCommand(flags)),
    );
  addPeople(server, exitWith);
  addTokens(server, exitWith);
  addRetention(server, exitWith);
  server
    .command('audit')
    .summary('print the audit log, or verify its chain')
    .description(
      'Prints the audit log: who did what, when and from where. With --verify, checks its chain of hashes.',
    )
    .addOption(
      new Option('--verify', 'check that no entry was changed, removed or inserted; exit 1 if one was'),
    )
    .addOption(
      new Option('--head <hash>', 'with --verify: the hash that the log ended with at an earlier time'),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (_, command: Command) =>
      exitWith(await (await loadManage()).auditCommand(command.optsWithGlobals())),
    );
}

const loadManage = async () => await import('../commands/server/manage.ts');

function addPeople(server: Command, exitWith: ExitWith): void {
  server
    .command('invite')
    .summary('give a person a role in a project, and print an invitation')
    .description('Gives a person a role in a project, and prints the address where they choose a password.')
    .argument('<name>', 'the name to sign in with, such as ann')
    .addOption(new Option('--role <role>', 'what the person may do').choices(roles).default('viewer'))
    .addOption(projectOption())
    .addOption(urlOption())
    .addOption(option.storeOption())
    .action(async (name, _, command: Command) =>
      exitWith(await (await loadManage()).inviteCommand(name, command.optsWithGlobals())),
    );
  server
    .command('remove')
    .summary('remove a person from a project')
    .description('Removes a person from a project, and ends their sessions.')
    .argument('<name>', 'the name of the person')
    .addOption(projectOption())
    .addOption(option.storeOption())
    .action(async (name, _, command: Command) =>
      exitWith(await (await loadManage()).removeCommand(name, command.optsWithGlobals())),
    );
  server
    .command('people')
    .summary('list the people of a project with their roles')
    .description('Lists the people of a project with their roles.')
    .addOption(projectOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (_, command: Command) =>
      exitWith(await (await loadManage()).peopleCommand(command.optsWithGlobals())),
    );
}

function addTokens(server: Command, exitWith: ExitWith): void {
  server
    .command('token')
    .summary('create a token and print it once')
    .description('Creates a token and prints it once.')
    .argument('<name>', 'what it is for, such as ci')
    .addOption(
      new Option('--scope <scope>', `what it allows: ${tokenScopes.join(', ')}; may be repeated`)
        .choices(tokenScopes)
        .argParser<string[]>(gather)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--days <n>', 'how many days it is valid').argParser(wholeNumber(1, 365)).default(90),
    )
    .addOption(projectOption())
    .addOption(option.storeOption())
    .action(async (name, _, command: Command) =>
      exitWith(await (await loadManage()).createTokenCommand(name, command.optsWithGlobals())),
    );
  server
    .command('tokens')
    .summary('list the tokens of a project')
    .description('Lists the tokens of a project, the newest first.')
    .addOption(projectOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (_, command: Command) =>
      exitWith(await (await loadManage()).listTokensCommand(command.optsWithGlobals())),
    );
  server
    .command('revoke')
    .summary('revoke a token, so that its next use is refused')
    .description('Revokes a token: its next use is refused.')
    .argument('<id>', 'the id of the token')
    .addOption(projectOption())
    .addOption(option.storeOption())
    .action(async (id, _, command: Command) =>
      exitWith(await (await loadManage()).revokeTokenCommand(id, command.optsWithGlobals())),
    );
}

const loadRetention = async () => await import('../commands/server/retention.ts');

function addRetention(server: Command, exitWith: ExitWith): void {
  server
    .command('retention')
    .summary('remove records past their retention time, or change that time')
    .description(
      'Removes traces, feedback, runs and audit log entries past the retention times of each project; a server does this by itself every day. With --set, changes the retention times of a project and removes nothing.',
    )
    .addOption(
      new Option(
        '--set <kind=days>',
        'how long to keep traces, feedback, runs or audit: days, or never; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(new Option('--dry-run', 'say what would be removed, and remove nothing'))
    .addOption(projectOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (_, command: Command) =>
      exitWith(await (await loadRetention()).retentionCommand(command.optsWithGlobals())),
    );
  server
    .command('hold')
    .summary('put runs under a legal hold, or release them')
    .description('Puts runs under a legal hold: they cannot be deleted until they are released.')
    .argument('<run...>', 'ids of runs, or their first or last characters')
    .addOption(new Option('--tag <tag>', 'what the hold is for, such as case-7').makeOptionMandatory())
    .addOption(new Option('--release', 'end the hold of this tag'))
    .addOption(projectOption())
    .addOption(option.storeOption())
    .action(async (runs, _, command: Command) =>
      exitWith(await (await loadRetention()).holdCommand(runs, command.optsWithGlobals())),
    );
}
