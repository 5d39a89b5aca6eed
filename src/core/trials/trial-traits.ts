import { isContainer } from '../lib/json/is-container.ts';
import { storableText } from '../lib/text/storable-text.ts';
import { firstUnits } from '../lib/text/terminal-text.ts';
import type { Expected } from '../schema/expected.ts';
import type { Json } from '../schema/json.ts';
import { metricsMeasuring } from '../schema/metric.ts';
import type { Result } from '../schema/result.ts';
import { createErrorReportTest } from '../schema/run.ts';
import { inputMessages, toolCallsOf } from '../schema/trial.ts';
import { gapIn } from '../schema/verdict.ts';
import { contradictionRules } from './contradiction-rules.ts';
import { createContradictionFinder } from './find-contradictions.ts';
import { findMetric, readTools, type RunOfMetrics } from './verdict-evidence.ts';

/**
 * A text that a scored trial has for a field of filters of which it may have several, such as the name of a tool that it
 * called. Stores keep traits apart from the records, so that lists and counts read no records.
 */
export interface Trait {
  readonly field: string;
  readonly value: string;
  /** The calls that the trait is about, such as the failed calls of a tool; 1 where it is not about calls. */
  readonly count: number;
}

/** The longest text of a trait, in UTF-16 units. Longer names are cut, and end in an ellipsis. */
const longest = 500;

/** The text between two calls of a sequence. */
export const nextCall = ' → ';

/**
 * Returns the traits of a trial: its tools, the order of its calls, its conversation, how it handled a fault, labels and
 * contradictions of its verdicts, and the codes of those that are missing. A trial without scores has none.
 */
export function traitsOf(run: RunOfMetrics, result: Result): Trait[] {
  const { trial, verdicts, scorecard } = result;
  if (scorecard === null && Object.keys(verdicts).length === 0) return [];
  const traits = new Map<string, Trait>();
  const add = (field: string, name: string, count = 1): void => {
    const whole = storableText(firstUnits(name, longest + 1));
    const value = whole.length > longest ? `${firstUnits(whole, longest - 1)}…` : whole;
    const key = `${field} ${value}`;
    traits.set(key, { field, value, count: (traits.get(key)?.count ?? 0) + count });
  };
  if (trial.status === 'completed') {
    if (trial.toolsUnknown === true) add('toolsUnknown', 'true');
    else addTools(run, result, add);
  }
  addHandling(run, result, add);
  if (trial.conversation !== undefined) {
    add('turns', String(trial.conversation.turns.length));
    add('ending', trial.conversation.ended);
  }
  if (trial.spoilt !== undefined) add('invalid', trial.spoilt.kind);
  addVerdicts(run, result, add);
  return [...traits.values()];
}

/** Adds what the verdicts say besides their values: why one is missing, labels, a report of an error, contradictions. */
function addVerdicts(run: RunOfMetrics, { trial, verdicts }: Result, add: AddTrait): void {
  for (const [metric, verdict] of Object.entries(verdicts)) {
    if (verdict.status === 'failed') add(`gap.${metric}`, verdict.code);
    if (verdict.status === 'scored' && verdict.label !== undefined) add(`label.${metric}`, verdict.label);
  }
  const { isErrorReport, finder } = readersOf(run);
  if (isErrorReport({ trial, verdicts }) && gapIn(verdicts) !== 'invalidated') add('errorReport', 'true');
  finder.compare(verdicts, (kind, { contradicts }) => {
    if (contradicts) add('contradiction', finder.kinds[kind]?.name ?? '');
  });
}

/** The readers of verdicts, by the list of the metrics of a run. */
const readers = new WeakMap<RunOfMetrics['metrics'], ReturnType<typeof createReaders>>();

function createReaders(run: RunOfMetrics) {
  return {
    isErrorReport: createErrorReportTest(run),
    finder: createContradictionFinder(run, contradictionRules),
  };
}

function readersOf(run: RunOfMetrics): ReturnType<typeof createReaders> {
  const known = readers.get(run.metrics) ?? createReaders(run);
  readers.set(run.metrics, known);
  return known;
}

/** Returns the value of a trait as a filter compares it. */
export function traitValue({ field, value }: Pick<Trait, 'field' | 'value'>): string | number {
  return field === 'turns' ? Number(value) : value;
}

type AddTrait = (field: string, name: string, count?: number) => void;

const noTools = { expected: [], used: [], missing: [] };

function addTools(run: RunOfMetrics, result: Result, add: AddTrait): void {
  const { expected, used, missing } = readTools(run, result) ?? noTools;
  const wanted = new Set([...expected, ...namesInRules(result.case.expected)]);
  const seen = new Set(used);
  const absent = new Set([...missing, ...[...wanted].filter((tool) => !seen.has(tool))]);
  const calls = ownCalls(result).map(({ name }) => name);
  const { failed = failedCalls(result), wrong } = readCallEvidence(run, result);
  for (const tool of wanted) add('expectedTool', tool);
  for (const tool of used) add('tool', tool, 0);
  for (const tool of calls) add('tool', tool);
  for (const tool of absent) add('missingTool', tool);
  for (const tool of failed) add('failedTool', tool);
  for (const tool of wrong ?? []) add('wrongTool', tool);
  if (wrong !== undefined) add('arguments', wrong.length > 0 ? 'wrong' : 'right');
  if (calls.length > 0) add('calls', nameSequence(calls));
}

/** Returns calls in their order as one text, `search ×2 → book`: calls of one tool in a row are one step. */
function nameSequence(calls: readonly string[]): string {
  const steps: { tool: string; times: number }[] = [];
  for (const tool of calls) {
    const last = steps.at(-1);
    if (last?.tool === tool) last.times += 1;
    else steps.push({ tool, times: 1 });
  }
  return steps.map(({ tool, times }) => (times === 1 ? tool : `${tool} ×${times}`)).join(nextCall);
}

/** Adds the label of how a fault in a tool was handled, alone and with each tool that failed. */
function addHandling(run: RunOfMetrics, { trial, verdicts }: Result, add: AddTrait): void {
  const metric = metricsMeasuring(run, 'handled-fault')[0]?.name;
  const verdict = metric === undefined ? undefined : verdicts[metric];
  if (verdict?.status !== 'scored' || verdict.label === undefined) return;
  add('handling', verdict.label);
  for (const { name, fault } of toolCallsOf(trial.transcript))
    if (fault !== undefined) add('handling', handlingIn(verdict.label, name));
}

/** Returns the value of `handling` for a way in which a fault in one tool was handled. */
export function handlingIn(label: string, tool: string): string {
  return `${label} in ${tool}`;
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
function readCallEvidence(run: RunOfMetrics, { verdicts }: Result): CallEvidence {
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
