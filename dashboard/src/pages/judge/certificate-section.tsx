import { formatDay, formatPlural } from '../../../../src/look/report/format.ts';
import {
  formatLabelling,
  ceilingSentence,
  conditionStates,
  driftSentence,
  formatBothRates,
  worthSentence,
} from '../../../../src/look/report/judged-rates.ts';
import type { CertificateView } from '../../../../src/core/schema/api/judge-view.ts';
import type {
  CalibrationCondition,
  RefusedCalibration,
} from '../../../../src/core/schema/review/certificate.ts';
import { CommandLine } from '../../parts/copy-button.tsx';
import { MessageText } from '../../parts/message-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { Rates, VerdictTable } from './calibration-numbers.tsx';

/** The certificates of a judge: what it was compared with, whether they still hold, and why not; and calibrations that gave none. */
export function CertificateSection({
  certificates,
  refused,
}: {
  readonly certificates: readonly CertificateView[];
  readonly refused: readonly RefusedCalibration[];
}) {
  const newest = new Map(certificates.toReversed().map((view) => [metricOf(view), view]));
  const latest = certificates.filter((view) => newest.get(metricOf(view)) === view);
  const earlier = certificates.filter((view) => newest.get(metricOf(view)) !== view);
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
            This judge has no certificate: its numbers are only what a model says.
            {refused.length === 0
              ? ' Have people label answers:'
              : ' It was refused one, for the reasons below. Once they are mended, have people label answers:'}
          </p>
          <CommandLine text="touchstone review create --rubric RUBRIC --doubled 40%" />
          <p className="mt-4 mb-2 max-w-3xl text-quiet">
            Then compare the judge with them. This certifies it, or says which condition is not met:
          </p>
          <CommandLine text="touchstone calibrate --rubric RUBRIC" />
        </>
      ) : (
        <ul className="space-y-6">
          {latest.map((view) => (
            <li key={view.certificate.id}>
              <CertificateCard view={view} isReplaced={certificates.some((other) => replaces(other, view))} />
            </li>
          ))}
        </ul>
      )}
      {earlier.length > 0 && (
        <details className="mt-4">
          <summary className="link w-fit">{formatPlural(earlier.length, 'earlier certificate')}</summary>
          <ul className="mt-4 space-y-6">
            {earlier.map((view) => (
              <li key={view.certificate.id}>
                <CertificateCard
                  view={view}
                  isReplaced={certificates.some((other) => replaces(other, view))}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
      {refused.length > 0 && (
        <details className="mt-4" open={certificates.length === 0}>
          <summary className="link w-fit">
            {formatPlural(refused.length, 'calibration')} without a certificate
          </summary>
          <ul className="mt-4 space-y-6">
            {refused.map((each) => (
              <li key={each.id}>
                <RefusedCard refused={each} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

/** A calibration that gave no certificate: who compared the judge with people, when, the numbers, and what was missing. */
function RefusedCard({ refused: { madeAt, by, calibration } }: { readonly refused: RefusedCalibration }) {
  const { metric, rate, answers, conditions } = calibration;
  return (
    <article
      aria-label={`No certificate for ${metric.name} on ${formatDay(madeAt)}`}
      className="max-w-5xl rounded-lg border border-line p-5"
    >
      <h3 className="flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
        <PlainText text={metric.name} className="font-semibold" />
        <span className="text-bad">✗ no certificate</span>
        <span className="text-quiet">
          {formatDay(madeAt)}
          {by !== undefined && (
            <>
              {' by '}
              <PlainText text={by} />
            </>
          )}
        </span>
      </h3>
      <ul className="mt-2 max-w-3xl wrap-anywhere">
        {conditions.map(({ id, isRequired, state, sentence }) =>
          isRequired && state !== 'met' ? (
            <li key={id} className="text-unsure">
              <PlainText text={sentence} />
            </li>
          ) : null,
        )}
      </ul>
      <p className="mt-3">
        <PlainText text={formatBothRates(rate, answers)} />
      </p>
      <div className="mt-4 grid gap-x-10 gap-y-4 lg:grid-cols-[auto_1fr]">
        <VerdictTable calibration={calibration} />
        <Rates calibration={calibration} />
      </div>
    </article>
  );
}

function metricOf({ certificate }: CertificateView): string {
  return certificate.calibration.metric.name;
}

/** Returns whether a certificate is valid for the metric of another one, so that nothing has to be labelled again. */
function replaces({ status, certificate }: CertificateView, other: CertificateView): boolean {
  return status === 'valid' && certificate.calibration.metric.name === metricOf(other);
}

function CertificateCard({
  view,
  isReplaced,
}: {
  readonly view: CertificateView;
  readonly isReplaced: boolean;
}) {
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
        <PlainText text={calibration.metric.name} className="font-semibold" />
        <span className={isEnded ? '' : 'text-good'}>
          {isEnded ? '○ ended' : `✓ valid until ${formatDay(validUntil)}`}
        </span>
        <span className="text-quiet">made {formatDay(certificate.madeAt)}</span>
      </h3>
      {isEnded && <Ending view={view} isReplaced={isReplaced} />}
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
function Ending({
  view: { ends, hours, remedy },
  isReplaced,
}: {
  readonly view: CertificateView;
  readonly isReplaced: boolean;
}) {
  return (
    <div className="mt-2">
      <ul className="max-w-3xl wrap-anywhere">
        {ends.map(({ reason, message }) => (
          <li key={reason} className="text-unsure">
            <MessageText text={message} />
          </li>
        ))}
      </ul>
      {isReplaced ? (
        <p className="mt-1">A newer certificate is valid.</p>
      ) : (
        <>
          <p className="mt-1 mb-2">Labelling again takes {formatLabelling(hours)}.</p>
          <CommandLine text={remedy} />
        </>
      )}
    </div>
  );
}

/** The sign and the colour of each state of a condition. */
const signs = {
  met: ['✓', 'text-good'],
  failed: ['✗', 'text-bad'],
  'not-measured': ['–', 'text-unsure'],
} as const satisfies Record<CalibrationCondition['state'], readonly [string, string]>;

/** The conditions of a certificate, each with its state and its numbers. */
function ConditionList({ conditions }: { readonly conditions: readonly CalibrationCondition[] }) {
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
