import type { ListedServer, QuestionCounts } from '../../core/schema/tools/listed-server.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { createRefusals } from './decide-call.ts';
import { compileResultTest } from './match-call.ts';
import { functionsName, type ToolsSetting } from './tools-setting.ts';

/** A tool as a config or a question names it. */
interface NamedTool {
  readonly name: string;
  readonly server?: string;
}

/** The most names that a message lists. */
const mostNames = 12;

/**
 * Returns why no tool can have a name; undefined for a name that a server lists, that a server without a list may have, and for a
 * pattern. Functions of a bot are in no list: `functions.get_order` names one.
 */
export function findNameProblem(
  { name, server }: NamedTool,
  servers: readonly ListedServer[],
): string | undefined {
  if (servers.length === 0 || name.includes('*') || (server === undefined && isListed(name, servers)))
    return undefined;
  const known = [functionsName, ...servers.map((each) => each.name)];
  const prefix = server === undefined ? known.find((each) => name.startsWith(`${each}.`)) : undefined;
  const of = server ?? prefix;
  if (of === functionsName) return undefined;
  if (of !== undefined && !known.includes(of))
    return `there is no server "${of}" of tools.${didYouMean(of, known)}`;
  const plain = prefix === undefined ? name : name.slice(prefix.length + 1);
  const asked = servers.filter((each) => of === undefined || each.name === of);
  const mayHave = isListed(plain, asked) || asked.some(({ tools }) => tools === undefined);
  // A request over HTTP that no operation describes is named by its method and path.
  return mayHave || /^[A-Z]+ \//.test(plain) ? undefined : describeUnlisted(plain, asked);
}

function isListed(name: string, servers: readonly ListedServer[]): boolean {
  return servers.some(({ tools }) => tools?.some((tool) => tool.name === name) === true);
}

function describeUnlisted(name: string, servers: readonly ListedServer[]): string {
  const names = servers.flatMap(({ tools = [] }) => tools.map((tool) => tool.name));
  const shown = `${names.slice(0, mostNames).join(', ') || 'none'}${names.length > mostNames ? ', …' : ''}`;
  return `no server lists a tool "${name}".${didYouMean(name, names) || ` Listed are ${shown}.`} A function of the bot is named \`${functionsName}.${name}\``;
}

/** Returns the first problem of the names in `mocks`, `deny` and `allow`, with its place; undefined when there is none. */
export function findSettingProblem(
  { mocks, deny = [], allow = [] }: ToolsSetting,
  servers: readonly ListedServer[],
): { readonly path: string; readonly message: string } | undefined {
  const named = [
    ...mocks.map((mock, index) => ({ path: `mocks[${index}].name`, ...mock })),
    ...deny.map((name, index) => ({ path: `deny[${index}]`, name })),
    ...allow.map((name, index) => ({ path: `allow[${index}]`, name })),
  ];
  for (const { path, ...tool } of named) {
    const message = findNameProblem(tool, servers);
    if (message !== undefined) return { path, message };
  }
  return undefined;
}

/** Returns the tools that really act and may change something: those that are listed, and neither refused nor mocked in every question. */
export function findActing(setting: ToolsSetting, servers: readonly ListedServer[]): string[] {
  const refusals = createRefusals(setting, []);
  const mocked = setting.mocks
    .filter(({ arguments: some, result, error }) => some === undefined && (result ?? error) !== undefined)
    .map(compileResultTest);
  return usesOf(servers)
    .filter((use) => use.isReadOnly !== true && refusals.find(use, 1) === undefined)
    .filter((use) => !mocked.some((matches) => matches(use)))
    .map(({ name }) => name);
}

/** Returns one use of each listed tool, without arguments. */
function usesOf(servers: readonly ListedServer[]) {
  return servers.flatMap(({ name: server, tools = [] }) =>
    tools.map(({ name, isReadOnly }) => ({ server, name, isReadOnly, arguments: {} })),
  );
}

/** Returns the line of a plan: which tools a run uses, and whether they really act. */
export function describeTools(
  setting: ToolsSetting,
  servers: readonly ListedServer[],
  { questions, mocked }: QuestionCounts,
): string {
  const { mode, missing, act, deny = [], allow = [], mocks, cassette = 'none' } = setting;
  const all = usesOf(servers);
  const refusals = createRefusals(setting, []);
  const refused = all.filter((use) => refusals.find(use, 1) !== undefined).length;
  const acting = findActing(setting, servers);
  const changing = `yes, at least ${count(acting.length, 'tool')} that may change things (${acting.slice(0, 3).join(', ')}${acting.length > 3 ? ', …' : ''})`;
  const real = act === 'read-only' ? 'yes, only of tools that change nothing' : 'yes';
  const isReplayed = mode === 'replay' && missing !== 'real';
  return [
    [functionsName, ...servers.map((each) => describeServer(each, setting))].join(', '),
    `real calls: ${isReplayed ? 'no, replayed' : acting.length > 0 ? changing : real}`,
    ...(deny.length > 0 ? [`denied: ${deny.join(', ')}`] : []),
    ...(allow.length > 0 ? [`allowed: ${allow.join(', ')}`] : []),
    ...(refused > 0 ? [`refused: ${refused} of ${count(all.length, 'tool')}`] : []),
    ...(mocks.length > 0 ? [`mocked: ${mocks.map(({ name }) => name).join(', ')}`] : []),
    ...(mocked > 0 ? [`mocked in ${mocked} of ${count(questions, 'question')}`] : []),
    `cassette ${cassette}`,
  ].join(' · ');
}

function describeServer({ name, tools }: ListedServer, setting: ToolsSetting): string {
  const noun = setting.servers[name]?.http === undefined ? 'tool' : 'operation';
  return `${name} (${tools === undefined ? 'cannot be listed' : count(tools.length, noun)})`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
