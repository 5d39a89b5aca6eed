import { Link } from '@tanstack/react-router';
import { MarkedLink } from '../../parts/links/marked-link.tsx';
import { formatDuration, formatPercent } from '../../../../src/look/report/format.ts';
import type { TrialView } from '../../../../src/core/schema/api/trial-view.ts';
import { useHistory } from '../../data/use-trial.ts';
import { AttemptMarks, OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time-text.tsx';

interface OtherTrialsOptions {
  readonly view: TrialView;
  /** The list that one walks along. */
  readonly list: { readonly where?: string; readonly sort?: string };
}

/** The other attempts at the case, and those by other targets. */
export function OtherTrials({ view: { run, result, trials }, list }: OtherTrialsOptions) {
  if (trials.length < 2) return null;
  return (
    <Section title="How did the others do?">
      <ul className="divide-y divide-line rounded-lg border border-line">
        {trials.map(({ ordinal, target, attempt, result: outcome, total, latencyMs }) => (
          <li key={ordinal}>
            <MarkedLink
              to="/runs/$run/cases/$ordinal"
              params={{ run: run.id, ordinal: String(ordinal) }}
              search={list}
              mark={ordinal === result.trial.ordinal ? 'true' : undefined}
              className="flex items-baseline gap-3 px-3 py-1.5 hover:bg-surface aria-[current=true]:bg-accent-soft"
            >
              <span className="min-w-20 shrink-0 whitespace-nowrap sm:min-w-28">
                <OutcomeMark outcome={outcome} />
              </span>
              <span className="min-w-0 truncate">
                {run.targets.length > 1 && (
                  <>
                    <PlainText text={target} />{' '}
                  </>
                )}
                {run.attempts > 1 && <span className="text-quiet">attempt {attempt}</span>}
              </span>
              <span className="ml-auto whitespace-nowrap">
                {formatPercent(total)}
                {latencyMs !== null && (
                  <span className="text-quiet max-sm:hidden"> · {formatDuration(latencyMs)}</span>
                )}
              </span>
            </MarkedLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The results of the same case in other runs. */
export function OtherRuns({ path }: { readonly path: string }) {
  const { data } = useHistory(path);
  if (data === undefined || data.runs.length === 0) return null;
  return (
    <Section title="And in other runs?" note="Runs that asked the same question, the newest first.">
      <ul className="divide-y divide-line rounded-lg border border-line">
        {data.runs.flatMap(({ run, createdAt, targets }) =>
          targets.map(({ target, ordinal, total, attempts }) => (
            <li key={`${run} ${target}`}>
              <Link
                to="/runs/$run/cases/$ordinal"
                params={{ run, ordinal: String(ordinal) }}
                search={{}}
                className="flex items-baseline gap-3 px-3 py-1.5 hover:bg-surface"
              >
                <span className="min-w-9 shrink-0">
                  <AttemptMarks outcomes={attempts} />
                </span>
                <span className="min-w-0 flex-1 truncate">
                  <PlainText text={target} />
                </span>
                <span className="text-quiet">
                  <TimeText at={createdAt} />
                </span>
                <span className="min-w-16 text-right whitespace-nowrap">{formatPercent(total)}</span>
              </Link>
            </li>
          )),
        )}
      </ul>
    </Section>
  );
}
