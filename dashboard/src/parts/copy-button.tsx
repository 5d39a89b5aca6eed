import { useEffect, useState } from 'react';
import { useKeys } from '../keys/use-keys.ts';
import { Button } from './button.tsx';

/** The milliseconds for which the button says that the text is copied. */
const shownMs = 2_000;

interface CopyButtonOptions {
  /** The text, or what gets it when it is wanted. */
  readonly text: string | (() => Promise<string>);
  readonly label?: string;
  /** The key that copies, too. */
  readonly shortcut?: string;
  /** True for a small one within a line, such as behind an id. */
  readonly isSmall?: boolean;
}

/** A button that copies a text, such as a command, and says so. */
export function CopyButton({ text, label = 'Copy', shortcut, isSmall = false }: CopyButtonOptions) {
  const [outcome, setOutcome] = useState<'Copied' | 'Not copied'>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setOutcome('Copied');
    } catch {
      // The browser refused the clipboard, or the server did not answer; the label says so.
      setOutcome('Not copied');
    }
  };
  useKeys(shortcut === undefined ? [] : [{ keys: shortcut, does: label, run: () => void copy() }]);
  const content = <span aria-live="polite">{outcome ?? label}</span>;
  if (isSmall)
    return (
      <button
        type="button"
        onClick={() => void copy()}
        className="min-h-7 rounded px-1.5 text-xs text-quiet hover:bg-hover hover:text-text print:hidden"
      >
        {content}
      </button>
    );
  return (
    <Button onClick={() => void copy()} title={typeof text === 'string' ? text : undefined}>
      {content}
    </Button>
  );
}

/** A command or a piece of a file to be copied. */
export function CommandLine({ text }: { readonly text: string }) {
  return (
    <div className="flex max-w-3xl items-start gap-3 rounded-md border border-line bg-surface p-2 pl-3">
      <pre className="min-w-0 flex-1 py-1.5 font-mono text-[13px] whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
