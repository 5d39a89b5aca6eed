import { formatCount } from '../../../../src/look/report/format.ts';
import type { GateCheck } from '../../../../src/look/report/gate-checks.ts';
import { FilteredCases } from '../../parts/filtered-cases.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { MessageText } from '../../parts/message-text.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

interface GateCheckListOptions {
  readonly run: string;
  readonly checks: readonly GateCheck[];
  /** True when the run has several targets, so that each rule names its own. */
  readonly hasSeveral: boolean;
}

/** The rules of a gate: what each measured and needed, and the arithmetic as the terminal prints it. */
export function GateCheckList({ run, checks, hasSeveral }: GateCheckListOptions) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {checks.map((check) => (
        <li key={check.key} className="grid gap-x-8 gap-y-3 py-4 md:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="min-w-0 wrap-anywhere">
            <h3 className="flex flex-wrap items-baseline gap-x-3">
              <OutcomeMark outcome={check.outcome} />
              <PlainText text={check.name} className="font-medium" />
              <PlainText text={placeOf(check, hasSeveral)} className="text-quiet" />
            </h3>
            <p className="mt-1">
              <MessageText text={check.reason} />
            </p>
            <p className="mt-1 font-mono text-xs text-quiet">
              <PlainText text={check.arithmetic} />
            </p>
            <p className="mt-1">
              <FilteredCases run={run} {...check.cases}>
                {check.cases.sort === 'total' ? 'Questions that did not pass' : 'Questions, the worst first'}
              </FilteredCases>
            </p>
            {check.more !== '' && <p className="mt-1 text-unsure">{check.more}</p>}
          </div>
          <Numbers check={check} />
        </li>
      ))}
    </ul>
  );
}

function placeOf({ category, target }: GateCheck, hasSeveral: boolean): string {
  return [...(category === undefined ? [] : [category]), ...(hasSeveral ? [target] : [])].join(' · ');
}

function Numbers({
  check: { measured, needed, interval, confidence, n, plot },
}: {
  readonly check: GateCheck;
}) {
  const facts = [
    ['Measured', measured],
    ['Needed', needed],
    ...(interval === '' ? [] : [['Bounds', `${interval} ${confidence}`]]),
    ['n', formatCount(n)],
  ];
  return (
    <div>
      {plot !== undefined && (
        <div className="mb-1.5 [&>svg]:max-w-none">
          <IntervalPlot {...plot} />
        </div>
      )}
      <dl className="grid grid-cols-[5.5rem_1fr] gap-y-0.5">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
