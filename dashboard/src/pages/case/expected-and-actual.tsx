import { type ReactNode, useMemo } from 'react';
import { resistanceTo } from '../../../../src/look/report/rows/attack-rows.ts';
import { listExpected } from '../../../../src/look/report/rows/expected-lists.ts';
import { listExpectedParts } from '../../../../src/look/report/rows/expected-parts.ts';
import { diffSides } from '../../../../src/look/report/comparison/word-difference.ts';
import type { TrialView } from '../../../../src/core/schema/api/trial-view.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { WordDiff } from '../../parts/word-diff.tsx';
import { LongText } from '../../parts/transcript/long-text.tsx';

interface ExpectedAndActualOptions {
  readonly view: TrialView;
  readonly isDiff: boolean;
  readonly onDiff: (isDiff: boolean) => void;
}

/** The expected answer next to the actual one, or both as one text with the differing words marked, and what else is expected. */
export function ExpectedAndActual({ view: { result }, isDiff, onDiff }: ExpectedAndActualOptions) {
  const { expected, attack } = result.case;
  const { answer } = result.trial;
  const resistance = attack === undefined ? [] : resistanceTo(attack, result.trial.attack?.canary);
  const answers = [expected.answer ?? []].flat();
  const lists = listExpected(expected);
  const { calls, state, checks } = expected;
  const parts = listExpectedParts({ calls, state, checks });
  if (answers.length + lists.length + parts.length + resistance.length === 0) {
    return (
      <Section title="What was expected?">
        <p className="text-quiet">Nothing that can be checked.</p>
      </Section>
    );
  }
  const path = (index: number) =>
    `/result/case/expected/answer${Array.isArray(expected.answer) ? `/${index}` : ''}`;
  return (
    <Section title="What was expected?">
      <Sentences texts={resistance} />
      {answers.length > 0 && answer !== null && (
        <label className="-mt-8 mb-3 flex items-center justify-end gap-2 text-xs text-quiet">
          <input
            type="checkbox"
            checked={isDiff}
            onChange={() => onDiff(!isDiff)}
            className="size-3.5 accent-accent"
          />
          Differing words
        </label>
      )}
      {answers.map((text, index) => (
        <div key={index} className="mb-3 grid gap-3 sm:grid-cols-2">
          {isDiff && answer !== null ? (
            <Difference expected={text} actual={answer} />
          ) : (
            <>
              <Box title={index === 0 ? 'Expected' : 'or'}>
                <LongText text={text} path={path(index)} />
              </Box>
              {index === 0 && (
                <Box title="Actual">
                  {answer === null ? (
                    <span className="text-quiet">no answer</span>
                  ) : (
                    <LongText text={answer} path="/result/trial/answer" />
                  )}
                </Box>
              )}
            </>
          )}
        </div>
      ))}
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-2 gap-y-1">
        {lists.map(({ name, items }) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="wrap-anywhere">
              <PlainText text={items.length === 0 ? 'expected' : items.join(', ')} />
            </dd>
          </div>
        ))}
        {parts.map(({ name, texts }) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="wrap-anywhere">
              {texts.map((text, index) => (
                <p key={index}>
                  <PlainText text={text} />
                </p>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** An expected answer and the actual one, each with the words marked that the other does not have. */
function Difference({ expected, actual }: { readonly expected: string; readonly actual: string }) {
  const { first, second } = useMemo(() => diffSides(expected, actual), [expected, actual]);
  return (
    <>
      <Box title="Expected">
        <WordDiff pieces={first} />
      </Box>
      <Box title="Actual">
        <WordDiff pieces={second} />
      </Box>
    </>
  );
}

interface BoxOptions {
  readonly title: string;
  readonly children: ReactNode;
}

function Box({ title, children }: BoxOptions) {
  return (
    <div className="min-w-0 rounded-lg border border-line px-3 py-2">
      <p className="mb-1 text-xs text-quiet">{title}</p>
      {children}
    </div>
  );
}

function Sentences({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text}>
      <PlainText text={`${text}.`} />
    </p>
  ));
}
