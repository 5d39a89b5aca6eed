import { useParams } from '@tanstack/react-router';
import { formatCount } from '../../../../src/look/report/format.ts';
import { type LeftOut, runPath, type ReportFile } from '../../../../src/core/schema/api/report-file.ts';
import { attachmentKinds } from '../../../../src/core/schema/message.ts';
import { useReportFile } from '../../data/use-report.ts';
import { useRun } from '../../data/use-run.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { CaseList } from './case-list.tsx';

/** The questions of a report, below those to look at first: one list, the worst first. */
export function ReportedCases() {
  const { run: id = '' } = useParams({ strict: false });
  const { data: file } = useReportFile();
  const { data: view } = useRun(id);
  if (file === undefined || view === undefined) return null;
  return (
    <Section
      title="All questions"
      note={
        <>
          <CaseCount file={file} />{' '}
          <a href={`${runPath(id)}/cases`} className="link underline print:hidden">
            Filter and sort them
          </a>
        </>
      }
    >
      <CaseList run={view.run} />
    </Section>
  );
}

/** The number of questions that the file contains, and which ones. */
export function CaseCount({ file: { shown, cases, narrowing, leftOut } }: { readonly file: ReportFile }) {
  const which = narrowing === undefined ? 'questions' : 'chosen questions';
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
      {leftOut !== undefined && ` ${leftOutInWords(leftOut)}`}
    </>
  );
}

const nouns = { image: 'picture', pdf: 'PDF', audio: 'sound' } as const;

/** Says how many pictures and other files are not here: `3 pictures and 1 PDF are not in this file.` */
function leftOutInWords(leftOut: LeftOut): string {
  const counts = attachmentKinds.flatMap((kind) =>
    leftOut[kind] === undefined ? [] : [{ kind, count: leftOut[kind] }],
  );
  const words = counts.map(
    ({ kind, count }) => `${formatCount(count)} ${nouns[kind]}${count === 1 ? '' : 's'}`,
  );
  const isOne = counts.length === 1 && counts[0]?.count === 1;
  return `${words.join(' and ')} ${isOne ? 'is' : 'are'} not in this file.`;
}
