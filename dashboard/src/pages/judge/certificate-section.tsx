import {
  ceilingSentence,
  driftSentence,
  formatBothRates,
  formatCoefficient,
  formatShareWithin,
  worthSentence,
} from '../../../../src/report/certificate-sentences.ts';
import { formatCount, formatDay } from '../../../../src/report/format.ts';
import { formatLabelling } from '../../../../src/report/judged-rates.ts';
import type { CertificateView } from '../../../../src/schema/api/judge-view.ts';
import type { Calibration } from '../../../../src/schema/review/certificate.ts';
import { CommandLine } from '../../parts/command-line.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { ConditionList } from './condition-list.tsx';

/** The certificates of a judge: what it was held against, whether they still hold, and why not. */
export function CertificateSection({ certificates }: { readonly certificates: readonly CertificateView[] }) {
  return (
    <Section
      title="Is it right?"
      note={
        certificates.length === 0
          ? undefined
          : "The judge against people's blind labels. A certificate ends when the judge, the dataset or the labels change, and after 90 days."
      }
    >
      {certificates.length === 0 ? (
        <>
          <p className="mb-2 max-w-3xl text-quiet">
            Nobody has held this judge against people yet: without a certificate its numbers are only what a
            model says.
          </p>
          <CommandLine text="touchstone review create --rubric RUBRIC --doubled 40% && touchstone calibrate --rubric RUBRIC" />
        </>
      ) : (
        <ul className="space-y-6">
          {certificates.map((view) => (
            <li key={view.certificate.id}>
              <CertificateCard view={view} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function CertificateCard({ view }: { readonly view: CertificateView }) {
  const { certificate, status, validUntil, drift } = view;
  const { calibration } = certificate;
  const isEnded = status === 'ended';
  const worth = worthSentence(calibration.rate, calibration.answers);
  return (
    <article
      aria-label={`Certificate for ${calibration.metric.name} of ${formatDay(certificate.madeAt)}`}
      className={`max-w-5xl rounded-lg border border-line p-5 ${isEnded ? 'text-quiet' : 'bg-surface'}`}
    >
      <h3 className="flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
        <span className="font-semibold">
          <PlainText text={calibration.metric.name} />
        </span>
        <span className={isEnded ? '' : 'text-good'}>
          {isEnded ? '○ ended' : `✓ valid until ${formatDay(validUntil)}`}
        </span>
        <span className="text-quiet">made {formatDay(certificate.madeAt)}</span>
      </h3>
      {isEnded && <Ending view={view} />}
      <p className="mt-3 text-base font-medium">
        <PlainText text={formatBothRates(calibration.rate, calibration.answers)} />
      </p>
      {worth !== undefined && <p>{worth}</p>}
      <div className="mt-4 grid gap-x-10 gap-y-4 lg:grid-cols-[auto_1fr]">
        <VerdictTable calibration={calibration} />
        <Rates calibration={calibration} />
      </div>
      <p className="mt-4 max-w-3xl">{ceilingSentence(calibration)}.</p>
      {drift !== null && <p className="mt-1 max-w-3xl">Since then: {driftSentence(drift)}.</p>}
      <ConditionList conditions={calibration.conditions} />
    </article>
  );
}

/** Why a certificate has ended, and what a new one takes. */
function Ending({ view: { ends, hours, remedy } }: { readonly view: CertificateView }) {
  return (
    <div className="mt-2">
      <ul className="max-w-3xl wrap-anywhere">
        {ends.map(({ reason, message }) => (
          <li key={reason} className="text-unsure">
            <PlainText text={message} />
          </li>
        ))}
      </ul>
      <p className="mt-1 mb-2">Labelling anew takes {formatLabelling(hours)}.</p>
      <CommandLine text={remedy} />
    </div>
  );
}

/** The numbers of labelled answers by both verdicts. */
function VerdictTable({ calibration: { table } }: { readonly calibration: Calibration }) {
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

function Rates({ calibration: { rates } }: { readonly calibration: Calibration }) {
  const facts = [
    ['TPR: passes that it finds', formatShareWithin(rates.truePositiveRate)],
    ['TNR: fails that it finds', formatShareWithin(rates.trueNegativeRate)],
    ['PPV: its passes that are right', formatShareWithin(rates.positivePredictiveValue)],
    ['NPV: its fails that are right', formatShareWithin(rates.negativePredictiveValue)],
    ['The same verdict as people', formatShareWithin(rates.agreement)],
    ['Kappa', formatCoefficient(rates.kappa)],
  ] as const;
  return (
    <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-quiet">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
