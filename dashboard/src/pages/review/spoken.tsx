import type { ReactNode } from 'react';
import type { ReviewCardView } from '../../../../src/schema/api/review/card.ts';
import { LongText } from '../../parts/transcript/long-text.tsx';
import { Labelled, MessageBlock } from '../../parts/transcript/message-block.tsx';

/** The options of {@link Spoken}. */
interface SpokenOptions {
  readonly spoken: Pick<ReviewCardView, 'transcript' | 'answer'>;
  /** The place of both parts in the card, as a JSON pointer. */
  readonly path: string;
  /** The first message to show; those before it are shown elsewhere. */
  readonly from?: number;
  /** The answer in another form, such as with marked words. */
  readonly words?: ReactNode;
}

/** A conversation with its tool calls, in which the answer is marked. */
export function Spoken({ spoken: { transcript, answer }, path, from = 0, words }: SpokenOptions) {
  const answerAt = transcript.findLastIndex(
    ({ role, content }) => role === 'assistant' && content === answer,
  );
  return (
    <>
      <ol className="space-y-3">
        {transcript.slice(from).map((message, place) => {
          const index = from + place;
          return (
            <li key={index}>
              <MessageBlock
                message={message}
                path={`${path}/transcript/${index}`}
                isAnswer={index === answerAt}
                words={index === answerAt ? words : undefined}
              />
            </li>
          );
        })}
      </ol>
      {answerAt < 0 && answer !== null && (
        <div className="mt-3">
          <Labelled label="Answer">{words ?? <LongText text={answer} path={`${path}/answer`} />}</Labelled>
        </div>
      )}
    </>
  );
}
