import { useParams } from '@tanstack/react-router';
import { formatCount } from '../../../../src/look/report/format.ts';
import { runPath, type ReportFile } from '../../../../src/core/schema/api/report-file.ts';
import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import { useReportFile } from '../../data/use-report.ts';
import { useRun } from '../../data/use-run.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { CaseList } from './case-list.tsx';

/** The cases of a report, below the numbers: first those that did not pass, the worst first, then the others. */
export function ReportedCases() {
  const { run: id = '' } = useParams({ strict: false });
  const { data: file } = useReportFile();
  const { data: view } = useRun(id);
  if (file === undefined || view === undefined) return null;
  const { run } = view;
  const always = run.attempts > 1 ? ' every time' : '';
  const lists =
    run.scorecard === null
      ? [{ title: 'What did it answer?', where: '', sort: '' }]
      : [
          {
            title: `Which cases did not pass${always}?`,
            where: 'result=failed|error|not-measured',
            sort: 'total',
          },
          {
            title: `Which cases passed${always}?`,
            where: 'result=passed',
            sort: 'total',
            isListed: allPassed,
          },
        ];
  return (
    <>
      <p className="mt-10 border-t border-line pt-5 text-quiet">
        <CaseCount file={file} />{' '}
        <a href={`${runPath(id)}/cases`} className="link underline print:hidden">
          Filter and sort them
        </a>
      </p>
      {lists.map(({ title, ...list }) => (
        <Section key={title} title={title}>
          <CaseList run={run} {...list} />
        </Section>
      ))}
    </>
  );
}

/** Returns whether a case passed in every attempt that was made; it is in the other list otherwise. */
function allPassed({ attempts }: TrialRow): boolean {
  return attempts.every((outcome) => outcome === null || outcome === 'passed');
}

/** The number of cases that the file contains, and which ones. */
export function CaseCount({ file: { shown, cases, narrowing } }: { readonly file: ReportFile }) {
  const which = narrowing === undefined ? 'cases' : 'chosen cases';
  return (
    <>
      {shown === cases
        ? `All ${formatCount(cases)} ${which} are in this file.`
        : `${formatCount(shown)} of ${formatCount(cases)} ${which} are in this file, the worst first.`}
      {narrowing !== undefined && (
        <>
          {' '}
          Chosen: <PlainText text={narrowing} />. The numbers of the report are of the whole run.
        </>
      )}
    </>
  );
}
