import { type ReactNode, useState } from 'react';
import { formatCount, formatDuration, formatPlural } from '../../../../src/report/format.ts';
import type { TrialView } from '../../../../src/schema/api/trial-view.ts';
import type { Message, ToolCall } from '../../../../src/schema/message.ts';
import type { Trial } from '../../../../src/schema/trial.ts';
import { useFurtherMessages } from '../../data/use-trial.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { MarkdownText } from '../../parts/markdown-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { JsonText, LongText } from './long-text.tsx';

/** The options of {@link Conversation}. */
interface ConversationOptions {
  readonly view: TrialView;
  readonly path: string;
  /** The evidence to mark in the answer. */
  readonly marks: readonly string[];
}

/** The transcript of a trial: messages, thoughts, and tool calls with what came back. */
export function Conversation({ view, path, marks }: ConversationOptions) {
  const { result, messages: all } = view;
  const { transcript: first, answer, conversation } = result.trial;
  const [isFormatted, setFormatted] = useState(false);
  useKeys([
    { keys: 'm', does: 'Show answers as Markdown, or no longer', run: () => setFormatted(!isFormatted) },
  ]);
  const further = useFurtherMessages(path, { first: first.length, all });
  const messages = [...first, ...(further.data?.pages.flatMap((part) => part.messages) ?? [])];
  const left = all - messages.length;
  const answerAt = messages.findLastIndex(({ role, content }) => role === 'assistant' && content === answer);
  const starts = new Map(conversation?.turns.map((turn, index) => [turn.from, { turn, number: index + 1 }]));
  return (
    <Section title="What was said?">
      <label className="-mt-8 mb-3 flex items-center justify-end gap-2 text-xs text-quiet">
        <input
          type="checkbox"
          checked={isFormatted}
          onChange={() => setFormatted(!isFormatted)}
          className="size-3.5 accent-accent"
        />
        Markdown
      </label>
      <ol className="space-y-3">
        {messages.map((message, index) => {
          const start = starts.get(index);
          return (
            <li key={index}>
              {start !== undefined && (
                <p className="mb-2 border-b border-line pb-1 text-xs text-quiet">
                  Turn {start.number}
                  {start.turn.latency !== undefined && ` · ${formatDuration(start.turn.latency.totalMs)}`}
                </p>
              )}
              <MessageBlock
                message={message}
                path={`/result/trial/transcript/${index}`}
                marks={index === answerAt ? marks : []}
                isAnswer={index === answerAt}
                isFormatted={isFormatted}
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

/** Gives an element the focus that was on a button which it replaces. */
function takeFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

/** The end of a conversation of several turns, and why it says nothing about the target if it does not. */
function End({ trial: { conversation, spoilt } }: { readonly trial: Trial }) {
  return (
    <>
      {conversation !== undefined && (
        <p className="mt-3 text-quiet">
          Ended: {conversation.ended}
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

const speakers = { system: 'System', user: 'User', assistant: 'Bot', tool: 'Result' } as const;

interface MessageBlockOptions {
  readonly message: Message;
  readonly path: string;
  readonly marks: readonly string[];
  /** True for the message that is the answer: its tool calls come before the text that uses them. */
  readonly isAnswer: boolean;
  readonly isFormatted: boolean;
}

function MessageBlock({ message, path, marks, isAnswer, isFormatted }: MessageBlockOptions) {
  const { role, content, name, reasoning, toolCalls = [] } = message;
  const isTarget = role === 'assistant';
  const words = content !== null && content !== '' && (
    <Content key="words" text={content} path={path} marks={marks} isFormatted={isFormatted && isTarget} />
  );
  const calls = toolCalls.map((call, index) => (
    <ToolCallBlock key={index} call={call} path={`${path}/toolCalls/${index}`} />
  ));
  return (
    <Labelled label={speakers[role]} name={role === 'tool' ? undefined : name}>
      <div
        className={`space-y-2 rounded-lg px-3 py-2 ${role === 'user' ? 'bg-accent-soft' : isTarget ? 'border border-line' : 'bg-surface text-quiet'}`}
      >
        {reasoning !== undefined && reasoning !== '' && (
          <Fold title="Thoughts">
            <LongText text={reasoning} path={`${path}/reasoning`} />
          </Fold>
        )}
        {isAnswer ? [calls, words] : [words, calls]}
        {(content === null || content === '') && toolCalls.length === 0 && (
          <p className="text-quiet">no text</p>
        )}
      </div>
    </Labelled>
  );
}

interface ContentOptions {
  readonly text: string;
  readonly path: string;
  readonly marks: readonly string[];
  readonly isFormatted: boolean;
}

function Content({ text, path, marks, isFormatted }: ContentOptions) {
  return isFormatted ? (
    <MarkdownText text={text} />
  ) : (
    <LongText text={text} path={`${path}/content`} marks={marks} />
  );
}

interface LabelledOptions {
  readonly label: string;
  readonly name?: string | undefined;
  readonly children: ReactNode;
}

function Labelled({ label, name, children }: LabelledOptions) {
  return (
    <div className="grid gap-x-3 gap-y-1 sm:grid-cols-[4.5rem_minmax(0,1fr)]">
      <p className="text-xs leading-5 font-medium text-quiet sm:py-2">
        {label}
        {name !== undefined && (
          <>
            {' '}
            <PlainText text={name} />
          </>
        )}
      </p>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

interface FoldOptions {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part that is opened on demand. */
export function Fold({ title, children }: FoldOptions) {
  return (
    <details>
      <summary className="cursor-pointer text-xs text-quiet hover:text-text">{title}</summary>
      <div className="mt-1 border-l-2 border-line pl-3 text-quiet">{children}</div>
    </details>
  );
}

/** A tool call: its name and arguments, and what came back or was injected in its place. */
function ToolCallBlock({ call, path }: { readonly call: ToolCall; readonly path: string }) {
  const { name, arguments: given, result, error, fault, withheld } = call;
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-text">
      <p className="wrap-anywhere">
        <span className="text-xs text-quiet">Tool </span>
        <span className="font-mono text-[13px] font-medium">
          <PlainText text={name} />
        </span>
      </p>
      <dl className="mt-1 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-2 gap-y-1">
        {given !== undefined && (
          <Part label="Arguments">
            <JsonText value={given} path={`${path}/arguments`} />
          </Part>
        )}
        {result !== undefined && (
          <Part label="Result">
            <JsonText value={result} path={`${path}/result`} />
          </Part>
        )}
        {error !== undefined && (
          <Part label="Error" isBad>
            <LongText text={error || '(no message)'} path={`${path}/error`} isCode />
          </Part>
        )}
        {(result ?? error) === undefined && <Part label="Result">nothing reported</Part>}
        {fault !== undefined && (
          <Part label="Fault">
            <PlainText text={fault} />, injected by Touchstone
          </Part>
        )}
        {withheld !== undefined && (
          <Part label="Withheld">
            <JsonText value={withheld} path={`${path}/withheld`} />
          </Part>
        )}
      </dl>
    </div>
  );
}

interface PartOptions {
  readonly label: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

function Part({ label, isBad = false, children }: PartOptions) {
  return (
    <>
      <dt className="text-xs leading-5 text-quiet">{label}</dt>
      <dd className={`min-w-0 ${isBad ? 'text-bad' : ''}`}>{children}</dd>
    </>
  );
}
