import { getRouteApi, linkOptions } from '@tanstack/react-router';
import {
  describeBasis,
  describeDetectable,
  describePlanned,
  sizeRows,
} from '../../../../src/look/report/size-plan.ts';
import type { Gate } from '../../../../src/core/schema/gate.ts';
import { usePlan } from '../../data/use-gate.ts';
import { FailedRequest } from '../../data/data-source.ts';
import { ChoiceLinks, TargetChoice } from '../../parts/links/choice-links.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { MessageText } from '../../parts/message-text.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';

const route = getRouteApi('/runs/$run/gate');

/** The differences, in percentage points, that the page offers to plan for. */
const offered = [1, 2, 5, 10];

interface SizeSectionOptions {
  readonly run: string;
  readonly targets: readonly string[];
  readonly gate: Gate;
}

/** The smallest difference that the run could show, and the number of questions that another one takes. */
export function SizeSection({ run, targets, gate }: SizeSectionOptions) {
  const { difference: chosenDifference, target: named } = route.useSearch();
  const usual = usualDifference(gate);
  const difference = chosenDifference ?? usual;
  const target = targets.find((one) => one === named) ?? targets[0];
  if (target === undefined) return null;
  const linkTo = (search: { target: string | undefined; difference: number | undefined }) =>
    linkOptions({ to: '/runs/$run/gate', params: { run }, search });
  const differences = [...new Set([...offered, usual, difference])].toSorted((one, other) => one - other);
  return (
    <Section title="How small a difference can be seen?">
      <div className="mb-3 flex flex-wrap gap-x-6 gap-y-1">
        <TargetChoice
          targets={targets}
          chosen={target}
          linkTo={(one) => linkTo({ target: one, difference: chosenDifference })}
        />
        <ChoiceLinks
          label="Points"
          choices={differences.map((one) => ({
            name: String(one),
            link: linkTo({ target: named, difference: one }),
            isChosen: one === difference,
          }))}
        />
      </div>
      <Size run={run} target={target} difference={difference} />
    </Section>
  );
}

/** Returns the margin of the first no-regression rule about shares, else 5 points. */
function usualDifference({ rules = {} }: Gate): number {
  const margins = Object.values(rules).flatMap((rule) =>
    rule.type === 'no-regression' && rule.metric === undefined && rule.margin > 0 ? [rule.margin] : [],
  );
  return margins[0] ?? 5;
}

const titles = ['Attempts', 'Questions', 'Calls', 'Cost', 'Time'];

const columns = titles.map(
  (title, index): Column<readonly string[]> => ({
    title,
    isName: index === 0,
    align: index === 0 ? 'left' : 'right',
    isOptional: index === 2,
    cell: (row) => <span className="whitespace-nowrap">{row[index]}</span>,
  }),
);

function Size({ run, target, difference }: { run: string; target: string; difference: number }) {
  const { data, error, refetch } = usePlan(run, target, difference);
  if (error !== null) {
    return error instanceof FailedRequest && error.code === 'usage-invalid' ? (
      <p className="text-quiet">
        <MessageText text={error.message} />
      </p>
    ) : (
      <ErrorPanel error={error} onRetry={refetch} />
    );
  }
  if (data === undefined) return <Skeleton />;
  return (
    <>
      <p className="font-medium">{describeDetectable(data)}</p>
      <p className="mt-2 max-w-3xl">{describePlanned(data)}</p>
      <div className="mt-1 max-w-2xl">
        <DataTable
          label="Sizes that suffice"
          columns={columns}
          rows={sizeRows(data)}
          keyOf={(row) => row.join(' ')}
        />
      </div>
      <p className="mt-2 max-w-3xl text-quiet wrap-anywhere">
        <PhraseText phrase={describeBasis(data)} />
      </p>
    </>
  );
}
