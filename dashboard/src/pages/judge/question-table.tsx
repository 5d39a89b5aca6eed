import { formatCount } from '../../../../src/report/format.ts';
import type { JudgeQuestion } from '../../../../src/schema/api/judge-view.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

/** The questions that a judge was asked, each in one version of its wording, with its failures. */
export function QuestionTable({ questions }: { readonly questions: readonly JudgeQuestion[] }) {
  return (
    <DataTable
      label="Questions"
      columns={columns}
      rows={questions}
      keyOf={({ id, shape }) => `${id} ${shape}`}
    />
  );
}

const columns: readonly Column<JudgeQuestion>[] = [
  {
    title: 'Question and version',
    isName: true,
    cell: ({ id }) => (
      <span className="font-mono text-[13px]">
        <PlainText text={id} />
      </span>
    ),
  },
  { title: 'Answer', isOptional: true, cell: ({ shape }) => shape },
  { title: 'Judgements', align: 'right', cell: ({ judgements }) => formatCount(judgements) },
  {
    title: 'Failed',
    cell: ({ failures }) =>
      failures.length === 0 ? (
        <span className="text-quiet">none</span>
      ) : (
        <ul className="min-w-48 wrap-anywhere">
          {failures.map(({ code, reason, judgements }) => (
            <li key={code}>
              <span className="text-bad">{formatCount(judgements)} </span>
              <span className="font-mono text-[13px]">
                <PlainText text={code} />
              </span>
              <span className="text-quiet">
                {': '}
                <PlainText text={reason} />
              </span>
            </li>
          ))}
        </ul>
      ),
  },
];
