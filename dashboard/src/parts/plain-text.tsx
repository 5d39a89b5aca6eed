import { mayHide, splitHidden } from '../../../src/core/lib/text/hidden-characters.ts';

/**
 * A text from outside, such as of a model or a dataset: as it is, with characters that could not be seen, or that reorder
 * the text around them, shown as marks. The reports escape the same characters in a terminal.
 */
export function PlainText({ text, className }: { readonly text: string; readonly className?: string }) {
  if (!mayHide(text)) return <bdi className={className}>{text}</bdi>;
  return (
    <bdi className={className}>
      {Array.from(splitHidden(text), ({ text: piece, kind }, index) =>
        kind === 'hidden' && piece !== '\t' ? <CodePoint key={index} character={piece} /> : piece,
      )}
    </bdi>
  );
}

function CodePoint({ character }: { readonly character: string }) {
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return (
    <span
      title="A character that cannot be seen"
      className="rounded bg-mark px-0.5 font-mono text-text text-[0.8em]"
    >
      {name}
    </span>
  );
}
