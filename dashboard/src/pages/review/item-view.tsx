import { type ReactNode, useMemo } from 'react';
import type { Json } from '../../../../src/core/schema/json.ts';
import type { Message } from '../../../../src/core/schema/message.ts';
import type { OtherLabelView, ReviewCardView } from '../../../../src/core/schema/api/review/card.ts';
import { reviewPath } from '../../data/people/use-review.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Labelled, MessageBlock } from '../../parts/transcript/message-block.tsx';
import { JsonText, LongText, SourceProvider } from '../../parts/transcript/long-text.tsx';
import { wordsOfOutcome } from './answers.ts';
import { type Span, spanOf, splitAtMarks, type WordChoice } from './marking.ts';

interface ItemViewOptions {
  readonly task: string;
  readonly card: ReviewCardView;
  readonly spans: readonly Span[];
  readonly choice: WordChoice | undefined;
}

/** The item to label: the conversation with its tool calls, or a pair of answers, and of the case what reviewers may see. */
export function ItemView({ task, card, spans, choice }: ItemViewOptions) {
  const { item, turn, answer, second, context, expected, others, cuts } = card;
  const path = `${reviewPath(task)}/items/${item}${turn === undefined ? '' : `/${turn}`}`;
  const source = useMemo(() => ({ path, cuts }), [path, cuts]);
  const words =
    markableAnswer(card) === undefined ? undefined : (
      <MarkedAnswer text={answer ?? ''} spans={spans} choice={choice} />
    );
  return (
    <SourceProvider value={source}>
      {second === undefined ? (
        <section aria-label="Conversation">
          <Spoken spoken={card} path="" words={words} />
        </section>
      ) : (
        <PairView first={card} second={second} />
      )}
      {context !== undefined && (
        <Part title="Context">
          {(Array.isArray(context) ? context : [context]).map((text, index) => (
            <LongText
              key={index}
              text={text}
              path={Array.isArray(context) ? `/context/${index}` : '/context'}
            />
          ))}
        </Part>
      )}
      {expected !== undefined && (
        <Part title="Expected">
          <Expected expected={expected} />
        </Part>
      )}
      {others !== undefined && (
        <Part title="The labels that differ">
          <OtherLabels others={others} isPair={second !== undefined} />
        </Part>
      )}
    </SourceProvider>
  );
}

/** Returns the answer whose words can be marked; undefined without one, and for one of which only the beginning is there. */
export function markableAnswer({ answer, second, cuts }: ReviewCardView): string | undefined {
  if (second !== undefined) return undefined;
  const isCut = cuts.some(({ path }) => path === '/answer');
  return answer === null || answer.trim() === '' || isCut ? undefined : answer;
}

/** The expectations of the case; an expected answer without anything else as its text. */
function Expected({ expected }: { readonly expected: Json }) {
  const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected);
  const [[name, value] = [], ...rest] = isObject ? Object.entries(expected) : [];
  const isText = name === 'answer' && typeof value === 'string' && rest.length === 0;
  return isText ? (
    <LongText text={value} path="/expected/answer" />
  ) : (
    <JsonText value={expected} path="/expected" />
  );
}

/** Labels of others, without names. */
export function OtherLabels({
  others,
  isPair = false,
}: {
  readonly others: readonly OtherLabelView[];
  readonly isPair?: boolean;
}) {
  return (
    <ul className="space-y-1">
      {others.map(({ rubric, outcome, note }, index) => (
        <li key={index} className="wrap-anywhere">
          <span className="text-quiet">
            <PlainText text={rubric} />:{' '}
          </span>
          <PlainText text={wordsOfOutcome(outcome, isPair)} className="font-medium" />
          {note !== undefined && (
            <>
              {' · '}
              <PlainText text={note} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section aria-label={title} className="mt-6">
      <h2 className="text-xs font-medium text-quiet">{title}</h2>
      <div className="mt-1 wrap-anywhere">{children}</div>
    </section>
  );
}

interface MarkedAnswerOptions {
  readonly text: string;
  readonly spans: readonly Span[];
  /** The words that are being chosen. */
  readonly choice: WordChoice | undefined;
}

/** The answer with its marked words, and those that are being chosen. */
function MarkedAnswer({ text, spans, choice }: MarkedAnswerOptions) {
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
function Spoken({ spoken: { transcript, answer }, path, from = 0, words }: SpokenOptions) {
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

type SpokenAnswer = Pick<ReviewCardView, 'transcript' | 'answer'>;

interface PairViewOptions {
  readonly first: SpokenAnswer;
  readonly second: SpokenAnswer;
}

/** Two answers to the same question side by side: what they share above them, then each without a name. */
function PairView({ first, second }: PairViewOptions) {
  const shared = countShared(first.transcript, second.transcript);
  return (
    <>
      {shared > 0 && (
        <section aria-label="Question">
          <ol className="space-y-3">
            {first.transcript.slice(0, shared).map((message, index) => (
              <li key={index}>
                <MessageBlock message={message} path={`/transcript/${index}`} isAnswer={false} />
              </li>
            ))}
          </ol>
        </section>
      )}
      <div className="mt-4 grid gap-4 md:grid-cols-2">
        <Side title="First answer" arrow="←" spoken={first} path="" from={shared} />
        <Side title="Second answer" arrow="→" spoken={second} path="/second" from={shared} />
      </div>
    </>
  );
}

interface SideOptions {
  readonly title: string;
  /** The key that prefers it. */
  readonly arrow: string;
  readonly spoken: SpokenAnswer;
  readonly path: string;
  readonly from: number;
}

function Side({ title, arrow, spoken, path, from }: SideOptions) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line p-3">
      <h2 className="mb-2 text-xs font-medium text-quiet">
        {title} <kbd className="font-mono">{arrow}</kbd>
      </h2>
      <Spoken spoken={spoken} path={path} from={from} />
    </section>
  );
}

/** Returns how many messages two conversations begin with that are the same and not of an assistant. */
function countShared(one: readonly Message[], other: readonly Message[]): number {
  const differs = one.findIndex(
    (message, index) =>
      message.role === 'assistant' || JSON.stringify(message) !== JSON.stringify(other[index]),
  );
  return differs < 0 ? one.length : differs;
}
