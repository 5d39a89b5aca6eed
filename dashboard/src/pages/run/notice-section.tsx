import { Fragment } from 'react';
import { countNote, countText, seenDisagreements } from '../../../../src/look/report/disagreements.ts';
import { judgeParts } from '../../../../src/look/report/overview.ts';
import {
  robustnessGroups,
  robustnessNote,
  type RobustnessRow,
} from '../../../../src/look/report/rows/robustness-rows.ts';
import { troublesOf } from '../../../../src/look/report/troubles.ts';
import { conditionUsage } from '../../../../src/look/report/usage-parts.ts';
import { faultHandlings } from '../../../../src/core/schema/condition.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import { nameQuestion } from '../../../../src/look/report/name-question.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { Summary } from '../../../../src/core/schema/summary.ts';
import { CaseLink } from '../../parts/links/cases-link.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

interface NoticeSectionOptions {
  readonly run: Run;
  readonly summary: Summary;
  /** The texts of the named questions, by id. */
  readonly questions: RunView['questions'];
}

/** The number of contradicting answers that are named. */
const mostContradictions = 3;

/** Everything that concerns all targets: robustness, contradictions of metrics, the judge, and trouble during the run. */
export function NoticeSection({ run, summary, questions }: NoticeSectionOptions) {
  const troubles = troublesOf(run);
  const disagreements = seenDisagreements(summary);
  return (
    <>
      <Robustness run={run} summary={summary} />
      {disagreements.length > 0 && (
        <Section title="Where do metrics contradict each other?" note={`Counts are of ${countNote}.`}>
          <ul className="space-y-3">
            {disagreements.map((one) => (
              <li key={one.kind} className="max-w-prose">
                <span className="font-medium">{countText(one)}</span> {one.title}
                <p className="text-quiet">{one.reading}</p>
                {one.widest.length > 0 && (
                  <p>
                    <span className="text-quiet">Open first: </span>
                    {one.widest.slice(0, mostContradictions).map(({ caseId, target }, index) => (
                      <Fragment key={index}>
                        {index > 0 && ' · '}
                        <CaseLink run={run.id} where={{ target, id: caseId }}>
                          <PlainText text={nameQuestion(questions, caseId)} />
                        </CaseLink>
                      </Fragment>
                    ))}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {summary.judge !== undefined && (
        <Section title="What did judging take?">
          <p>{judgeParts(summary.judge).join(' · ')}</p>
        </Section>
      )}
      {troubles.length > 0 && (
        <Section title="What went wrong during the run?">
          <ul className="space-y-2">
            {troubles.map(({ title, about, details }, index) => (
              <li key={index} className="max-w-prose">
                <span className="font-medium">{title}:</span> <PhraseText phrase={about} />
                {details.map((detail, place) => (
                  <p key={place} className="text-quiet">
                    <PhraseText phrase={detail} />
                  </p>
                ))}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Robustness({ run, summary }: Omit<NoticeSectionOptions, 'questions'>) {
  const groups = robustnessGroups(summary.robustness);
  if (groups.length === 0) return null;
  return (
    <Section title="Does it stay right when things go wrong?" note={robustnessNote}>
      {groups.map(({ target, faults, perturbations }) => (
        <div key={target} className="mb-6">
          {groups.length > 1 && (
            <h3 className="font-medium">
              <PlainText text={target} />
            </h3>
          )}
          {faults.length > 0 && (
            <DataTable
              label={`Faults in the tools of ${target}`}
              columns={faultColumns}
              rows={faults}
              keyOf={nameOf}
            />
          )}
          {perturbations.length > 0 && (
            <DataTable
              label={`Perturbed questions to ${target}`}
              columns={perturbationColumns}
              rows={perturbations}
              keyOf={nameOf}
            />
          )}
        </div>
      ))}
      <p className="text-quiet">
        Calls: <PlainText text={conditionUsage({ run, summary }).join(' · ')} />
      </p>
    </Section>
  );
}

function nameOf({ name }: RobustnessRow): string {
  return name;
}

const held: readonly Column<RobustnessRow>[] = [
  {
    title: 'Held',
    align: 'right',
    cell: ({ held: share, interval }) => (
      <span className="whitespace-nowrap">
        {share} <span className="text-quiet">{interval}</span>
      </span>
    ),
  },
  { title: 'Compared', align: 'right', isOptional: true, cell: ({ compared }) => compared },
  { title: 'Others', isOptional: true, cell: ({ missing }) => <span className="text-quiet">{missing}</span> },
];

const faultColumns: readonly Column<RobustnessRow>[] = [
  { title: 'Fault', isName: true, cell: ({ name }) => <PlainText text={name} /> },
  ...faultHandlings.map(
    ({ title }, index): Column<RobustnessRow> => ({
      title,
      align: 'right',
      cell: ({ handling }) => handling[index] ?? 0,
    }),
  ),
  ...held,
  { title: 'Errors', align: 'right', isOptional: true, cell: ({ errors }) => errors },
];

const perturbationColumns: readonly Column<RobustnessRow>[] = [
  { title: 'Perturbation', isName: true, cell: ({ name }) => <PlainText text={name} /> },
  { title: 'Broke', align: 'right', cell: ({ broken }) => broken },
  { title: 'Mended', align: 'right', cell: ({ mended }) => mended },
  { title: 'Errors', align: 'right', cell: ({ errors }) => errors },
  ...held,
];
