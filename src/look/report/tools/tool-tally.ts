import { isContainer } from '../../../core/lib/json/is-container.ts';
import { getOrCreate } from '../../../core/lib/objects.ts';
import type { ToolRow, ToolSequence, ToolTarget } from '../../../core/schema/api/tools-view.ts';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { inputMessages, toolCallsOf } from '../../../core/schema/trial.ts';
import { findMetric, readTools } from '../read-evidence.ts';
import { countTrial, noTrials } from './count-trials.ts';

/** The part of a target's tool calls that a tally counts. */
export type TalliedTools = Pick<
  ToolTarget,
  'trials' | 'answered' | 'unknown' | 'withCalls' | 'hasArguments' | 'tools' | 'sequences' | 'others'
>;

const mostTools = 1_000;
const mostSequences = 10_000;
const shownSequences = 20;

/** Creates a tally of the tool calls of one target, in memory that does not grow with the number of results. */
export function createToolTally(run: Run) {
  const counts = { trials: 0, answered: 0, unknown: 0, withCalls: 0, hasArguments: false };
  const tools = new Map<string, ToolRow>();
  const sequences = createSequenceTally();
  const rowOf = (tool: string): ToolRow | undefined =>
    tools.size >= mostTools ? tools.get(tool) : getOrCreate(tools, tool, () => emptyRow(tool));

  const addCalls = (result: Result): void => {
    const { id } = result.case;
    const { expected = [], used = [], missing = [] } = readTools(run, result) ?? {};
    const wanted = [...new Set([...expected, ...namesInRules(result.case.expected)])];
    const absent = [...new Set([...missing, ...wanted.filter((tool) => !used.includes(tool))])];
    const calls = Map.groupBy(ownCalls(result), ({ name }) => name);
    const evidence = readCallEvidence(run, result);
    counts.hasArguments ||= evidence.wrong !== undefined;
    const failed = evidence.failed ?? failedCalls(result);
    const count = (names: Iterable<string>, cell: 'expected' | 'used' | 'missing' | 'failed' | 'wrong') => {
      for (const name of names) {
        const row = rowOf(name);
        if (row !== undefined) countTrial(row[cell], id);
      }
    };
    count(wanted, 'expected');
    count(used, 'used');
    count(absent, 'missing');
    count(new Set(failed), 'failed');
    count(new Set(evidence.wrong), 'wrong');
    for (const [name, made] of calls) (rowOf(name) ?? emptyRow(name)).calls += made.length;
    for (const name of failed) (rowOf(name) ?? emptyRow(name)).failedCalls += 1;
    for (const name of evidence.wrong ?? []) (rowOf(name) ?? emptyRow(name)).wrongCalls += 1;
    if (calls.size > 0) counts.withCalls += 1;
    sequences.add(result);
  };

  return {
    add: (result: Result): void => {
      const { status, toolsUnknown } = result.trial;
      if (status === 'cancelled') return;
      counts.trials += 1;
      if (status !== 'completed') return;
      counts.answered += 1;
      if (toolsUnknown === true) counts.unknown += 1;
      else addCalls(result);
    },
    summarize: (): TalliedTools => ({
      ...counts,
      tools: [...tools.values()].toSorted(
        (one, other) => other.missing.trials - one.missing.trials || other.calls - one.calls,
      ),
      ...sequences.summarize(),
    }),
  };
}

function emptyRow(tool: string): ToolRow {
  const [expected, used, missing, failed, wrong] = Array.from({ length: 5 }, noTrials);
  const counts = { calls: 0, failedCalls: 0, wrongCalls: 0 };
  return { tool, expected, used, missing, failed, wrong, ...counts } as ToolRow;
}

/** Returns the calls of the target, without those in the messages that the case begins with. */
function ownCalls({ case: { input }, trial: { transcript } }: Result) {
  return toolCallsOf(transcript.slice(inputMessages(input).length));
}

function failedCalls(result: Result): string[] {
  return ownCalls(result).flatMap(({ name, error }) => (error === undefined ? [] : [name]));
}

