import { formatPlural } from '../../../../src/look/report/format.ts';
import type { LintFinding, LintReport } from '../../../../src/core/schema/api/lint-finding.ts';
import { useDatasetLint } from '../../data/use-datasets.ts';
import { Pending } from '../../parts/skeleton.tsx';
import { MessageText } from '../../parts/message-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

/** The most findings that are listed. */
const mostListed = 100;

/** The findings of `touchstone lint` about the files of a dataset as they are now. */
export function LintSection({ name }: { readonly name: string }) {
  const { data, error, refetch } = useDatasetLint(name);
  return (
    <Section
      title="Is it sound?"
      note={
        <>
          What <code className="font-mono">touchstone lint</code> finds in the files as they are now.
        </>
      }
    >
      {data === undefined ? (
        <Pending error={error} refetch={refetch} />
      ) : 'missing' in data ? (
        <p className="text-quiet">
          Not checked: <MessageText text={data.missing} />
        </p>
      ) : (
        <Findings report={data.report} />
      )}
    </Section>
  );
}

function Findings({ report: { counts, findings, cases } }: { readonly report: LintReport }) {
  if (findings.length === 0)
    return <p className="text-good">Nothing in {formatPlural(cases, 'question')}.</p>;
  const parts = [
    formatPlural(counts.error, 'error'),
    formatPlural(counts.warning, 'warning'),
    formatPlural(counts.note, 'note'),
  ];
  return (
    <>
      <p className="mb-2">
        {parts.join(', ')} in {formatPlural(cases, 'question')}
      </p>
      <ul className="space-y-2">
        {findings.slice(0, mostListed).map((finding, index) => (
          <Finding key={index} finding={finding} />
        ))}
      </ul>
      {findings.length > mostListed && (
        <p className="mt-2 text-quiet">
          {formatPlural(findings.length - mostListed, 'more finding')}:{' '}
          <code className="font-mono">touchstone lint</code> lists all.
        </p>
      )}
    </>
  );
}

const colours = { error: 'text-bad', warning: 'text-unsure', note: 'text-quiet' } as const;

function Finding({ finding }: { readonly finding: LintFinding }) {
  const { severity, rule, file, line, caseId, message, remedy } = finding;
  return (
    <li className="grid gap-x-4 sm:grid-cols-[5rem_1fr]">
      <span className={colours[severity]}>{severity}</span>
      <div className="max-w-3xl min-w-0 wrap-anywhere">
        <p>
          <MessageText text={message} />
        </p>
        <p className="text-quiet">
          <MessageText text={remedy} />
        </p>
        <p className="font-mono text-xs text-quiet">
          <PlainText text={line === undefined ? file : `${file}:${line}`} />
          {caseId !== undefined && (
            <>
              {' · '}
              <PlainText text={caseId} />
            </>
          )}
          {' · '}
          {rule}
        </p>
      </div>
    </li>
  );
}
