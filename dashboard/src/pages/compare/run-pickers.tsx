import { Link } from '@tanstack/react-router';
import { formatGit, formatPlural } from '../../../../src/look/report/format.ts';
import { markHidden } from '../../../../src/core/lib/text/hidden-characters.ts';
import { stateWords } from '../../../../src/look/report/rows/run-row.ts';
import type { RunRow } from '../../../../src/core/schema/api/run-row.ts';
import type { PairComparison } from '../../../../src/core/schema/run-comparison.ts';
import { useIsFile } from '../../data/data-source.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { ReviewedValueText } from '../../parts/score-text.tsx';
import { useCompareAddress } from './use-compare-address.ts';
import { Facts as FactLine } from '../../parts/facts.tsx';
import { formatLocalTime, TimeText } from '../../parts/time-text.tsx';

interface RunPickersOptions {
  /** The newest runs of the store. */
  readonly recent: readonly RunRow[];
  /** The compared runs; undefined until they are known. */
  readonly a: RunRow | undefined;
  readonly b: RunRow | undefined;
  /** The shown comparison, with the compared targets; undefined until it is known. */
  readonly pair: PairComparison | undefined;
}

/** The two compared runs: what they are, and the choice of others. */
export function RunPickers({ recent, a, b, pair }: RunPickersOptions) {
  const { address } = useCompareAddress();
  const find = (id: string | undefined) => recent.find((run) => run.id === id);
  const runs = { a: a ?? find(address.a), b: b ?? find(address.b) };
  const targets = {
    a: pair?.a.target ?? address.targetA ?? runs.a?.targets[0] ?? '',
    b: pair?.b.target ?? address.targetB ?? runs.b?.targets[0] ?? '',
  };
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <RunPicker side="a" runs={runs} recent={recent} targets={targets} />
      <RunPicker side="b" runs={runs} recent={recent} targets={targets} />
    </div>
  );
}

type Side = 'a' | 'b';

interface RunPickerOptions {
  readonly side: Side;
  readonly runs: Readonly<Record<Side, RunRow | undefined>>;
  readonly recent: readonly RunRow[];
  readonly targets: Readonly<Record<Side, string>>;
}

function RunPicker({ side, runs, recent, targets }: RunPickerOptions) {
  const { address, change } = useCompareAddress();
  const isFile = useIsFile();
  const label = side.toUpperCase();
  const run = runs[side];
  const other = runs[otherSide(side)];
  const named = run?.id ?? address[side] ?? '';
  const known = run === undefined || recent.some(({ id }) => id === run.id) ? recent : [run, ...recent];
  const pick = (id: string): void => {
    const chosen = known.find((each) => each.id === id);
    change({ ...sides(side, id, other?.id ?? address[otherSide(side)]), ...targetsWithin(chosen, other) });
  };
  return (
    <div className="min-w-0 rounded-lg border border-line p-4">
      <div className="flex items-center gap-3">
        <span aria-hidden className="text-lg font-semibold">
          {label}
        </span>
        {isFile ? (
          <PlainText text={run === undefined ? named : optionText(run)} className="font-medium" />
        ) : (
          <select
            aria-label={`Run ${label}`}
            value={named}
            onChange={({ target }) => pick(target.value)}
            className="h-8 min-w-0 flex-1 rounded-md border border-line bg-page px-2"
          >
            {!known.some(({ id }) => id === named) && <option value={named}>{named || 'No run'}</option>}
            {known.map((each) => (
              <option key={each.id} value={each.id}>
                {markHidden(optionText(each))}
              </option>
            ))}
          </select>
        )}
      </div>
      {run !== undefined && (
        <>
          <Facts run={run} />
          <TargetPicker side={side} run={run} targets={targets} />
        </>
      )}
    </div>
  );
}

function otherSide(side: Side): Side {
  return side === 'a' ? 'b' : 'a';
}

/** Returns the runs of the address after a choice for one side. */
function sides(side: Side, id: string, other: string | undefined) {
  return side === 'a' ? { a: id, b: other } : { a: other, b: id };
}

/** Returns the targets of the address after a choice of runs: two of the same run if there are, otherwise the usual ones. */
function targetsWithin(chosen: RunRow | undefined, other: RunRow | undefined) {
  const [first, second] = chosen?.targets ?? [];
  const isSame = chosen !== undefined && chosen.id === other?.id && second !== undefined;
  return {
    targetA: isSame ? first : undefined,
    targetB: isSame ? second : undefined,
    case: undefined,
  };
}

/** Names a run by what the others do not have, since runs of one config have the same description. */
function optionText({ id, name, description, createdAt, targets }: RunRow): string {
  return [formatLocalTime(createdAt), targets.join(', '), name ?? description ?? id].join(' · ');
}

function Facts({ run }: { readonly run: RunRow }) {
  const isFile = useIsFile();
  const { id, name, createdAt, dataset, attempts, git, state } = run;
  const facts = [
    ...(name === undefined ? [] : [name]),
    <TimeText key="time" at={createdAt} />,
    formatPlural(dataset.cases, 'question'),
    ...(attempts > 1 ? [`${attempts} attempts each`] : []),
    dataset.sources.join(', '),
    ...(git === undefined ? [] : [formatGit(git)]),
  ];
  return (
    <p className="mt-2 text-quiet wrap-anywhere">
      {isFile ? (
        <PlainText text={id} className="font-mono text-xs" />
      ) : (
        <Link to="/runs/$run" params={{ run: id }} className="link font-mono text-xs">
          <PlainText text={id} />
        </Link>
      )}
      {' · '}
      <FactLine facts={facts} />
      {state !== 'completed' && <span className="text-unsure"> · {stateWords[state]}</span>}
    </p>
  );
}

function TargetPicker({ side, run, targets }: Omit<RunPickerOptions, 'runs' | 'recent'> & { run: RunRow }) {
  const { change } = useCompareAddress();
  const isFile = useIsFile();
  const shown = targets[side];
  const headline = run.headlines?.find(({ target }) => target === shown);
  const pick = (target: string): void =>
    change({
      targetA: side === 'a' ? target : targets.a,
      targetB: side === 'b' ? target : targets.b,
      case: undefined,
    });
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      {run.targets.length > 1 && !isFile ? (
        <select
          aria-label={`Target of run ${side.toUpperCase()}`}
          value={shown}
          onChange={({ target }) => pick(target.value)}
          className="h-8 max-w-full min-w-0 rounded-md border border-line bg-page px-2"
        >
          {!run.targets.includes(shown) && <option value={shown}>{markHidden(shown)}</option>}
          {run.targets.map((target) => (
            <option key={target} value={target}>
              {markHidden(target)}
            </option>
          ))}
        </select>
      ) : (
        <PlainText text={shown} />
      )}
      {run.passMark !== null && headline !== undefined && (
        <ReviewedValueText {...headline} value={headline.score} />
      )}
    </div>
  );
}
