import { useDeferredValue } from 'react';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import { endingWords, turnsOf } from '../../../../src/look/report/conversation-turns.ts';
import { type TrialView, trialPartSchema } from '../../../../src/core/schema/api/trial-view.ts';
import type { Trial } from '../../../../src/core/schema/trial.ts';
import { useKept } from '../../data/kept-value.ts';
import { useFurtherMessages } from '../../data/use-trial.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { takeFocus } from '../../keys/focus.ts';
import { LongText } from '../../parts/transcript/long-text.tsx';
import { TurnHead } from '../../parts/transcript/turn-head.tsx';
import { Labelled, MessageBlock } from '../../parts/transcript/message-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useData } from '../../data/data-source.ts';
import { withParameters } from '../../data/use-answer.ts';

interface ConversationOptions {
  readonly view: TrialView;
  readonly path: string;
  /** The evidence to mark in the answer. */
  readonly marks: readonly string[];
}

/** A message that is drawn only where it is looked at, for transcripts with many. */
const drawnInSight = '[contain-intrinsic-size:auto_8rem] [content-visibility:auto]';

/** The transcript of a trial: messages, thoughts, and tool calls with what came back. */
export function Conversation({ view, path, marks }: ConversationOptions) {
  const { result, messages: all } = view;
  const { transcript: first, answer, conversation } = result.trial;
  const [isFormatted, setFormatted] = useKept('markdown', true);
  // A long transcript is formatted in steps, between which the page answers.
  const isShownFormatted = useDeferredValue(isFormatted, false);
  useKeys([
    { keys: 'm', does: 'Show answers as Markdown, or no longer', run: () => setFormatted(!isFormatted) },
  ]);
  const further = useFurtherMessages(path, { first: first.length, all });
  const messages = [...first, ...(further.data?.pages.flatMap((part) => part.messages) ?? [])];
  const left = all - messages.length;
  const answerAt = messages.findLastIndex(({ role, content }) => role === 'assistant' && content === answer);
  const turns = conversation === undefined ? [] : turnsOf(result).turns;
  const starts = new Map(turns.map((turn) => [turn.from, turn]));
  const isLong = messages.length > 50;
  return (
    <Section title="What was said?">
      <div className="-mt-9 mb-3 flex items-center justify-end gap-2 text-xs text-quiet print:hidden">
        <CopyAnswer view={view} path={path} />
        <label className="flex min-h-7 items-center gap-2">
          <input
            type="checkbox"
            checked={isFormatted}
            onChange={() => setFormatted(!isFormatted)}
            className="size-3.5 accent-accent"
          />
          Markdown
        </label>
      </div>
      {messages.length === 0 && <p className="text-quiet">No message was recorded.</p>}
      <ol className="space-y-3">
        {messages.map((message, index) => {
          const start = starts.get(index);
          return (
            <li key={index} className={isLong ? drawnInSight : undefined}>
              {start !== undefined && <TurnHead turn={start} />}
              <MessageBlock
                message={message}
                path={`/result/trial/transcript/${index}`}
                marks={index === answerAt ? marks : []}
                isAnswer={index === answerAt}
                isFormatted={isShownFormatted}
              />
            </li>
          );
        })}
      </ol>
      {left <= 0 && further.data !== undefined && (
        <p tabIndex={-1} ref={takeFocus} className="mt-3 text-xs text-quiet">
          All {formatPlural(all, 'message')} are shown.
        </p>
      )}
      {left > 0 && (
        <div className="mt-3">
          <Button
            onClick={() => void (further.data === undefined ? further.refetch() : further.fetchNextPage())}
          >
            Show more of {formatPlural(all, 'message')}, {formatCount(left)} left
          </Button>
        </div>
      )}
      {answerAt < 0 && left <= 0 && answer !== null && (
        <div className="mt-3">
          <Labelled label="Answer">
            <LongText text={answer} path="/result/trial/answer" marks={marks} />
          </Labelled>
        </div>
      )}
      <End trial={result.trial} />
    </Section>
  );
}

/** The button that copies the whole answer, also of one that is not on the page whole. */
function CopyAnswer({ view: { result, cuts }, path }: Pick<ConversationOptions, 'view' | 'path'>) {
  const source = useData();
  const { answer } = result.trial;
  const place = '/result/trial/answer';
  if (answer === null || answer === '') return null;
  const readWhole = async (): Promise<string> => {
    const part = await source.get(withParameters(`${path}/part`, { path: place }));
    return String(trialPartSchema.parse(part).value);
  };
  const isCut = cuts.some((cut) => cut.path === place);
  return <CopyButton label="Copy answer" text={isCut ? readWhole : answer} isSmall />;
}

/** The end of a conversation of several turns, and why it says nothing about the target if it does not. */
function End({ trial: { conversation, spoilt } }: { readonly trial: Trial }) {
  return (
    <>
      {conversation !== undefined && (
        <p className="mt-3 text-quiet">
          It ended because {endingWords[conversation.ended].text}
          {conversation.reason !== undefined && (
            <>
              : <PlainText text={conversation.reason} />
            </>
          )}
          {conversation.user !== undefined && (
            <>
              {' · user played by '}
              <PlainText text={conversation.user.model} />
            </>
          )}
        </p>
      )}
      {spoilt !== undefined && (
        <p className="mt-1 text-unsure">
          Invalid: <PlainText text={`${spoilt.kind}: ${spoilt.reason}`} />
        </p>
      )}
    </>
  );
}
