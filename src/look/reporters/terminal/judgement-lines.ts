import { formatDuration, formatMoney, formatPlural } from '../../report/format.ts';
import type { JudgeCall, Judgement } from '../../../core/schema/judgement.ts';
import type { Result } from '../../../core/schema/result.ts';
import { judgementsOf, type Verdict } from '../../../core/schema/verdict.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import { block, labelled } from './table.ts';
import { joined, type Line, span, whole } from './line.ts';

/** The most lines of each part unless the full view is requested. */
const most = { system: 3, user: 12, assistant: 6, reply: 12, reasoning: 6, parameters: 3 } as const;

/**
 * Formats the judgements of a trial by metric: the prompt, the raw reply, the reasoning, every retried request, and
 * replies that could not be parsed.
 */
export async function* judgementLines(
  input: ReportInput,
  { verdicts }: Result,
  view: ReportView,
): AsyncGenerator<Line> {
  const ids = judgementsOf(verdicts);
  if (ids.length === 0 || input.judgements === undefined) return;
  const known = new Map((await Array.fromAsync(input.judgements(ids))).map((one) => [one.id, one]));
  // One call can answer the questions of several metrics, so its prompt is shown only at the first.
  const shownAt = new Map<string, string>();
  for (const [metric, verdict] of Object.entries(verdicts)) {
    for (const judgement of idsOf(verdict).flatMap((id) => known.get(id) ?? [])) {
      yield* titleLines(input, metric, judgement, view);
      for (const [index, call] of judgement.calls.entries()) {
        const earlier = shownAt.get(call.id);
        shownAt.set(call.id, earlier ?? metric);
        yield* earlier === undefined
          ? callLines(call, { number: index + 1, of: judgement.calls.length }, view)
          : labelled('', [span(`asked together with ${earlier}: see above`, 'quiet')], view.width);
      }
      yield* outcomeLines(judgement, view);
    }
  }
}

function idsOf(verdict: Verdict): readonly string[] {
  return verdict.status === 'not-applicable' ? [] : (verdict.judgements ?? []);
}

function titleLines(
  { run }: ReportInput,
  metric: string,
  { judge, question: { id, sample }, askedIn, calls }: Judgement,
  { width }: ReportView,
): Line[] {
  const { latencyMs, cost } = calls[0] ?? {};
  const facts = [
    [whole(metric, 'strong')],
    [whole(id, 'quiet')],
    [whole(judge.name)],
    ...(sample > 1 ? [[whole(`sample ${sample}`)]] : []),
    ...(latencyMs === undefined ? [] : [[whole(formatDuration(latencyMs))]]),
    ...(cost === undefined ? [] : [[whole(formatMoney(cost))]]),
    ...(askedIn === run.id ? [] : [[whole(`asked in run ${askedIn}`, 'quiet')]]),
  ];
  return labelled('Judge', joined(facts), width);
}

function callLines(call: JudgeCall, place: { number: number; of: number }, view: ReportView): Line[] {
  const { prompt, parameters, reply, reasoning, finishReason, answeredBy, error } = call;
  const { width, full } = view;
  const text = (label: string, content: string, part: keyof typeof most) =>
    block(label, content, {
      width,
      most: full === true ? undefined : most[part],
      tone: part === 'reply' ? undefined : 'quiet',
    });
  const how = [
    ...(answeredBy === undefined || answeredBy === call.model ? [] : [`answered by ${answeredBy}`]),
    ...(finishReason === undefined || finishReason === 'stop' ? [] : [`ended by ${finishReason}`]),
  ];
  return [
    ...(place.of > 1 ? labelled('', [span(`call ${place.number} of ${place.of}`, 'fair')], width) : []),
    ...prompt.flatMap(({ role, content }, index) =>
      text(index === 0 ? 'Prompt' : '', `${role}: ${content}`, role),
    ),
    ...(full === true && Object.keys(parameters).length > 0
      ? text('With', JSON.stringify(parameters, null, 2), 'parameters')
      : []),
    ...attemptLines(call, view),
    ...text('Thoughts', reasoning ?? '', 'reasoning'),
    ...(reply === null
      ? labelled('Reply', [span('none', 'fair')], width)
      : text('Reply', reply.trim() === '' ? '(empty)' : reply, 'reply')),
    ...(how.length === 0 ? [] : labelled('', [span(how.join(' · '), 'quiet')], width)),
    ...(error === undefined
      ? []
      : labelled('Unusable', [whole(error.code, 'fault'), span(`: ${error.message}`)], width)),
  ];
}

/** Formats the requests of a call one by one, if there were several or one failed. */
function attemptLines({ attempts }: JudgeCall, { width }: ReportView): Line[] {
  if (attempts.length < 2 && attempts.every(({ error }) => error === undefined)) return [];
  return attempts.flatMap(({ status, error, latencyMs, waitedMs }, index) => {
    const facts = [
      ...(status === undefined ? [] : [[whole(`status ${status}`)]]),
      ...(error === undefined ? [] : [[span(`${error.code}: ${error.message}`, 'fault')]]),
      [whole(formatDuration(latencyMs))],
      ...(waitedMs > 0 ? [[whole(`after a wait of ${formatDuration(waitedMs)}`, 'quiet')]] : []),
    ];
    return labelled(
      index === 0 ? 'Requests' : '',
      [span(`${index + 1}. `, 'quiet'), ...joined(facts)],
      width,
    );
  });
}

function outcomeLines({ outcome, calls }: Judgement, { width }: ReportView): Line[] {
  if (outcome.status === 'answered') {
    // An answer that equals the raw reply is not shown twice.
    const isShown = calls.at(-1)?.reply === JSON.stringify(outcome.answer);
    return isShown ? [] : block('Read as', JSON.stringify(outcome.answer), { width, most: 6 });
  }
  const asked = calls.length > 1 ? ` after ${formatPlural(calls.length, 'call')}` : '';
  return labelled('No answer', [whole(outcome.code, 'fault'), span(`${asked}: ${outcome.reason}`)], width);
}
