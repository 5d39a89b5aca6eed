import { formatDuration, formatMoney, formatPlural } from '../../report/format.ts';
import type { JudgeCall, Judgement } from '../../../core/schema/judgement.ts';
import type { Result } from '../../../core/schema/result.ts';
import { judgementsOf, type Verdict } from '../../../core/schema/verdict.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import { type Block, excerpt, field } from '../blocks/block.ts';
import { joined, name, quoted, span, whole } from '../blocks/text.ts';

/** The most lines of each part unless the full view is requested. */
const most = { system: 3, user: 12, assistant: 6, reply: 12, reasoning: 6, parameters: 3 } as const;

const longest = 4000;

/**
 * Lays out the judgements of a trial by metric: the prompt, the raw reply, the reasoning, every retried request, and
 * replies that could not be parsed.
 */
export async function judgementBlocks(
  input: ReportInput,
  { verdicts }: Result,
  view: ReportView,
): Promise<Block[]> {
  const ids = judgementsOf(verdicts);
  if (ids.length === 0 || input.judgements === undefined) return [];
  const known = new Map((await Array.fromAsync(input.judgements(ids))).map((one) => [one.id, one]));
  // One call can answer the questions of several metrics, so its prompt is shown only at the first.
  const shownAt = new Map<string, string>();
  const callsOf = (metric: string, calls: readonly JudgeCall[]) =>
    calls.flatMap((call, index) => {
      const earlier = shownAt.get(call.id);
      shownAt.set(call.id, earlier ?? metric);
      return earlier === undefined
        ? callBlocks(call, { number: index + 1, of: calls.length }, view)
        : [
            field('', [
              span('asked together with ', 'quiet'),
              name(earlier, 'quiet'),
              span(': see above', 'quiet'),
            ]),
          ];
    });
  return Object.entries(verdicts).flatMap(([metric, verdict]) =>
    idsOf(verdict)
      .flatMap((id) => known.get(id) ?? [])
      .flatMap((judgement) => [
        titleBlock(input, metric, judgement),
        ...callsOf(metric, judgement.calls),
        outcomeBlock(judgement),
      ]),
  );
}

function idsOf(verdict: Verdict): readonly string[] {
  return verdict.status === 'not-applicable' ? [] : (verdict.judgements ?? []);
}

function titleBlock(
  { run }: ReportInput,
  metric: string,
  { judge, question: { id, sample }, askedIn, calls }: Judgement,
): Block {
  const { latencyMs, cost } = calls[0] ?? {};
  const facts = [
    [name(metric, 'strong')],
    [name(id, 'quiet')],
    [name(judge.name)],
    ...(sample > 1 ? [[whole(`sample ${sample}`)]] : []),
    latencyMs === undefined ? [] : [whole(formatDuration(latencyMs))],
    cost === undefined ? [] : [whole(formatMoney(cost))],
    askedIn === run.id ? [] : [whole('asked in run ', 'quiet'), name(askedIn, 'quiet')],
  ];
  return field('Judge', joined(facts));
}

function callBlocks(
  call: JudgeCall,
  place: { readonly number: number; readonly of: number },
  { full }: ReportView,
): Block[] {
  const { prompt, parameters, reply, reasoning, finishReason, answeredBy, error } = call;
  const part = (label: string, content: string, kind: keyof typeof most) =>
    excerpt(label, content, {
      most: full === true ? undefined : most[kind],
      tone: kind === 'reply' ? undefined : 'quiet',
    });
  const how = [
    ...(answeredBy === undefined || answeredBy === call.model ? [] : [`answered by ${answeredBy}`]),
    ...(finishReason === undefined || finishReason === 'stop' ? [] : [`ended by ${finishReason}`]),
  ];
  return [
    ...(place.of > 1 ? [field('', [span(`call ${place.number} of ${place.of}`, 'fair')])] : []),
    ...prompt.map(({ role, content }, index) =>
      part(index === 0 ? 'Prompt' : '', `${role}: ${content}`, role),
    ),
    ...(full === true && Object.keys(parameters).length > 0
      ? [part('With', JSON.stringify(parameters, null, 2), 'parameters')]
      : []),
    ...attemptBlocks(call),
    part('Thoughts', reasoning ?? '', 'reasoning'),
    reply === null
      ? field('Reply', [span('none', 'fair')])
      : part('Reply', reply.trim() === '' ? '(empty)' : reply, 'reply'),
    ...(how.length === 0 ? [] : [field('', [quoted(how.join(' · '), 'quiet')])]),
    ...(error === undefined
      ? []
      : [
          field('Unusable', [
            name(error.code, 'fault'),
            span(': '),
            quoted(error.message, undefined, longest),
          ]),
        ]),
  ];
}

/** Lays out the requests of a call one by one, if there were several or one failed. */
function attemptBlocks({ attempts }: JudgeCall): Block[] {
  if (attempts.length < 2 && attempts.every(({ error }) => error === undefined)) return [];
  return attempts.map(({ status, error, latencyMs, waitedMs }, index) => {
    const facts = [
      status === undefined ? [] : [whole(`status ${status}`)],
      error === undefined ? [] : [quoted(`${error.code}: ${error.message}`, 'fault', longest)],
      [whole(formatDuration(latencyMs))],
      ...(waitedMs > 0 ? [[whole(`after a wait of ${formatDuration(waitedMs)}`, 'quiet')]] : []),
    ];
    return field(index === 0 ? 'Requests' : '', [span(`${index + 1}. `, 'quiet'), ...joined(facts)]);
  });
}

function outcomeBlock({ outcome, calls }: Judgement): Block {
  if (outcome.status === 'answered') {
    // An answer that equals the raw reply is not shown twice.
    const isShown = calls.at(-1)?.reply === JSON.stringify(outcome.answer);
    return excerpt('Read as', isShown ? '' : JSON.stringify(outcome.answer), { most: 6 });
  }
  const asked = calls.length > 1 ? ` after ${formatPlural(calls.length, 'call')}` : '';
  const reason = quoted(outcome.reason, undefined, longest);
  return field('No answer', [name(outcome.code, 'fault'), span(`${asked}: `), reason]);
}
