import { forgetTraces, importTraces, listTraces, readTrace } from '../../../library/api/cases/traces.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { openStore, openWritableStore } from '../../open-store.ts';
import { claimStdout } from '../../output.ts';
import { damagedCode } from '../check.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { DescribedTrace, TraceProposal } from '../../../core/schema/trace/described-trace.ts';
import type { TraceHead } from '../../../core/schema/trace/stored-trace.ts';
import type { ForgottenTraces } from '../../../cases/traces/forget-traces.ts';
import type { TraceReceipt } from '../../../cases/traces/receive-spans.ts';

/** The options of the `touchstone traces` commands, as parsed from the command line. */
export interface TracesFlags {
  readonly limit: number;
  readonly trace?: readonly string[];
  readonly user?: readonly string[];
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone traces import FILE`: adds the traces of a file. Returns the exit code: 2 when spans were not stored. */
export async function importCommand(file: string, flags: TracesFlags): Promise<number> {
  const output = claimStdout();
  const store = await openWritableStore(flags.store);
  try {
    const receipt = await importTraces(file, { store });
    await output.write(flags.json === true ? jsonDocument(receipt) : describeTraceReceipt(receipt));
    return Object.keys(receipt.rejected).length === 0 ? 0 : damagedCode;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone traces list`: lists the newest traces. Returns the exit code. */
export async function listCommand(flags: TracesFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const heads = await listTraces({ store, limit: flags.limit });
    const all = await store.traces.count();
    await output.write(flags.json === true ? jsonDocument(heads) : describeHeads(heads, all));
    return 0;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone traces show ID`: prints a trace with the cases made of it. Returns the exit code. */
export async function showCommand(id: string, flags: TracesFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const trace = await readTrace(id, { store });
    await output.write(flags.json === true ? jsonDocument(trace) : describeOneTrace(trace));
    return 0;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone traces forget`: erases traces with the proposals made of them. Returns the exit code. */
export async function forgetCommand(flags: TracesFlags): Promise<number> {
  const { trace: traces = [], user: users = [] } = flags;
  if (traces.length + users.length === 0) {
    throw new TouchstoneError('usage-invalid', 'No trace and no user to forget is named.', {
      remedy: 'Name traces or users: `--trace ID`, `--user ID`; both may be repeated.',
    });
  }
  const output = claimStdout();
  const store = await openWritableStore(flags.store);
  try {
    const forgotten = await forgetTraces({ store, traces, users });
    await output.write(flags.json === true ? jsonDocument(forgotten) : describeForgotten(forgotten));
    return 0;
  } finally {
    await store.close();
  }
}

/** Describes the fate of imported spans. */
function describeTraceReceipt({ added, known, traces, rejected }: TraceReceipt): string {
  const refused = Object.entries(rejected);
  return toText([
    `Added ${formatPlural(added, 'span')} of ${formatPlural(traces, 'trace')}; ${known} were already there.`,
    ...refused.map(([reason, count]) => `Not stored: ${formatPlural(count, 'span')}, since ${reason}.`),
  ]);
}

/** Describes a list of traces, one a line. */
function describeHeads(heads: readonly TraceHead[], all: number): string {
  if (heads.length === 0)
    return 'There are no traces yet: `touchstone traces import FILE`, or `touchstone view --ingest`.\n';
  const lines = heads.map(({ traceId, startedAt, receivedAt, spans, conversation }) =>
    [
      toTerminalText(traceId),
      startedAt ?? `received ${receivedAt}`,
      formatPlural(spans, 'span'),
      ...(conversation === null ? [] : [`conversation ${toTerminalText(conversation)}`]),
    ].join('  '),
  );
  const more = all - heads.length;
  return toText([...lines, ...(more > 0 ? [`and ${more} more: --limit`] : [])]);
}

/** Describes a trace: its answer, what people said, and the cases made of it. */
function describeOneTrace(trace: DescribedTrace): string {
  const { traceId, startedAt, receivedAt, spans, question, answer, tools, error, cost, tokens } = trace;
  return toText([
    `Trace ${toTerminalText(traceId)}, ${startedAt ?? `received ${receivedAt}`}, ${formatPlural(spans, 'span')}`,
    `question: ${question === null ? 'not recorded' : toTerminalText(question)}`,
    `answer: ${answer === null ? 'not recorded' : toTerminalText(answer)}`,
    `tools: ${tools.length === 0 ? 'none' : tools.map(toTerminalText).join(', ')}`,
    ...(error === null ? [] : [`error: ${toTerminalText(error)}`]),
    ...(cost === null ? [] : [`cost: $${cost}`]),
    ...(tokens === null ? [] : [`tokens: ${tokens}`]),
    ...Object.entries(trace.evaluations).map(
      ([name, value]) => `evaluation ${toTerminalText(name)}: ${toTerminalText(String(value))}`,
    ),
    ...trace.feedback.map(
      ({ at, signal, value, text }) =>
        `feedback of ${at}: ${signal}${value === undefined ? '' : ` ${String(value)}`}${text === undefined ? '' : `: ${toTerminalText(text)}`}`,
    ),
    ...(trace.proposals.length === 0 ? ['No case was proposed of it.'] : []),
    ...trace.proposals.flatMap(describeProposal),
  ]);
}

function describeProposal({ id, dataset, state, caseId, results }: TraceProposal): string[] {
  const where = caseId === null ? '' : `, the case ${toTerminalText(caseId)}`;
  return [
    `${id} for ${toTerminalText(dataset)}: ${state}${where}`,
    ...(caseId !== null && results.length === 0 ? ['  no run has had it yet'] : []),
    ...results.map(({ run, createdAt, target, attempt, status, score, passed }) => {
      const outcome = status === 'completed' ? describeScore(score, passed) : status;
      return `  ${createdAt.slice(0, 10)} ${run.slice(0, 8)} ${toTerminalText(target)} attempt ${attempt}: ${outcome}`;
    }),
  ];
}

function describeScore(score: number | null, passed: boolean | null): string {
  const shown = score === null ? 'not measured' : `${(score * 100).toFixed(1)} %`;
  return passed === null ? shown : `${passed ? 'passed' : 'failed'}, ${shown}`;
}

/** Describes what was forgotten, and which lines of golden sets still hold it. */
function describeForgotten({ traces, proposals, lines, runs }: ForgottenTraces): string {
  return toText([
    `Erased ${formatPlural(traces.length, 'trace')} and ${formatPlural(proposals, 'proposal')}. Their spans are refused from now on.`,
    ...(lines.length === 0
      ? []
      : ['These lines of golden sets have cases made from them; remove them by hand:']),
    ...lines.map(({ file, line, caseId }) =>
      line === null
        ? `  ${toTerminalText(file)}: the case ${toTerminalText(caseId)} is no longer there; older versions may still contain it`
        : `  ${toTerminalText(file)}:${line} (${toTerminalText(caseId)})`,
    ),
    ...(runs.length === 0 ? [] : ['These runs have such cases; remove them with `touchstone delete`:']),
    ...runs.map((run) => `  ${run}`),
  ]);
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