/** Returns the names of the calls that the rules of a case ask for; those that a matcher describes have none. */
function namesInRules({ calls = [] }: Expected): string[] {
  const lists = Array.isArray(calls) ? [calls] : [calls.expect ?? [], calls.must ?? []];
  return lists.flat().flatMap((item) => {
    const items = typeof item === 'object' && 'together' in item ? item.together : [item];
    return items.flatMap((call) => {
      const name = typeof call === 'string' ? call : call.name;
      return typeof name === 'string' ? [name] : [];
    });
  });
}

/** The tools of calls, one name for each call, as metrics of tool calls recorded them. */
interface CallEvidence {
  /** The failed calls; undefined where no metric looked for them. */
  readonly failed?: readonly string[];
  /** The calls with wrong arguments; undefined where no metric compared them. */
  readonly wrong?: readonly string[];
}

/**
 * Reads the evidence of metrics of the family `tools` by its form: `failed`, a list of calls, and `calls` or `pairs`, lists
 * of actual calls with how many of their arguments are right, or with their credit.
 */
function readCallEvidence(run: Run, { verdicts }: Result): CallEvidence {
  let found: CallEvidence = {};
  for (const [metric, verdict] of Object.entries(verdicts)) {
    if (verdict.status !== 'scored' || findMetric(run, metric)?.family !== 'tools') continue;
    const { evidence } = verdict;
    const failed = listIn(evidence, 'failed')?.flatMap(nameOf);
    const compared = [...(listIn(evidence, 'calls') ?? []), ...(listIn(evidence, 'pairs') ?? [])].filter(
      isCompared,
    );
    found = {
      failed,
      ...(compared.length > 0 && {
        wrong: compared.filter(isWrong).flatMap(({ actual }) => nameOf(actual)),
      }),
      ...found,
    };
  }
  return found;
}

type ComparedCall = { readonly [field: string]: Json } & { readonly actual: Json };

function isCompared(item: Json): item is ComparedCall {
  return isContainer(item) && !Array.isArray(item) && 'actual' in item;
}

function isWrong({ right, total, credit }: ComparedCall): boolean {
  if (typeof right === 'number' && typeof total === 'number') return right < total;
  return typeof credit === 'number' && credit < 1;
}

function listIn(evidence: Json | undefined, name: string): Json[] | undefined {
  if (!isContainer(evidence) || Array.isArray(evidence)) return undefined;
  const list = evidence[name];
  return Array.isArray(list) ? list : undefined;
}

/** Returns the name of the tool in the text of a call, `search(query: "…")`. */
function nameOf(call: Json): string[] {
  const name = typeof call === 'string' ? /^[^(]+/.exec(call)?.[0] : undefined;
  return name === undefined ? [] : [name];
}

function createSequenceTally() {
  const sequences = new Map<string, ToolSequence>();
  const others = { sequences: 0, trials: 0 };
  return {
    add: (result: Result): void => {
      const steps = toSteps(ownCalls(result).map(({ name }) => name));
      const key = JSON.stringify(steps);
      const known = sequences.get(key);
      if (known === undefined && sequences.size >= mostSequences) {
        others.trials += 1;
        return;
      }
      const sequence = known ?? { steps, trials: 0, caseIds: [], measured: 0, passed: 0 };
      sequences.set(key, sequence);
      countTrial(sequence, result.case.id);
      const passed = result.scorecard?.passed ?? null;
      if (passed !== null) sequence.measured += 1;
      if (passed === true) sequence.passed += 1;
    },
    summarize: (): Pick<ToolTarget, 'sequences' | 'others'> => {
      const sorted = [...sequences.values()].toSorted((one, other) => other.trials - one.trials);
      const rest = sorted.slice(shownSequences);
      const trials = rest.reduce((sum, sequence) => sum + sequence.trials, others.trials);
      return { sequences: sorted.slice(0, shownSequences), others: { sequences: rest.length, trials } };
    },
  };
}

function toSteps(names: readonly string[]): ToolSequence['steps'] {
  const steps: ToolSequence['steps'] = [];
  for (const tool of names) {
    const last = steps.at(-1);
    if (last?.tool === tool) last.times += 1;
    else steps.push({ tool, times: 1 });
  }
  return steps;
}
