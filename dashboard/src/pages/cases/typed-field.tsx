import { type RefObject, useEffect, useId, useState } from 'react';
import { PlainText } from '../../parts/plain-text.tsx';
import { type FilterWords, SuggestionList, useSuggestions } from './suggestions.tsx';

/** The milliseconds after the last key before a text is applied. */
const pauseMs = 300;

interface TypedFieldOptions {
  /** The field, for the key that leads to it. */
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly placeholder: string;
  /** The text of the address. */
  readonly text: string;
  /** Returns what is wrong with a text; undefined when it can be applied. */
  readonly problemOf?: (text: string) => string | undefined;
  /** A sentence on what can be typed, shown with a problem. */
  readonly help?: string;
  /** The words of filters, which are suggested while one is typed. */
  readonly words?: FilterWords;
  readonly onChange: (text: string) => void;
}

/** The text in the field. */
interface Typed {
  readonly text: string;
  /** The text of the address when it was typed. */
  readonly from: string;
  /** The text that was applied last, which the address is about to have. */
  readonly applied?: string;
  /** The place of the caret when it was typed. */
  readonly caret?: number;
}

/** A field whose text becomes a part of the address while it is typed. An invalid text is explained, and not applied. */
export function TypedField({
  ref,
  label,
  placeholder,
  text,
  problemOf,
  help = '',
  words,
  onChange,
}: TypedFieldOptions) {
  const id = useId();
  const [typed, setTyped] = useState<Typed>({ text, from: text });
  const isOwn = typed.applied === text;
  // A text that comes from elsewhere, such as a button, replaces what is typed; what was typed here goes on.
  if (typed.from !== text) setTyped(isOwn ? { ...typed, from: text } : { text, from: text });
  const shown = typed.from === text || isOwn ? typed.text : text;
  const problem = problemOf?.(shown);
  const apply = (next: string, caret = next.length): void => {
    setTyped({ text: next, from: text, applied: next, caret });
    onChange(next);
  };
  const list = useSuggestions(words, { text: shown, caret: typed.caret ?? shown.length }, (picked) => {
    if (picked.isValue) apply(picked.text, picked.caret);
    else setTyped({ ...typed, text: picked.text, caret: picked.caret });
    requestAnimationFrame(() => ref.current?.setSelectionRange(picked.caret, picked.caret));
  });
  useEffect(() => {
    if (shown === text || shown === typed.applied || problem !== undefined) return;
    if (list.isOpen && isAwaitingValue(shown)) return;
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
          value={shown}
          onChange={({ target }) => {
            setTyped({ ...typed, text: target.value, caret: target.selectionStart ?? target.value.length });
            list.onType();
          }}
          onKeyDown={(event) => {
            if (list.onKeyDown(event)) event.preventDefault();
            else if (event.key === 'Escape') event.currentTarget.blur();
          }}
          onBlur={list.close}
          {...(words !== undefined && comboboxOf(list))}
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
            onClick={() => {
              apply('');
              // This button goes, and the focus stays at the field.
              ref.current?.focus();
            }}
            className="absolute inset-y-0 right-0 rounded px-2 text-xs text-quiet hover:bg-hover hover:text-text"
          >
            Clear
          </button>
        )}
        <SuggestionList list={list} />
      </div>
      {problem !== undefined && <Problem id={id} problem={problem} help={help} />}
    </form>
  );
}

/** Returns whether the value of a term is still to come. */
function isAwaitingValue(text: string): boolean {
  return /[=<>~|]$/.test(text);
}

interface ProblemOptions {
  readonly id: string;
  readonly problem: string;
  readonly help: string;
}

/** The reason why a text is not applied. */
function Problem({ id, problem, help }: ProblemOptions) {
  return (
    <p id={id} role="alert" className="mt-1.5 max-w-4xl">
      <span className="text-bad">
        <span aria-hidden>✗ </span>
        <PlainText text={problem} />
      </span>{' '}
      <PlainText text={help} className="text-quiet" />
    </p>
  );
}

/** Returns the attributes by which a screen reader knows a field and its suggestions as one. */
function comboboxOf({ isOpen, id, active }: ReturnType<typeof useSuggestions>) {
  return {
    role: 'combobox',
    'aria-autocomplete': 'list' as const,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
    'aria-activedescendant': isOpen && active >= 0 ? `${id}-${active}` : undefined,
  };
}
