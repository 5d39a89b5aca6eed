import { useEffect, useMemo, useRef } from 'react';
import type { ReadConversation, ReadingMode } from '../../../../src/core/schema/modes/reading.ts';
import { useConversation } from '../../data/people/use-modes.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { SourceProvider } from '../../parts/transcript/long-text.tsx';
import { MessageBlock } from '../../parts/transcript/message-block.tsx';

interface ConversationPaneOptions {
  readonly read: ReadConversation;
  readonly modes: readonly ReadingMode[];
  readonly onMark: (mode: string, value: boolean | null) => void;
  readonly onNoOthers: () => void;
}

/** The conversation that is chosen: the note, what is said of each mode, and what was said in it. */
export function ConversationPane({ read, modes, onMark, onNoOthers }: ConversationPaneOptions) {
  const pane = useRef<HTMLElement>(null);
  const shown = useRef(read.note);
  useEffect(() => {
    const top = pane.current?.getBoundingClientRect().top ?? 0;
    if (shown.current !== read.note && (top < 0 || top > innerHeight)) pane.current?.scrollIntoView();
    shown.current = read.note;
  }, [read.note]);
  return (
    <section ref={pane} aria-label="Conversation" className="min-w-0 scroll-mt-2 max-lg:order-first">
      <p className="wrap-anywhere whitespace-pre-wrap">
        <PlainText text={read.isWrong ? read.text : 'Nothing is wrong.'} />
      </p>
      {modes.length > 0 && (
        <ul aria-label="Modes of this conversation" className="mt-3 space-y-1">
          {modes.map(({ id, name }, index) => (
            <li key={id}>
              <ModeMark
                digit={index + 1}
                name={name}
                value={read.marks[id]}
                isDisputed={read.disputed.includes(id)}
                onMark={(value) => onMark(id, value)}
              />
            </li>
          ))}
        </ul>
      )}
      {modes.length > 0 && (
        <div className="mt-2">
          <Button onClick={onNoOthers}>
            <kbd className="font-mono text-xs text-quiet">0</kbd> None of the others
          </Button>
        </div>
      )}
      <Messages key={read.note} read={read} />
    </section>
  );
}

const words = { true: 'yes', false: 'no', undefined: 'not marked' } as const;

interface ModeMarkOptions {
  readonly digit: number;
  readonly name: string;
  readonly value: boolean | undefined;
  /** True where another person says otherwise. */
  readonly isDisputed: boolean;
  readonly onMark: (value: boolean | null) => void;
}

/** The mark of the person for one mode; a click says yes, or takes the yes back. */
function ModeMark({ digit, name, value, isDisputed, onMark }: ModeMarkOptions) {
  return (
    <button
      type="button"
      aria-pressed={value === true}
      onClick={() => onMark(value === true ? null : true)}
      className={`flex w-full items-baseline gap-2 rounded-md border px-2 py-1 text-left ${value === true ? 'border-accent bg-accent-soft' : 'border-line bg-page hover:bg-hover'}`}
    >
      <kbd className="min-w-4 text-center font-mono text-xs text-quiet">{digit <= 9 ? digit : ''}</kbd>
      <PlainText text={name} className="min-w-0 wrap-anywhere" />
      <span className="ml-auto text-xs text-quiet">
        {words[String(value) as keyof typeof words]}
        {isDisputed && ' · another reader says otherwise'}
      </span>
    </button>
  );
}

function Messages({ read: { task, item, spans } }: { readonly read: ReadConversation }) {
  const { data, error } = useConversation(task, item);
  const path = `/reviews/${encodeURIComponent(task)}/items/${item}`;
  const cuts = data?.cuts;
  const source = useMemo(() => ({ path, cuts: cuts ?? [] }), [path, cuts]);
  if (error !== null) return <ErrorPanel error={error} />;
  if (data === undefined) return <Skeleton />;
  const answerAt = data.transcript.findLastIndex(({ role }) => role === 'assistant');
  return (
    <SourceProvider value={source}>
      <ol className="mt-4 space-y-3">
        {data.transcript.map((message, index) => (
          <li key={index}>
            <MessageBlock
              message={message}
              path={`/transcript/${index}`}
              isAnswer={index === answerAt}
              marks={index === answerAt ? spans.map(({ text }) => text) : []}
            />
          </li>
        ))}
      </ol>
    </SourceProvider>
  );
}
