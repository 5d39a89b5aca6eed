import type { TextSpan } from '../../../../src/look/report/rows/verdict-rows.ts';
import { PlainText } from '../plain-text.tsx';

/** A text from outside, with its evidence marked. */
export function MarkedText({ spans }: { readonly spans: readonly TextSpan[] }) {
  return spans.map(({ text, isEvidence }, index) =>
    isEvidence ? (
      <mark key={index} className="rounded-sm bg-mark text-text">
        <PlainText text={text} />
      </mark>
    ) : (
      <PlainText key={index} text={text} />
    ),
  );
}
