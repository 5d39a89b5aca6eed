import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPercent, formatPlural } from '../../look/report/format.ts';
import type { DescribedTrace, TraceProposal } from '../../core/schema/trace/described-trace.ts';
import type { TraceHead } from '../../core/schema/trace/stored-trace.ts';
import type { ForgottenTraces } from '../../cases/traces/forget-traces.ts';
import type { TraceReceipt } from '../../cases/traces/receive-spans.ts';

/** Describes the fate of imported spans. */
export function describeTraceReceipt({ added, known, traces, rejected }: TraceReceipt): string {
  const refused = Object.entries(rejected);
  if (added + known + refused.length === 0) return 'The file has no traces: nothing was added.\n';
  return toText([
    `Added ${formatPlural(added, 'span')} of ${formatPlural(traces, 'trace')}; ${known} were already there.`,
    ...refused.map(([reason, count]) => `Not stored: ${formatPlural(count, 'span')}, since ${reason}.`),
  ]);
}

/** Describes a list of traces, one a line. */
export function describeHeads(heads: readonly TraceHead[], all: number): string {
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
export function describeOneTrace(trace: DescribedTrace): string {
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
    ...(trace.proposals.length === 0 ? ['No question was proposed of it.'] : []),
    ...trace.proposals.flatMap(describeProposal),
  ]);
}

function describeProposal({ id, dataset, state, caseId, results }: TraceProposal): string[] {
  const where = caseId === null ? '' : `, the question ${toTerminalText(caseId)}`;
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
  const shown = score === null ? 'not measured' : formatPercent(score);
  return passed === null ? shown : `${passed ? 'passed' : 'failed'}, ${shown}`;
}

/** Describes what was forgotten, and which lines of golden sets still hold it. */
export function describeForgotten({ traces, proposals, lines, runs }: ForgottenTraces): string {
  return toText([
    `Erased ${formatPlural(traces.length, 'trace')} and ${formatPlural(proposals, 'proposal')}. Their spans are refused from now on.`,
    ...(lines.length === 0
      ? []
      : ['These lines of golden sets have questions made from them; remove them by hand:']),
    ...lines.map(({ file, line, caseId }) =>
      line === null
        ? `  ${toTerminalText(file)}: the question ${toTerminalText(caseId)} is no longer there; older versions may still contain it`
        : `  ${toTerminalText(file)}:${line} (${toTerminalText(caseId)})`,
    ),
    ...(runs.length === 0 ? [] : ['These runs have such questions; remove them with `touchstone delete`:']),
    ...runs.map((run) => `  ${run}`),
  ]);
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
