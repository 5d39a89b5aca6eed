import { type Ref, useEffect, useId, useState } from 'react';
import { PlainText } from '../../parts/plain-text.tsx';

/** The milliseconds after the last key before a text is applied. */
const pauseMs = 300;

interface TypedFieldOptions {
  /** The field, for the key that leads to it. */
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  readonly placeholder: string;
  /** The text of the address. */
  readonly text: string;
  /** Returns what is wrong with a text; undefined when it can be applied. */
  readonly problemOf?: (text: string) => string | undefined;
  /** A sentence on what can be typed, shown with a problem. */
  readonly help?: string;
  readonly onChange: (text: string) => void;
}

/** The text in the field. */
interface Typed {
  readonly text: string;
  /** The text of the address when it was typed. */
  readonly from: string;
  /** The text that was applied last, which the address is about to have. */
  readonly applied?: string;
}

/** A field whose text becomes a part of the address while it is typed. An invalid text is explained, and not applied. */
export function TypedField({
  ref,
  label,
  placeholder,
  text,
  problemOf,
  help = '',
  onChange,
}: TypedFieldOptions) {
  const id = useId();
  const [typed, setTyped] = useState<Typed>({ text, from: text });
  const isOwn = typed.applied === text;
  // A text that comes from elsewhere, such as a button, replaces what is typed; what was typed here goes on.
  if (typed.from !== text) setTyped({ text: isOwn ? typed.text : text, from: text });
  const shown = typed.from === text || isOwn ? typed.text : text;
  const problem = problemOf?.(shown);
  const apply = (next: string): void => {
    setTyped({ text: next, from: text, applied: next });
    onChange(next);
  };
  useEffect(() => {
    if (shown === text || shown === typed.applied || problem !== undefined) return;
    const timer = setTimeout(() => apply(shown), pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <form
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) apply(shown);
      }}
    >
      <div className="relative">
        <input
          ref={ref}
          type="text"
          value={shown}
          onChange={({ target }) => setTyped({ ...typed, text: target.value })}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') currentTarget.blur();
          }}
          aria-label={label}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : id}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          className="h-8 w-full rounded-md border border-line bg-page pr-16 pl-3 font-mono text-[13px] placeholder:text-quiet aria-invalid:border-bad"
        />
        {shown !== '' && (
          <button
            type="button"
            onClick={({ currentTarget }) => {
              apply('');
              // This button goes, and the focus stays at the field.
              currentTarget.form?.querySelector('input')?.focus();
            }}
            className="absolute inset-y-0 right-1 my-1 rounded px-2 text-xs text-quiet hover:bg-hover hover:text-text"
          >
            Clear
          </button>
        )}
      </div>
      {problem !== undefined && (
        <p id={id} role="alert" className="mt-1.5 max-w-4xl">
          <span className="text-bad">
            <span aria-hidden>✗ </span>
            <PlainText text={problem} />
          </span>{' '}
          <span className="text-quiet">
            <PlainText text={help} />
          </span>
        </p>
      )}
    </form>
  );
}
