import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { pairVerdicts, type WordedVerdict } from '../../../../src/look/report/comparison/parts.ts';
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatPercent,
  formatPlural,
} from '../../../../src/look/report/format.ts';
import { diffSides, type WordPiece } from '../../../../src/look/report/comparison/word-difference.ts';
import type {
  PairedAttempt,
  PairedCase,
  PairedSide,
} from '../../../../src/core/schema/api/comparison/paired-case.ts';
import { useIsFile } from '../../data/data-source.ts';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { Expectations } from '../../parts/transcript/expectations.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { WordDiff } from '../../parts/word-diff.tsx';

interface AnswerPairOptions {
  readonly paired: PairedCase;
  /** True to mark the words that only one of the answers has. */
  readonly isDiff: boolean;
}

/** A case with the answers of both runs: question, expectations, both answers, and the verdicts on them. */
export function AnswerPair({ paired, isDiff }: AnswerPairOptions) {
  const { question, category, expected, a, b } = paired;
  const [shownA, setShownA] = useState(() => typicalAttempt(a));
  const [shownB, setShownB] = useState(() => typicalAttempt(b));
  const [attemptA, attemptB] = [a.attempts[shownA], b.attempts[shownB]];
  const [textA, textB] = [attemptA?.answer ?? null, attemptB?.answer ?? null];
  const sides = isDiff && textA !== null && textB !== null ? diffSides(textA, textB) : undefined;
  return (
    <>
      <Block title="Question" note={category}>
        <LongText text={question} />
      </Block>
      {Object.keys(expected).length > 0 && (
        <Block title="Expected">
          <Expectations expected={expected} />
        </Block>
      )}
      <div className="mt-5 grid gap-4 md:grid-cols-2">
        <Side label="A" side={a} shown={shownA} onShow={setShownA} pieces={sides?.first} />
        <Side label="B" side={b} shown={shownB} onShow={setShownB} pieces={sides?.second} />
      </div>
      {(attemptA !== undefined || attemptB !== undefined) && <Verdicts a={attemptA} b={attemptB} />}
    </>
  );
}

/** Returns the first attempt with the result of most attempts. */
function typicalAttempt({ attempts }: PairedSide): number {
  const passed = attempts.filter(({ result }) => result === 'passed').length;
  const failed = attempts.filter(({ result }) => result === 'failed').length;
  const typical = passed > failed ? 'passed' : failed > passed ? 'failed' : undefined;
  return Math.max(
    0,
    attempts.findIndex(({ result }) => result === typical),
  );
}

function Block({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="mt-4 first:mt-0">
      <h3 className="text-xs font-medium text-quiet">
        {title}
        {note !== undefined && (
          <>
            {' · '}
            <PlainText text={note} />
          </>
        )}
      </h3>
      <div className="mt-1">{children}</div>
    </div>
  );
}

function LongText({ text }: { readonly text: string }) {
  return (
    <p className="max-w-prose whitespace-pre-wrap wrap-anywhere">
      <PlainText text={text} />
    </p>
  );
}

interface SideOptions {
  readonly label: string;
  readonly side: PairedSide;
  readonly shown: number;
  readonly onShow: (index: number) => void;
  /** The answer with the words marked that the other one does not have. */
  readonly pieces: readonly WordPiece[] | undefined;
}

