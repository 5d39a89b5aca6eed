import type { WordPiece } from '../../../src/look/report/comparison/word-difference.ts';
import { PlainText } from './plain-text.tsx';

/** A text of which the words that another text does not have are marked; see `diffSides`. */
export function WordDiff({ pieces }: { readonly pieces: readonly WordPiece[] }) {
  return (
    <span className="whitespace-pre-wrap wrap-anywhere">
      {pieces.map(({ kind, text }, index) => {
        const Mark = marks[kind];
        return (
          <Mark key={index} className={looks[kind]}>
            <PlainText text={text} />
          </Mark>
        );
      })}
    </span>
  );
}

const marks = { same: 'span', removed: 'del', added: 'ins' } as const;

const looks = {
  same: undefined,
  removed:
    'rounded-sm bg-[color-mix(in_srgb,var(--bad)_16%,transparent)] underline decoration-bad decoration-2 underline-offset-2',
  added:
    'rounded-sm bg-[color-mix(in_srgb,var(--good)_16%,transparent)] underline decoration-good decoration-2 underline-offset-2',
} as const;
