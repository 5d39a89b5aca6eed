import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { makeFolder } from '../../../core/lib/make-folder.ts';
import { redactPersonal } from '../../../core/lib/redact-personal.ts';
import { replaceFile } from '../../../core/lib/files/replace-file.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { ListedServer, ListedTool } from '../../../core/schema/tools/listed-server.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { RunTools } from '../../../core/schema/tools/run-tools.ts';
import type { EvaluationTools } from '../../../evaluate/run/evaluation.ts';
import {
  createCassetteWriter,
  type MatchRules,
  type RecordedCall,
} from '../../../evaluate/tools/cassette.ts';
import { type ToolsReport, joinCalls, joinReports } from '../../../core/schema/tools/tools-report.ts';
import {
  describeTools,
  findActing,
  findNameProblem,
  findSettingProblem,
} from '../../../evaluate/tools/listed-tools.ts';
import type { ToolsSetting } from '../../../evaluate/tools/tools-setting.ts';
import type { Store } from '../../../stores/store.ts';
import type { ResolvedTools } from './resolve-tools.ts';

/** Returns the tools of an evaluation as a run uses them. */
export function runToolsOf(tools: ResolvedTools): EvaluationTools {
  const { hub, record } = tools;
  const { setting } = hub;
  const keyed = Object.values(setting.servers).map(
    ({ http, idempotency }) => http !== undefined && idempotency,
  );
  let servers: readonly ListedServer[] = [];
  const learn = lazily(async () => {
    if (!tools.isUsed()) return [];
    servers = await hub.list();
    return checkLists(setting, servers);
  });
  return {
    record,
    mayAct: setting.mode !== 'replay' || setting.missing === 'real',
    isKeyed: keyed.length > 0 && keyed.every((isKeyed) => isKeyed),
    fixedPorts: Object.entries(setting.servers).flatMap(([name, { port }]) =>
      port === undefined ? [] : [`tools.servers.${name}.port`],
    ),
    learn,
    problemOf: (result) => findNameProblem(result, servers),
    acting: () => (tools.isOffline ? [] : findActing(setting, servers)),
    describe: (counts) => describeTools(setting, servers, counts),
    list: async () => await hub.list(),
    report: () => hub.report(),
    finish: async (run, { store, others, notify }) => {
      const report = others.reduce(joinReports, hub.report());
      describeReport(run, report, setting).forEach(notify);
      const late = joinCalls(run.tools?.late, report.late);
      const unattributed = joinCalls(run.tools?.unattributed, report.unattributed);
      const strays = Object.entries({ late, unattributed }).filter(([, calls]) => calls.length > 0);
      const ended: RunTools = { ...record, lists: listsOf(setting, servers), ...Object.fromEntries(strays) };
      const problem = await keepRecording(tools, { ...run, tools: ended }, store);
      if (problem !== undefined) notify(problem);
      return ended;
    },
  };
}

/** Returns the lists of the MCP servers; undefined when there are none. */
function listsOf({ servers: named }: ToolsSetting, servers: readonly ListedServer[]): RunTools['lists'] {
  const listed = servers.flatMap(({ name, tools }) =>
    tools === undefined || named[name]?.mcp === undefined
      ? []
      : [[name, [...tools]] as [string, ListedTool[]]],
  );
  return listed.length === 0 ? undefined : Object.fromEntries(listed);
}

/**
 * Checks the names in a setting against what its servers list. Returns notices about servers that cannot be listed. Throws `config-invalid`,
 * and `target-unreachable` for a program that does not start.
 */
function checkLists(setting: ToolsSetting, servers: readonly ListedServer[]): string[] {
  const failed = servers.filter(({ failure }) => failure !== undefined);
  for (const { name, failure } of failed) {
    const isInstalled = !(failure instanceof TouchstoneError && failure.code === 'package-missing');
    if (isInstalled && setting.servers[name]?.mcp?.command !== undefined) throw failure;
  }
  const problem = findSettingProblem(setting, servers);
  if (problem !== undefined)
    throw new TouchstoneError('config-invalid', `\`tools.${problem.path}\`: ${problem.message}.`);
  return failed.map(
    ({ name, failure }) =>
      `The tools of ${name} cannot be listed, so that names of tools are not checked: ${messageOf(failure)}`,
  );
}

