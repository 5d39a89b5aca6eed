import { listExpectedParts } from '../../../../src/look/report/rows/expected-parts.ts';
import type { Expected } from '../../../../src/core/schema/expected.ts';
import { PlainText } from '../plain-text.tsx';

/** The things that a good answer contains, in words; nothing where nothing is expected. */
export function Expectations({ expected }: { readonly expected: Expected }) {
  const parts = listExpectedParts(expected);
  if (parts.length === 0) return null;
  return (
    <dl className="grid max-w-prose grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {parts.map(({ name, texts }) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">
            {texts.length === 0 ? (
              <span className="text-quiet">none</span>
            ) : (
              texts.map((text, index) => (
                <span key={index}>
                  {index > 0 && <span className="text-quiet">, </span>}
                  <PlainText text={text} />
                </span>
              ))
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
