import { type ReactNode, useEffect, useRef } from 'react';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { keepFocus, takeFocus } from '../../keys/focus.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type ComparedChoice, usePairedCase } from '../../data/use-comparison.ts';
import { AnswerPair } from './answer-pair.tsx';

interface CasePanelOptions {
  readonly choice: ComparedChoice;
  readonly caseId: string;
  /** The place of the case in the list, such as `3 of 12`; undefined when it is not in the part that was read. */
  readonly place: string | undefined;
  /** Opens the next case of the list, or the previous one; undefined where there is none. */
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  readonly onClose: () => void;
  readonly isDiff: boolean;
  readonly onDiff: (isDiff: boolean) => void;
}

/** One case over the page: both answers side by side, and the verdicts on them. */
export function CasePanel({
  choice,
  caseId,
  place,
  onNext,
  onPrevious,
  onClose,
  isDiff,
  onDiff,
}: CasePanelOptions) {
  const panel = useRef<HTMLDivElement>(null);
  const { data, error, refetch, isPlaceholderData } = usePairedCase(choice, caseId);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollTo({ top: 0 });
  }, [caseId]);
  const shown = data?.caseId;
  // What had the focus may have been of the case before, which stays until the next one is there.
  useEffect(() => takeFocus(panel.current), [shown]);
  useKeys([
    { keys: 'j', does: 'Next question', run: () => onNext?.() },
    { keys: 'k', does: 'Previous question', run: () => onPrevious?.() },
    { keys: 'd', does: 'Mark the words that differ, or no longer', run: () => onDiff(!isDiff) },
    { keys: 'Escape', does: 'Close the question', run: onClose },
  ]);
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={`Question ${caseId}`}
      aria-modal
      aria-busy={isPlaceholderData}
      onKeyDown={keepFocus}
      tabIndex={-1}
      className="fixed inset-y-0 right-0 z-20 w-full max-w-[76rem] overflow-y-auto overscroll-contain border-l border-line bg-page shadow-2xl outline-none"
    >
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border-b border-line bg-page px-4 py-2 sm:px-6">
        <h2 className="min-w-0 truncate font-semibold">
          <PlainText text={caseId} />
        </h2>
        {place !== undefined && <span className="text-quiet">{place}</span>}
        <div className="ml-auto flex gap-2">
          <Button onClick={onPrevious} disabled={onPrevious === undefined} title="Previous question (k)">
            <Arrow>↑</Arrow> Previous
          </Button>
          <Button onClick={onNext} disabled={onNext === undefined} title="Next question (j)">
            <Arrow>↓</Arrow> Next
          </Button>
          <Button onClick={() => onDiff(!isDiff)} aria-pressed={isDiff} title="Mark what differs (d)">
            Diff {isDiff ? 'on' : 'off'}
          </Button>
          <Button onClick={onClose} title="Close (Escape)">
            Close
          </Button>
        </div>
      </div>
      <div className={`px-4 py-5 sm:px-6 ${isPlaceholderData ? 'opacity-60' : ''}`}>
        {error !== null ? (
          <ErrorPanel error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <Skeleton />
        ) : (
          <AnswerPair key={data.caseId} paired={data} isDiff={isDiff} />
        )}
      </div>
    </div>
  );
}

function Arrow({ children }: { readonly children: ReactNode }) {
  return <span aria-hidden>{children}</span>;
}
