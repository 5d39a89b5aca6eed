import { formatCoefficient, formatShareWithin } from '../../../../src/look/report/judged-rates.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import type { Calibration } from '../../../../src/core/schema/review/certificate.ts';

/** The numbers of labelled answers by both verdicts. */
export function VerdictTable({ calibration: { table } }: { readonly calibration: Calibration }) {
  const rows = [
    ['People pass', table.truePositives, table.falseNegatives],
    ['People fail', table.falsePositives, table.trueNegatives],
  ] as const;
  return (
    <table className="h-fit w-fit">
      <caption className="sr-only">Labelled answers by the verdicts of people and of the judge</caption>
      <thead>
        <tr className="text-quiet">
          <td />
          <th scope="col" className="px-3 py-1 text-right font-normal">
            judge passes
          </th>
          <th scope="col" className="px-3 py-1 text-right font-normal">
            judge fails
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, passed, failed]) => (
          <tr key={title} className="border-t border-line">
            <th scope="row" className="py-1 pr-3 text-left font-normal text-quiet">
              {title}
            </th>
            <td className="px-3 py-1 text-right tabular-nums">{formatCount(passed)}</td>
            <td className="px-3 py-1 text-right tabular-nums">{formatCount(failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The rates of a judge with their intervals. */
export function Rates({ calibration: { rates } }: { readonly calibration: Calibration }) {
  const facts = [
    ['TPR: passes that it finds', formatShareWithin(rates.truePositiveRate)],
    ['TNR: fails that it finds', formatShareWithin(rates.trueNegativeRate)],
    ['PPV: its passes that are right', formatShareWithin(rates.positivePredictiveValue)],
    ['NPV: its fails that are right', formatShareWithin(rates.negativePredictiveValue)],
    ['The same verdict as people', formatShareWithin(rates.agreement)],
    ['Kappa', formatCoefficient(rates.kappa)],
  ] as const;
  return (
    <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-quiet">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
