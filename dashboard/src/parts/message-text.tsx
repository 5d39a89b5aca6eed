import { PlainText } from './plain-text.tsx';

/** A message of Touchstone, in which what stands between backticks is code. */
export function MessageText({ text }: { readonly text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="font-mono">
        <PlainText text={part} />
      </code>
    ) : (
      part !== '' && <PlainText key={index} text={part} />
    ),
  );
}
