import { diffWords } from '../../../src/report/word-difference.ts';
import { PlainText } from './plain-text.tsx';

/** The options of {@link WordDiff}. */
interface WordDiffOptions {
  readonly before: string;
  readonly after: string;
}

/** Two texts as one, with the words that only one of them has marked. */
export function WordDiff({ before, after }: WordDiffOptions) {
  return (
    <p className="wrap-anywhere">
      {diffWords(before, after).map(({ kind, text }, index) => {
        const content = <PlainText text={text} />;
        if (kind === 'same') return <span key={index}>{content} </span>;
        return kind === 'removed' ? (
          <span key={index}>
            <del className="text-bad">{content}</del>{' '}
          </span>
        ) : (
          <span key={index}>
            <ins className="text-good underline decoration-1 underline-offset-2">{content}</ins>{' '}
          </span>
        );
      })}
    </p>
  );
}
