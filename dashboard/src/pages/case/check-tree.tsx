import { type CheckRow, checkSigns, listChecks } from '../../../../src/look/report/rows/check-rows.ts';
import type { Verdict } from '../../../../src/core/schema/verdict.ts';
import { PlainText } from '../../parts/plain-text.tsx';

const looks = {
  passed: 'text-good',
  failed: 'text-bad',
  'not-measured': 'text-unsure',
  'not-applicable': 'text-quiet',
} as const satisfies Record<CheckRow['outcome'], string>;

/** The checks that a case brings along, below the verdict that they make up; nothing for another kind of verdict. */
export function CheckTree({ verdict }: { readonly verdict: Verdict | undefined }) {
  const rows = listChecks(verdict);
  if (rows.length === 0) return null;
  return (
    <ul aria-label="Checks of this question" className="mt-2 space-y-1 border-l border-line pl-3">
      {rows.map(({ key, depth, name, use, outcome, value, traits, label, explanation }) => (
        <li key={key} className="wrap-anywhere" style={{ paddingLeft: `${depth}rem` }}>
          <span className={looks[outcome]}>
            <span aria-hidden>{checkSigns[outcome]} </span>
            <span className="sr-only">{outcome.replace('-', ' ')} </span>
          </span>
          <PlainText text={name} />{' '}
          <span className="text-quiet">
            {value}
            {traits !== '' && `, ${traits}`}
            {use !== undefined && (
              <>
                , <PlainText text={use} />
              </>
            )}
            {label !== undefined && (
              <>
                , <PlainText text={label} />
              </>
            )}
          </span>
          {explanation !== '' && (
            <p className="text-quiet">
              <PlainText text={explanation} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
