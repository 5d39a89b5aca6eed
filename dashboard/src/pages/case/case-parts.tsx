import type { ReactNode } from 'react';
import { formatCount, latencyFacts, formatMoney, formatPlural } from '../../../../src/look/report/format.ts';
import { questionRow } from '../../../../src/look/report/rows/question-row.ts';
import type { TrialView } from '../../../../src/core/schema/api/trial-view.ts';
import type { Json } from '../../../../src/core/schema/json.ts';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { JsonText, LongText } from '../../parts/transcript/long-text.tsx';
import { Link } from '@tanstack/react-router';
import { z } from 'zod';
import type { Case } from '../../../../src/core/schema/case.ts';
import { useIsFile } from '../../data/data-source.ts';
import { Facts } from '../../parts/facts.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';

/** The result of a trial in one line, and below it why it has no score. */
export function CaseHead({ view }: { readonly view: TrialView }) {
  const { run, result, place } = view;
  const { trial } = result;
  const { outcome, category, notes } = questionRow(run, result);
  const { inputTokens, outputTokens } = trial.usage ?? {};
  const facts = [
    trial.target,
    ...(run.attempts > 1 ? [`attempt ${trial.attempt} of ${run.attempts}`] : []),
    category,
    ...result.case.tags,
    ...latencyFacts(trial),
    ...(trial.cost === undefined ? [] : [formatMoney(trial.cost)]),
    ...(inputTokens === undefined && outputTokens === undefined
      ? []
      : [`${formatCount(inputTokens ?? Number.NaN)} + ${formatCount(outputTokens ?? Number.NaN)} tokens`]),
    ...(trial.retries > 0 ? [formatPlural(trial.retries, 'retry', 'retries')] : []),
    ...(place === '' ? [] : [place]),
  ];
  const isPlain = trial.status === 'completed' && outcome !== 'not-measured';
  return (
    <>
      <p className="wrap-anywhere">
        <OutcomeMark outcome={outcome} /> · <PlainText text={result.case.id} className="font-mono text-xs" />{' '}
        <CopyButton text={result.case.id} label="Copy id" isSmall /> · <Facts facts={facts} />
      </p>
      {!isPlain && (
        <div
          role="note"
          className="mt-3 max-w-3xl rounded-lg border border-line bg-surface px-4 py-3 text-text"
        >
          <p className="font-medium">{states[trial.status]}</p>
          {notes.map(({ name, text, isError }, index) => (
            <p key={index} className="mt-1 wrap-anywhere">
              <span className={isError ? 'text-bad' : 'text-unsure'}>
                <PlainText text={name} />
              </span>
              {text !== '' && (
                <>
                  : <PlainText text={text} />
                </>
              )}
            </p>
          ))}
        </div>
      )}
    </>
  );
}

const states = {
  completed: 'There is an answer, but its score was not measured.',
  failed: 'There is no answer: the call of the target failed.',
  cancelled: 'There is no answer: the call was cancelled.',
} as const;

/** The remaining parts of a trial: documents, final state, logs, and what the case says besides its question. */
export function CaseParts({ view: { result } }: { readonly view: TrialView }) {
  const { trial, case: testCase } = result;
  const { documents = [], state, logs, recorded } = trial;
  const { context, metadata, cluster } = testCase;
  return (
    <>
      {documents.length > 0 && (
        <Section title="Which documents were found?">
          <ol className="space-y-2">
            {documents.map(({ id, text, score, sources: [source] = [], given }, index) => (
              <li key={index} className="rounded-lg border border-line px-3 py-2">
                <p className="wrap-anywhere">
                  <PlainText text={id} className="font-medium" />
                  {source !== undefined && (
                    <span className="text-quiet">
                      {' · '}
                      <PlainText text={source} />
                    </span>
                  )}
                  {score !== undefined && (
                    <span className="text-quiet"> · {String(Number(score.toPrecision(3)))}</span>
                  )}
                  {given === true && <span className="text-quiet"> · given with the question</span>}
                </p>
                {text !== undefined && (
                  <div className="text-quiet">
                    <LongText text={text} path={`/result/trial/documents/${index}/text`} />
                  </div>
                )}
              </li>
            ))}
          </ol>
        </Section>
      )}
      <Values
        title="What else was recorded?"
        values={[
          ['final state', state, '/result/trial/state'],
          ['recorded', recorded, '/result/trial/recorded'],
          ['logs', logs === '' ? undefined : logs, '/result/trial/logs'],
        ]}
      />
      <CaseOrigin metadata={metadata} />
      <Values
        title="What else does the question say?"
        values={[
          ['context', context, '/result/case/context'],
          ['cluster', cluster, '/result/case/cluster'],
          ['gate', testCase.gate, '/result/case/gate'],
          ['user', playedUser(testCase), '/result/case/user'],
          ['metadata', Object.keys(metadata).length === 0 ? undefined : metadata, '/result/case/metadata'],
        ]}
      />
    </>
  );
}

/** Returns the user of a case who is played by a model; a script is shown turn by turn, next to what was said. */
function playedUser({ user }: Pick<Case, 'user'>): Case['user'] {
  return user?.script === undefined ? user : undefined;
}

interface ValuesOptions {
  readonly title: string;
  readonly values: readonly (readonly [name: string, value: unknown, path: string])[];
}

function Values({ title, values }: ValuesOptions): ReactNode {
  const known = values.filter(([, value]) => value !== undefined);
  if (known.length === 0) return null;
  return (
    <Section title={title}>
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-2 gap-y-2">
        {known.map(([name, value, path]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="min-w-0">
              <JsonText value={value as Json} path={path} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** The origin of a case that was proposed and approved, as `touchstone proposals export` writes it. */
const originSchema = z.object({
  proposal: z.string(),
  by: z.string(),
  day: z.string(),
  trace: z.string().optional(),
  document: z.string().optional(),
  synthetic: z.boolean().optional(),
});

/** Where a case comes from: the trace or the document, the proposal, and who approved it. Nothing for any other case. */
function CaseOrigin({ metadata }: Pick<Case, 'metadata'>) {
  const isFile = useIsFile();
  const origin = originSchema.safeParse(metadata['origin']).data;
  if (origin === undefined) return null;
  const { proposal, by, day, trace, document, synthetic } = origin;
  return (
    <Section title="Where does the question come from?">
      <p className="wrap-anywhere">
        {trace !== undefined && (
          <>
            Trace{' '}
            {isFile ? (
              <PlainText text={trace} />
            ) : (
              <Link to="/traces/$trace" params={{ trace }} className="link">
                <PlainText text={trace} />
              </Link>
            )}{' '}
            ·{' '}
          </>
        )}
        {document !== undefined && (
          <>
            <PlainText text={document} /> ·{' '}
          </>
        )}
        <PlainText text={day} /> · approved by <PlainText text={by} />
        {synthetic === true && ' · synthetic'} ·{' '}
        {isFile ? (
          <PlainText text={proposal} />
        ) : (
          <Link to="/proposals" search={{ at: proposal }} className="link">
            <PlainText text={proposal} />
          </Link>
        )}
      </p>
    </Section>
  );
}
