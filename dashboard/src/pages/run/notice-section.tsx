import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { countNote, seenDisagreements } from '../../../../src/look/report/disagreements.ts';
import { judgeParts } from '../../../../src/look/report/overview.ts';
import {
  attackHeadline,
  attackNote,
  type AttackRow,
  attackRows,
} from '../../../../src/look/report/rows/attack-rows.ts';
import {
  robustnessGroups,
  robustnessNote,
  type RobustnessRow,
} from '../../../../src/look/report/rows/robustness-rows.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { troublesOf } from '../../../../src/look/report/troubles.ts';
import { conditionUsage } from '../../../../src/look/report/usage-parts.ts';
import { faultHandlings } from '../../../../src/core/schema/condition.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import { nameQuestion } from '../../../../src/look/report/name-question.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { Summary } from '../../../../src/core/schema/summary.ts';
import { ContradictionCount } from '../../parts/links/contradiction-count.tsx';
import { CaseLink, CasesLink } from '../../parts/links/cases-link.tsx';
import { useHasPage } from '../../parts/links/use-has-page.ts';
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

/** Everything that concerns all targets: attacks, robustness, contradictions of metrics, the judge, and trouble during the run. */
export function NoticeSection({ run, summary, questions }: NoticeSectionOptions) {
  const troubles = troublesOf(run);
  const disagreements = seenDisagreements(summary);
  return (
    <>
      <Attacks run={run} summary={summary} />
      <Robustness run={run} summary={summary} />
      {disagreements.length > 0 && (
        <Section title="Where do metrics contradict each other?" note={`Counts are of ${countNote}.`}>
          <ul className="space-y-3">
            {disagreements.map((one) => (
              <li key={one.kind} className="max-w-prose">
                <span className="font-medium">
                  <ContradictionCount run={run.id} of={one} />
                </span>{' '}
                {one.title}
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

function Attacks({ run, summary: { attacks = [] } }: Pick<NoticeSectionOptions, 'run' | 'summary'>) {
  if (attacks.length === 0) return null;
  return (
    <Section title="Does it resist attacks?">
      {attacks.map((attacked) => (
        <div key={attacked.target} className="mb-6">
          <h3 className="font-medium">
            <PlainText text={`${attacked.target}: ${attackHeadline(attacked)}`} />
          </h3>
          <DataTable
            label={`Attacks on ${attacked.target}`}
            columns={attackColumns(run, attacked.target)}
            rows={attackRows(attacked)}
            keyOf={({ family }) => family}
          />
          <p className="text-quiet">{attackNote(attacked)}</p>
        </div>
      ))}
    </Section>
  );
}

/** The questions that succeeded in one of several attempts: what an attacker with patience gets. */
const everColumn: Column<AttackRow> = {
  title: 'At least once',
  align: 'right',
  cell: ({ everSucceeded }) => everSucceeded,
};

const attackColumns = ({ id: run, attempts }: Run, target: string): readonly Column<AttackRow>[] => [
  {
    title: 'Family',
    cell: ({ family }) => (
      <CasesLink run={run} where={{ target, category: family }}>
        <PlainText text={family} />
      </CasesLink>
    ),
  },
  { title: 'Succeeded', align: 'right', cell: ({ succeeded }) => succeeded },
  ...(attempts > 1 ? [everColumn] : []),
  { title: 'Likely', align: 'right', isOptional: true, cell: ({ range }) => range },
  { title: 'At most', align: 'right', cell: ({ atMost }) => atMost.replace('at most ', '') },
  { title: 'Not measured', align: 'right', cell: ({ notMeasured }) => formatCount(notMeasured) },
];

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
              columns={faultColumns(run.id)}
              rows={faults}
              keyOf={nameOf}
            />
          )}
          {perturbations.length > 0 && (
            <DataTable
              label={`Perturbed questions to ${target}`}
              columns={perturbationColumns(run.id)}
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

const faultColumns = (run: string): readonly Column<RobustnessRow>[] => [
  { title: 'Fault', isName: true, cell: ({ name }) => <PlainText text={name} /> },
  ...faultHandlings.map(
    ({ label, title }, index): Column<RobustnessRow> => ({
      title,
      align: 'right',
      cell: ({ target, handling }) => (
        <Counted run={run} count={handling[index] ?? 0} where={{ target, handling: label }} />
      ),
    }),
  ),
  ...held,
  { ...errorsIn(run), isOptional: true },
];

const perturbationColumns = (run: string): readonly Column<RobustnessRow>[] => [
  { title: 'Perturbation', isName: true, cell: ({ name }) => <PlainText text={name} /> },
  {
    title: 'Broke',
    align: 'right',
    cell: ({ broken, ...row }) => <Flips run={run} row={row} flip="worse" count={broken} />,
  },
  {
    title: 'Mended',
    align: 'right',
    cell: ({ mended, ...row }) => <Flips run={run} row={row} flip="better" count={mended} />,
  },
  errorsIn(run),
  ...held,
];

const errorsIn = (run: string): Column<RobustnessRow> => ({
  title: 'Errors',
  align: 'right',
  cell: ({ target, errors }) => <Counted run={run} count={errors} where={{ target, status: 'failed' }} />,
});

interface CountedOptions {
  readonly run: string;
  readonly count: number;
  readonly where: Readonly<Record<string, string>>;
}

/** A number that leads to the answers that it counts. */
function Counted({ run, count, where }: CountedOptions) {
  if (count === 0) return 0;
  return (
    <CasesLink run={run} where={where}>
      {formatCount(count)}
    </CasesLink>
  );
}

interface FlipsOptions extends Pick<CountedOptions, 'run' | 'count'> {
  readonly row: Pick<RobustnessRow, 'target' | 'of'>;
  readonly flip: 'better' | 'worse';
}

/** A number of verdicts that a condition changed, which leads to the pairs; a file has no page of them. */
function Flips({ run, count, row: { target, of }, flip }: FlipsOptions) {
  const hasPage = useHasPage('/compare');
  if (count === 0 || !hasPage) return formatCount(count);
  return (
    <Link
      to="/compare"
      search={{ a: run, b: run, targetA: of, targetB: target, where: `flip=${flip}` }}
      className="link"
    >
      {formatCount(count)}
    </Link>
  );
}
