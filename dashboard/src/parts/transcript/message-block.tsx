import type { ReactNode } from 'react';
import type { Message } from '../../../../src/schema/message.ts';
import { MarkdownText } from '../markdown-text.tsx';
import { PlainText } from '../plain-text.tsx';
import { Fold } from './fold.tsx';
import { LongText } from './long-text.tsx';
import { ToolCallBlock } from './tool-call-block.tsx';

const speakers = { system: 'System', user: 'User', assistant: 'Bot', tool: 'Result' } as const;

/** The options of {@link MessageBlock}. */
interface MessageBlockOptions {
  readonly message: Message;
  /** The place of the message, a JSON pointer. */
  readonly path: string;
  /** The evidence to mark in the text. */
  readonly marks?: readonly string[];
  /** True for the message that is the answer: its tool calls come before the text that uses them. */
  readonly isAnswer?: boolean;
  /** True to show the Markdown of the target with its format. */
  readonly isFormatted?: boolean;
  /** Shown in place of the text. */
  readonly words?: ReactNode;
}

/** One message of a transcript: its thoughts, its text, and its tool calls with what came back. */
export function MessageBlock({
  message,
  path,
  marks = [],
  isAnswer = false,
  isFormatted = false,
  words: given,
}: MessageBlockOptions) {
  const { role, content, name, reasoning, toolCalls = [] } = message;
  const isTarget = role === 'assistant';
  const words =
    content !== null &&
    content !== '' &&
    (given === undefined ? (
      <Content key="words" text={content} path={path} marks={marks} isFormatted={isFormatted && isTarget} />
    ) : (
      <div key="words">{given}</div>
    ));
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

/** The options of {@link Labelled}. */
interface LabelledOptions {
  readonly label: string;
  readonly name?: string | undefined;
  readonly children: ReactNode;
}

/** A part of a transcript with the speaker beside it. */
export function Labelled({ label, name, children }: LabelledOptions) {
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
