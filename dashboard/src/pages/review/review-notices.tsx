import { messageOf } from '../../../../src/errors.ts';
import { FailedRequest } from '../../data/data-source.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { minutesOfLong, type SendFailure, type Sitting } from './sitting.ts';

/** What a reviewer has to know: a label that is not stored yet, and a sitting that is too long. */
export function ReviewNotices({ sitting }: { readonly sitting: Sitting }) {
  const { phase } = sitting;
  const minutes = minutesOfLong(sitting);
  return (
    <>
      {phase.type === 'sending' && phase.failure !== undefined && <Unsent failure={phase.failure} />}
      {minutes !== undefined && (
        <p role="status" className="mb-4 rounded-lg border border-line bg-surface px-4 py-2 text-unsure">
          You have labelled for {minutes} minutes. After a pause, labels are more alike.
        </p>
      )}
    </>
  );
}

function Unsent({ failure: { error, isFinal } }: { readonly failure: SendFailure }) {
  const remedy = error instanceof FailedRequest ? error.remedy : '';
  return (
    <div role="alert" className="mb-4 rounded-lg border border-bad bg-surface px-4 py-3">
      <p className="font-medium text-bad">
        <span aria-hidden>✗ </span>
        {isFinal ? 'This label was not stored.' : 'This label is not stored yet; it is sent again and again.'}
      </p>
      <p className="mt-1 wrap-anywhere">
        <PlainText text={messageOf(error)} /> {!isFinal && <PlainText text={remedy} />}
      </p>
      {isFinal && <p className="mt-1">Enter goes on to the next item.</p>}
    </div>
  );
}
