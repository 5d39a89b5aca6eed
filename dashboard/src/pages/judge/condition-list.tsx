import { conditionStates } from '../../../../src/report/certificate-sentences.ts';
import type { CalibrationCondition } from '../../../../src/schema/review/certificate.ts';
import { PlainText } from '../../parts/plain-text.tsx';

/** The sign and the colour of each state of a condition. */
const signs = {
  met: ['✓', 'text-good'],
  failed: ['✗', 'text-bad'],
  'not-measured': ['–', 'text-unsure'],
} as const satisfies Record<CalibrationCondition['state'], readonly [string, string]>;

/** The conditions of a certificate, each with its state and its numbers. */
export function ConditionList({ conditions }: { readonly conditions: readonly CalibrationCondition[] }) {
  const met = conditions.filter(({ state }) => state === 'met').length;
  return (
    <details className="mt-4">
      <summary className="link w-fit">
        {met} of {conditions.length} conditions met
      </summary>
      <ul className="mt-2 max-w-3xl space-y-2">
        {conditions.map(({ id, state, isRequired, sentence }) => {
          const [sign, colour] = signs[state];
          return (
            <li key={id} className="grid grid-cols-[1.5rem_1fr] wrap-anywhere">
              <span aria-hidden className={`font-semibold ${colour}`}>
                {sign}
              </span>
              <span>
                <span className={colour}>{conditionStates[state]}</span>
                <span className="text-quiet">{isRequired ? ': ' : ' (advice): '}</span>
                <PlainText text={sentence} />
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
