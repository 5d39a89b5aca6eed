import type { ReactNode } from 'react';
import { formatDuration, formatMoney } from '../../../../src/look/report/format.ts';
import type { JudgeCall, Judgement } from '../../../../src/core/schema/judgement.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { JsonText, LongText, Fold } from '../../parts/transcript/long-text.tsx';

interface JudgementBlockOptions {
  readonly judgement: Judgement;
  /** The place among the judgements of the trial, as a JSON pointer. */
  readonly path: string;
}

/** A question to a judge: its prompt, the raw reply, the reasoning, what it cost, and every request. */
export function JudgementBlock({ judgement, path }: JudgementBlockOptions) {
  const { judge, question, askedIn, calls, outcome } = judgement;
  const { latencyMs, cost } = calls[0] ?? {};
  const facts = [
    question.id,
    ...(question.sample > 1 ? [`sample ${question.sample}`] : []),
    ...(latencyMs === undefined ? [] : [formatDuration(latencyMs)]),
    ...(cost === undefined ? [] : [formatMoney(cost)]),
  ];
  return (
    <details className="mt-2 rounded-md border border-line bg-page">
      <summary className="cursor-pointer px-3 py-1.5 wrap-anywhere hover:bg-hover">
        Judge <PlainText text={judge.name} className="font-medium" />
        <span className="text-quiet">
          {' · '}
          <PlainText text={facts.join(' · ')} />
        </span>
      </summary>
      <div className="space-y-3 border-t border-line px-3 py-2">
        {calls.map((call, index) => (
          <CallBlock
            key={index}
            call={call}
            path={`${path}/calls/${index}`}
            place={{ number: index + 1, of: calls.length }}
          />
        ))}
        {outcome.status === 'failed' ? (
          <Labelled label="No answer">
            <PlainText text={`${outcome.code}: ${outcome.reason}`} className="text-unsure" />
          </Labelled>
        ) : (
          <Labelled label="Read as">
            <JsonText value={outcome.answer} path={`${path}/outcome/answer`} />
          </Labelled>
        )}
        <p className="text-xs text-quiet">
          Asked in run <PlainText text={askedIn} />
        </p>
      </div>
    </details>
  );
}

interface CallBlockOptions {
  readonly call: JudgeCall;
  readonly path: string;
  readonly place: { readonly number: number; readonly of: number };
}

function CallBlock({ call, path, place }: CallBlockOptions) {
  const { prompt, parameters, reply, reasoning, model, answeredBy, finishReason, attempts, error } = call;
  const how = [
    model,
    ...(answeredBy === undefined || answeredBy === model ? [] : [`answered by ${answeredBy}`]),
    ...(finishReason === undefined || finishReason === 'stop' ? [] : [`ended by ${finishReason}`]),
  ];
  const isNotable = attempts.length > 1 || attempts.some((each) => each.error !== undefined);
  return (
    <div className="space-y-2">
      {place.of > 1 && (
        <p className="text-unsure">
          call {place.number} of {place.of}
        </p>
      )}
      {prompt.map(({ role, content }, index) => (
        <Labelled key={index} label={index === 0 ? 'Prompt' : ''} note={role}>
          <LongText text={content} path={`${path}/prompt/${index}/content`} />
        </Labelled>
      ))}
      {reasoning !== undefined && reasoning !== '' && (
        <Labelled label="Thoughts">
          <LongText text={reasoning} path={`${path}/reasoning`} />
        </Labelled>
      )}
      <Labelled label="Reply">
        {reply === null ? (
          <span className="text-unsure">none</span>
        ) : reply.trim() === '' ? (
          '(empty)'
        ) : (
          <LongText text={reply} path={`${path}/reply`} isCode />
        )}
      </Labelled>
      {error !== undefined && (
        <Labelled label="Unusable">
          <PlainText text={`${error.code}: ${error.message}`} className="text-bad" />
        </Labelled>
      )}
      <Labelled label="Model">
        <PlainText text={how.join(' · ')} />
      </Labelled>
      {isNotable && (
        <Labelled label="Requests">
          <ol className="list-inside list-decimal">
            {attempts.map((each, index) => (
              <li key={index}>
                {each.status !== undefined && `status ${each.status} · `}
                {each.error !== undefined && (
                  <span className="text-bad">
                    <PlainText text={`${each.error.code}: ${each.error.message}`} />
                    {' · '}
                  </span>
                )}
                {formatDuration(each.latencyMs)}
                {each.waitedMs > 0 && ` · after a wait of ${formatDuration(each.waitedMs)}`}
              </li>
            ))}
          </ol>
        </Labelled>
      )}
      {Object.keys(parameters).length > 0 && (
        <Fold title="Parameters">
          <JsonText value={parameters} path={`${path}/parameters`} />
        </Fold>
      )}
    </div>
  );
}

interface LabelledOptions {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}

function Labelled({ label, note, children }: LabelledOptions) {
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2">
      <p className="text-xs leading-5 text-quiet">
        {label} {note}
      </p>
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}
