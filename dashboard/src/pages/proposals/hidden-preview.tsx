import { splitHidden } from '../../../../src/core/lib/text/hidden-characters.ts';
import { PlainText } from '../../parts/plain-text.tsx';

/** A text of a field again, where it has characters that a field does not show: nothing is approved unseen. */
export function HiddenPreview({ text }: { readonly text: string }) {
  const isHiding = Array.from(splitHidden(text)).some(
    ({ kind, text: piece }) => kind === 'hidden' && piece !== '\t',
  );
  if (!isHiding) return null;
  return (
    <p className="mt-1 rounded-md bg-surface px-2 py-1 text-xs text-text whitespace-pre-wrap wrap-anywhere">
      With invisible characters: <PlainText text={text} />
    </p>
  );
}
