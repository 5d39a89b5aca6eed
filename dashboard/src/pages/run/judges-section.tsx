import { Link } from '@tanstack/react-router';
import { judgedParagraphs } from '../../../../src/look/report/judged-rates.ts';
import type { Summary } from '../../../../src/core/schema/summary.ts';
import { useIsFile } from '../../data/data-source.ts';
import { CommandLine } from '../../parts/copy-button.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

/** The colours of the states of a certificate; an ended one is grey. */
const colours = { valid: 'text-good', none: 'text-quiet', ended: 'text-quiet' } as const;

/** Both pass rates of each judged metric: as its judge says and as people would, with the state of the certificate. */
export function JudgesSection({ summary }: { readonly summary: Summary }) {
  const isFile = useIsFile();
  const { judged = [] } = summary;
  const paragraphs = judgedParagraphs(summary);
  if (paragraphs.length === 0) return null;
  return (
    <Section title="Do people agree with the judge?">
      <ul className="max-w-4xl divide-y divide-line border-y border-line">
        {paragraphs.map(({ metric, status, certificate, rates }, index) => {
          const one = judged[index];
          return (
            <li key={metric} className="py-3">
              <h3 className="font-medium wrap-anywhere">
                <PlainText text={metric} />
              </h3>
              {rates.map(({ target, text }) => (
                <p key={target} className="wrap-anywhere">
                  {target !== null && (
                    <span className="text-quiet">
                      <PlainText text={target} />
                      {': '}
                    </span>
                  )}
                  <PlainText text={text} />
                </p>
              ))}
              <p className={`wrap-anywhere ${colours[status]}`}>
                <PlainText text={certificate} />
                {!isFile && one !== undefined && (
                  <>
                    {' · '}
                    <Link to="/judges/$judge" params={{ judge: one.judge.fingerprint }} className="link">
                      the judge
                    </Link>
                  </>
                )}
              </p>
              {!isFile && one?.remedy !== undefined && (
                <details className="mt-1">
                  <summary className="link w-fit">How to certify it</summary>
                  <div className="mt-2">
                    <CommandLine text={one.remedy} />
                  </div>
                </details>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