/** Returns notices about what did not go as it was meant. */
function describeReport(run: Run, report: ToolsReport, { mocks }: ToolsSetting): string[] {
  const { unusedMocks, unusedResults, isUntouched, unreported = 0 } = report;
  const counts = run.summary?.targets.map((each) => each.counts) ?? [];
  const isAnswered = counts.some(({ measured, notMeasured }) => measured + notMeasured > 0);
  const isComplete = run.status === 'completed' && unreported === 0;
  const unused = isComplete ? unusedMocks.map((index) => `mocks[${index}] (${mocks[index]?.name})`) : [];
  const results = isComplete ? Object.entries(unusedResults).filter(([, names]) => names.length > 0) : [];
  const shown = results.slice(0, mostShown).map(([id, names]) => `${shorten(id, 40)}: ${names.join(', ')}`);
  const others = results.length - shown.length;
  return [
    ...(isUntouched && isAnswered && unreported === 0 ? [untouched] : []),
    ...(unused.length > 0 ? [`No call matched ${unused.join(', ')}.`] : []),
    ...(shown.length > 0
      ? [
          `No call matched these results of questions: ${shown.join('; ')}${others > 0 ? `; and of ${others} more` : ''}.`,
        ]
      : []),
    ...describeStrays(report),
  ];
}

/** Returns notices about calls that were not carried out, and about workers without a report. */
function describeStrays({ late, unattributed, unreported = 0 }: ToolsReport): string[] {
  return [
    ...(unreported > 0 ? [describeUnreported(unreported)] : []),
    ...(late.length > 0
      ? [`${listCalls(late, 'late call')} came after the end of the attempt, and were not carried out.`]
      : []),
    ...(unattributed.length > 0
      ? [
          `${listCalls(unattributed, 'call')} belonged to no attempt, and were not carried out: what attempts in flight called is not measured. Use the address that comes with each question, or another way (docs/tools.md).`,
        ]
      : []),
  ];
}

function describeUnreported(workers: number): string {
  const who = workers === 1 ? 'A worker' : `${workers} workers`;
  return `${who} ended without a report of what came to the tools: late calls, and calls that belonged to no attempt, may be missing from the counts.`;
}

/** The most questions with unused results that a notice lists. */
const mostShown = 5;

/** Writes the cassette of a run that records. Returns why it was not written. */
async function keepRecording(
  { hub, record, file, cassette }: ResolvedTools,
  run: Run,
  store: Store,
): Promise<string | undefined> {
  const { mode, match, redact } = hub.setting;
  const shown = record.cassette?.path;
  if (shown === undefined || file === undefined || (mode !== 'record' && mode !== 'record-missing'))
    return undefined;
  if (run.status !== 'completed')
    return `The cassette ${shown} is not written, since attempts are missing. Continue the run, or: touchstone tools record ${run.id} -o ${shown}`;
  const before = mode === 'record' ? undefined : cassette;
  const text = await cassetteOf(run, store, { match, redact, before });
  if (text.split('\n').length === 2)
    return `The cassette ${shown} is not written: no call of a tool came to Touchstone.`;
  return await writeCassette(file, text, shown);
}

const untouched =
  'No call of a tool came to Touchstone in this run. Hand the bot the addresses that come with each question: `{{tools.NAME}}` in `env`, `url` or `body`, the field `tools` of a line, or `request.tools` (docs/tools.md).';

function listCalls(calls: readonly { name: string; calls: number }[], noun: string): string {
  const total = calls.reduce((sum, each) => sum + each.calls, 0);
  const names = calls
    .slice(0, 5)
    .map(({ name, calls: number }) => (number === 1 ? name : `${name} (${number})`));
  return `${total} ${noun}${total === 1 ? '' : 's'}: ${names.join(', ')}`;
}

async function writeCassette(file: string, text: string, shown: string): Promise<string | undefined> {
  try {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return undefined;
    makeFolder(path.dirname(file));
    await replaceFile(file, [text], 0o666);
    return undefined;
  } catch (error) {
    return `The cassette ${shown} cannot be written: ${messageOf(error)}`;
  }
}

/** The choices of a cassette that is made of a run. */
interface CassetteChoices {
  readonly match: MatchRules;
  readonly redact?: 'personal';
  readonly before?: ResolvedTools['cassette'];
}

/** Returns the cassette of a stored run: what the tools of its targets answered. */
export async function cassetteOf(
  run: Run,
  store: Store,
  { match, redact, before }: CassetteChoices,
): Promise<string> {
  const plain = new Set(withoutConditions(run.targets).map(({ name }) => name));
  const writer = createCassetteWriter({
    match,
    before,
    lists: run.tools?.lists,
    redact: redact === 'personal' ? withoutPersonal : undefined,
  });
  for await (const batch of store.readTrials(run.id))
    for (const { trial } of batch) if (plain.has(trial.target)) writer.add(trial);
  return writer.finish();
}

function withoutPersonal(call: RecordedCall): RecordedCall {
  const change = (value: Json): Json => {
    if (typeof value === 'string') return redactPersonal(value);
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null || 'digits' in value) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]));
  };
  const { result, error, arguments: args } = call;
  return {
    ...call,
    arguments: change(args),
    result: result && change(result),
    error: error && redactPersonal(error),
  };
}
