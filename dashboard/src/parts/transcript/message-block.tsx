import { Fragment, type ReactNode } from 'react';
import type { Attachment, Message, ToolCall } from '../../../../src/core/schema/message.ts';
import { callSources } from '../../../../src/look/report/tools/call-sources.ts';
import { useData } from '../../data/data-source.ts';
import { PlainText } from '../plain-text.tsx';
import { JsonText, LongText, Fold, useIsCut } from './long-text.tsx';

const speakers = { system: 'System', user: 'User', assistant: 'Bot', tool: 'Result' } as const;

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

/** One message of a transcript: its thoughts, its text with the files in it, and its tool calls with what came back. */
export function MessageBlock({
  message,
  path,
  marks = [],
  isAnswer = false,
  isFormatted = false,
  words: given,
}: MessageBlockOptions) {
  const { role, name, reasoning, toolCalls = [] } = message;
  const isTarget = role === 'assistant';
  const isEmpty = !hasContent(message);
  const words = !isEmpty && (
    <Content key="words" message={message} path={path} marks={marks} isFormatted={isFormatted && isTarget}>
      {given}
    </Content>
  );
  const calls = toolCalls.map((call, index) => (
    <ToolCallBlock key={index} call={call} path={`${path}/toolCalls/${index}`} />
  ));
  return (
    <Labelled label={speakers[role]} name={role === 'tool' ? undefined : name}>
      <div
        className={`space-y-2 rounded-lg px-3 py-2 ${role === 'user' ? 'bg-accent-soft' : isTarget ? 'border border-line' : 'bg-surface text-quiet'}`}
      >
        <Thoughts text={reasoning} path={`${path}/reasoning`} />
        {isAnswer ? [calls, words] : [words, calls]}
        {isEmpty && toolCalls.length === 0 && <p className="text-quiet">no text</p>}
      </div>
    </Labelled>
  );
}

function Thoughts({ text = '', path }: { readonly text: string | undefined; readonly path: string }) {
  if (text === '') return null;
  return (
    <Fold title="Thoughts">
      <LongText text={text} path={path} />
    </Fold>
  );
}

/** Returns whether a message has a text or a file. */
function hasContent({ content, attachments = [] }: Message): boolean {
  return (content !== null && content !== '') || attachments.length > 0;
}

interface ContentOptions {
  readonly message: Message;
  readonly path: string;
  readonly marks: readonly string[];
  readonly isFormatted: boolean;
  /** Shown in place of the text. */
  readonly children: ReactNode;
}

/** The text of a message with its files where they stand in it; behind the text where that is not here whole, or is shown by other means. */
function Content({ message, path, marks, isFormatted, children }: ContentOptions) {
  const { attachments: files = [] } = message;
  const text = message.content ?? '';
  const isCut = useIsCut(`${path}/content`);
  const places = isCut || children !== undefined ? files.map(() => text.length) : files.map(({ at }) => at);
  const show = (part: string) => {
    if (part === '') return null;
    if (children !== undefined) return children;
    return <LongText text={part} path={`${path}/content`} marks={marks} isFormatted={isFormatted} />;
  };
  return (
    <>
      {files.map((file, index) => (
        <Fragment key={index}>
          {show(text.slice(places[index - 1] ?? 0, places[index]))}
          <FileView file={file} />
        </Fragment>
      ))}
      {show(text.slice(places.at(-1) ?? 0))}
    </>
  );
}

/** A picture, a sound to listen to, or a PDF to download; its name alone in a report that does not have it. */
function FileView({ file: { hash, mediaType, name } }: { readonly file: Attachment }) {
  const { isFile = false, picture } = useData();
  const address = isFile ? picture?.(hash) : `/api/blobs/${hash}`;
  if (address === undefined)
    return (
      <p className="text-quiet">
        <PlainText text={name ?? mediaType} /> is not in this file
      </p>
    );
  if (mediaType.startsWith('image/'))
    return (
      <img
        src={address}
        alt={name ?? 'picture without a name'}
        className="max-h-96 max-w-full rounded-md border border-line"
      />
    );
  if (mediaType.startsWith('audio/'))
    return (
      <audio
        controls
        preload="none"
        src={address}
        aria-label={name ?? 'sound without a name'}
        className="max-w-full"
      />
    );
  const title = name ?? 'without a name';
  return (
    <p>
      <a className="link" href={address} download={/\.pdf$/i.test(title) ? title : `${title}.pdf`}>
        <PlainText text={title} />
      </a>{' '}
      <span className="text-xs text-quiet">PDF</span>
    </p>
  );
}

interface LabelledOptions {
  readonly label: string;
  readonly name?: string;
  readonly children: ReactNode;
}

/** A part of a transcript with the speaker next to it. */
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

/** A tool call: its name and arguments, and what came back or was injected in its place. */
function ToolCallBlock({ call, path }: { readonly call: ToolCall; readonly path: string }) {
  const { name, arguments: args, result, error, fault, withheld, from = 'tool' } = call;
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-text">
      <p className="wrap-anywhere">
        <span className="text-xs text-quiet">Tool </span>
        <PlainText text={name} className="font-mono text-[13px] font-medium" />
      </p>
      <dl className="mt-1 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-2 gap-y-1">
        {args !== undefined && (
          <Part label="Arguments">
            <JsonText value={args} path={`${path}/arguments`} />
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
        {from !== 'tool' && <Part label="From">{callSources[from]}</Part>}
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
