import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

/** The options of {@link CopyButton}. */
interface CopyButtonOptions {
  readonly label: string;
  readonly text: string | (() => Promise<string>);
}

/** A button that copies a text, and says so. */
export function CopyButton({ label, text }: CopyButtonOptions) {
  const [done, setDone] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (done === undefined) return;
    const timer = setTimeout(() => setDone(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setDone('copied');
    } catch {
      // A browser may refuse the clipboard; the label says so.
      setDone('failed');
    }
  };
  const word = done === 'copied' ? 'Copied' : done === 'failed' ? 'The browser refused to copy' : label;
  return (
    <Button onClick={() => void copy()} aria-live="polite">
      {word}
    </Button>
  );
}