function Side({ label, side, shown, onShow, pieces }: SideOptions) {
  const { run, target, attempts } = side;
  const attempt = attempts[shown];
  const isFile = useIsFile();
  return (
    <section aria-label={`Answer of ${label}`} className="min-w-0 rounded-lg border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
        <span className="font-semibold">{label}</span>
        <span className="min-w-0 truncate text-quiet">
          <PlainText text={target} />
        </span>
        {attempt !== undefined && (
          <>
            <OutcomeMark outcome={attempt.result} />
            {attempt.total !== null && <span>{formatPercent(attempt.total)}</span>}
            {attempt.grade !== null && <PlainText text={attempt.grade} className="text-quiet" />}
            {!isFile && (
              <Link
                to="/runs/$run/cases/$ordinal"
                params={{ run, ordinal: String(attempt.ordinal) }}
                className="link ml-auto"
              >
                Open<span className="sr-only"> the question in run {label}</span>
              </Link>
            )}
          </>
        )}
      </div>
      {attempts.length > 1 && (
        <div role="group" aria-label={`Attempts of ${label}`} className="flex flex-wrap gap-2 px-4 pt-3">
          {attempts.map((one, index) => (
            <button
              key={one.ordinal}
              type="button"
              aria-pressed={index === shown}
              onClick={() => onShow(index)}
              className="h-7 rounded-md border border-line px-2 text-xs hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft"
            >
              {one.attempt} <OutcomeMark outcome={one.result} />
            </button>
          ))}
        </div>
      )}
      <div className="px-4 py-3">
        {attempt === undefined ? (
          <p className="text-quiet">This run has not asked the question.</p>
        ) : (
          <Answer attempt={attempt} pieces={pieces} />
        )}
      </div>
    </section>
  );
}

function Answer({
  attempt,
  pieces,
}: {
  readonly attempt: PairedAttempt;
  readonly pieces: readonly WordPiece[] | undefined;
}) {
  const { answer, answerLength, error, latencyMs, cost, tools } = attempt;
  const facts = [
    ...(latencyMs === null ? [] : [formatDuration(latencyMs)]),
    ...(cost === null ? [] : [formatMoney(cost)]),
    ...(tools === null || tools.length === 0
      ? []
      : [`${formatPlural(tools.length, 'tool call')}: ${tools.join(', ')}`]),
  ];
  return (
    <>
      {error !== null && (
        <p className="mb-2 text-bad wrap-anywhere">
          <PlainText text={error.code} className="font-mono text-xs" /> <PlainText text={error.message} />
        </p>
      )}
      {answer === null ? (
        <p className="text-quiet">No answer.</p>
      ) : pieces === undefined ? (
        <LongText text={answer} />
      ) : (
        <WordDiff pieces={pieces} />
      )}
      {answer !== null && answer.length < answerLength && (
        <p className="mt-2 text-quiet">
          The first {formatCount(answer.length)} of {formatCount(answerLength)} characters.
        </p>
      )}
      {facts.length > 0 && (
        <p className="mt-3 text-xs text-quiet wrap-anywhere">
          <PlainText text={facts.join(' · ')} />
        </p>
      )}
    </>
  );
}

function Verdicts({
  a,
  b,
}: {
  readonly a: PairedAttempt | undefined;
  readonly b: PairedAttempt | undefined;
}) {
  const rows = pairVerdicts(a?.verdicts ?? {}, b?.verdicts ?? {});
  if (rows.length === 0) return null;
  return (
    <div className="scroll-sign mt-6" role="region" aria-label="Verdicts" tabIndex={0}>
      <table className="w-full table-fixed sm:min-w-[30rem] border-collapse text-left">
        <thead>
          <tr className="border-b border-line text-xs text-quiet">
            <th scope="col" className="h-8 w-1/4 font-medium sm:w-1/5">
              Verdicts
            </th>
            <th scope="col" className="font-medium">
              A
            </th>
            <th scope="col" className="font-medium">
              B
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.metric} className="border-b border-line align-top last:border-0">
              <th scope="row" className="py-2 pr-3 font-normal wrap-anywhere">
                <PlainText text={row.metric} />
                {row.isChanged && <span className="block text-xs text-unsure">differs</span>}
              </th>
              <VerdictCell verdict={row.a} isChanged={row.isChanged} />
              <VerdictCell verdict={row.b} isChanged={row.isChanged} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function VerdictCell({
  verdict,
  isChanged,
}: {
  readonly verdict: WordedVerdict;
  readonly isChanged: boolean;
}) {
  return (
    <td className="py-2 pr-4">
      <span className={isChanged ? 'font-medium' : ''}>{verdict.words}</span>
      {verdict.explanation !== '' && (
        <p className="text-xs whitespace-pre-wrap text-quiet wrap-anywhere">
          <PlainText text={verdict.explanation} />
        </p>
      )}
    </td>
  );
}
