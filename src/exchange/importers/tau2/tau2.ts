import { parseIfReadable } from '../content/rows.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { modelsFor } from '../asked-models.ts';
import { collectTrials } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import type { Importer, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asObject, asText, type Fields, jsonObject, objectsIn } from '../values.ts';
import { translateSimulation } from './translate-simulation.ts';
import { translateTask } from './translate-task.ts';

/**
 * Tasks and results of τ²-bench: `tasks.json`, a file of results, or the folder of an experiment with `results.json` and
 * `simulations/`.
 * @see https://github.com/sierra-research/tau2-bench
 */
export const tau2: Importer = {
  name: 'tau2',
  title: 'τ²-bench',
  reads: [],
  readsNearby: true,
  detect(content) {
    const found = find(content);
    return found === undefined ? undefined : describe(found);
  },
  isRecorded(content) {
    return (find(content)?.simulations.length ?? 0) > 0;
  },
  async read(content, ledger) {
    const found = find(content);
    if (found === undefined) {
      const message = `${content.name}: it contains neither tasks nor results of τ²-bench.`;
      throw new TouchstoneError('import-invalid', message);
    }
    return translate(found, ledger);
  },
};

/** A file of tasks, or of results with their tasks. */
interface Tau2File {
  readonly tasks: readonly Fields[];
  readonly simulations: readonly Fields[];
  readonly info: Fields;
}

function find(content: ImportContent): Tau2File | undefined {
  if (content.form === 'folder') return findInFolder(content);
  if (content.form !== 'json') return undefined;
  if (Array.isArray(content.value)) {
    const tasks = objectsIn(content.value);
    const isTasks = tasks.length > 0 && tasks.length === content.value.length && tasks.every(isTask);
    return isTasks ? { tasks, simulations: [], info: {} } : undefined;
  }
  return resultsIn(content.value);
}

/** Reads the folder of an experiment, which has each simulation in a file of its own. */
function findInFolder({ names, files }: Extract<ImportContent, { form: 'folder' }>): Tau2File | undefined {
  if (!names.includes('results.json')) return undefined;
  const valueOf = (name: string): unknown => {
    const parsed = parseIfReadable(files, name);
    return parsed !== undefined && 'value' in parsed ? parsed.value : undefined;
  };
  const results = resultsIn(valueOf('results.json'));
  if (results === undefined) return undefined;
  const apart = names.filter((name) => /^simulations[\\/][^\\/]+\.json$/.test(name));
  const known = new Set(results.simulations.map(({ id }) => id));
  const others = objectsIn(apart.map(valueOf)).filter(({ id }) => !known.has(id));
  return { ...results, simulations: [...results.simulations, ...others] };
}

function resultsIn(value: unknown): Tau2File | undefined {
  const { tasks, simulations, info } = asObject(value) ?? {};
  const known = asObject(info);
  if (!Array.isArray(tasks) || known?.environment_info === undefined) return undefined;
  return { tasks: objectsIn(tasks), simulations: objectsIn(simulations), info: known };
}

function isTask(task: Fields): boolean {
  return 'user_scenario' in task && ('evaluation_criteria' in task || 'initial_state' in task);
}

function describe({ tasks, simulations, info }: Tau2File): string {
  const domain = domainOf(info);
  const of = domain === undefined ? '' : ` in the domain ${domain}`;
  const counted = formatPlural(tasks.length, 'task');
  return simulations.length === 0
    ? `${counted} of τ²-bench${of}`
    : `results of τ²-bench${of}, ${formatPlural(simulations.length, 'simulation')} of ${counted}`;
}

function domainOf(info: Fields): string | undefined {
  return asText(asObject(info.environment_info)?.domain_name);
}

function translate(found: Tau2File, ledger: Ledger): Translation {
  const { tasks, simulations, info } = found;
  const isJudged = simulations.length > 0;
  const firstSaid = new Map<string, string>();
  for (const { task_id: id, messages } of simulations) {
    const said = asText(objectsIn(messages).find(({ role }) => role === 'user')?.content);
    if (said !== undefined && !firstSaid.has(String(id))) firstSaid.set(String(id), said);
  }
  const context = { domain: domainOf(info), isJudged, ledger };
  const cases = new Map(
    tasks.map((task) => [
      String(task.id),
      translateTask(task, { ...context, firstSaid: firstSaid.get(String(task.id)) }),
    ]),
  );
  const agent = asObject(info.agent_info) ?? {};
  const target = asText(agent.llm) ?? asText(agent.implementation) ?? 'agent';
  const answered = simulations.map((simulation) =>
    translateSimulation(simulation, { testCase: cases.get(String(simulation.task_id)), target, ledger }),
  );
  const asked = new Set(answered.map(({ caseKey }) => caseKey));
  const unasked = [...cases].filter(([id]) => !asked.has(id));
  const trials = [...answered, ...unasked.map(([id, testCase]) => ({ caseKey: id, name: id, testCase }))];
  const { cases: lines, answers } = collectTrials(trials, { title: tau2.title, total: 'reward', ledger });
  const hasChecks = lines.some(({ expected }) => asObject(expected)?.checks !== undefined);
  noteSettings(info, ledger);
  return {
    found: describe(found),
    description: `τ²-bench: ${describe(found)}`,
    ...(asText(info.git_commit) !== undefined && { version: String(info.git_commit).slice(0, 12) }),
    cases: lines,
    answers,
    callsNothing: !hasChecks,
    files: isJudged ? { 'tau2.json': `${JSON.stringify(jsonObject({ info }), null, 2)}\n` } : {},
    config: jsonObject({
      ...(hasChecks && { metrics: ['case-checks'], ...modelsFor(new Set(['judge']), {}, ledger) }),
      unread: ['calls'],
    }),
  };
}

function noteSettings(info: Fields, ledger: Ledger): void {
  const names = ['environment_info', 'agent_info', 'user_info', 'max_steps', 'max_errors', 'seed'];
  for (const name of names.filter((each) => info[each] !== undefined))
    ledger.keep(`${name} (tau2.json)`, info[name]);
}
