import { listUncovered } from '../../../../src/look/report/comparison/parts.ts';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import type { ListedCases, PairComparison } from '../../../../src/core/schema/run-comparison.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

/** The cases that are not compared, with the reason. */
export function UncoveredSection({ pair }: { readonly pair: PairComparison }) {
  const parts = listUncovered(pair);
  if (parts.length === 0) return null;
  return (
    <Section title="What is not compared?">
      <ul className="space-y-1">
        {parts.map(({ reason, cases }) => (
          <li key={reason}>
            {formatPlural(cases.count, 'question')} {reason}: <Names cases={cases} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const mostListed = 8;

function Names({ cases: { count, ids } }: { readonly cases: ListedCases }) {
  const rest = ids.slice(mostListed);
  return (
    <>
      <NameList ids={ids.slice(0, mostListed)} />
      {rest.length > 0 && (
        <details>
          <summary className="cursor-pointer text-quiet">+{formatCount(count - mostListed)} more</summary>
          <NameList ids={rest} />
          {count > ids.length && `, and ${formatCount(count - ids.length)} more`}
        </details>
      )}
    </>
  );
}

function NameList({ ids }: { readonly ids: readonly string[] }) {
  return (
    <span className="wrap-anywhere">
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <PlainText text={id} className="font-medium" />
        </span>
      ))}
    </span>
  );
}
