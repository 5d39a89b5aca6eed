import { PlainText } from '../../parts/plain-text.tsx';
import { type Span, spanOf, splitAtMarks, type WordChoice } from './marking.ts';

/** The options of {@link MarkedAnswer}. */
interface MarkedAnswerOptions {
  readonly text: string;
  readonly spans: readonly Span[];
  /** The words that are being chosen. */
  readonly choice: WordChoice | undefined;
}

/** The answer with its marked words, and those that are being chosen. */
export function MarkedAnswer({ text, spans, choice }: MarkedAnswerOptions) {
  const chosen = choice === undefined ? undefined : spanOf(text, choice);
  return (
    <div className="wrap-anywhere whitespace-pre-wrap">
      {splitAtMarks(text, spans, chosen).map(({ text: piece, isMarked, isChosen }, index) => {
        const look = `rounded-sm text-text ${isMarked ? 'bg-mark' : 'bg-transparent'} ${isChosen ? 'outline-2 outline-accent' : ''}`;
        return isMarked || isChosen ? (
          <mark key={index} className={look} data-chosen={isChosen || undefined}>
            <PlainText text={piece} />
          </mark>
        ) : (
          <PlainText key={index} text={piece} />
        );
      })}
      {choice !== undefined && (
        <span role="status" className="sr-only">
          {chosen?.text ?? 'no words'}
        </span>
      )}
    </div>
  );
}
