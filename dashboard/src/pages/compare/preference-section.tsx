import { formatCount } from '../../../../src/look/report/format.ts';
import {
  describeJudgeOnPairs,
  describePeople,
  describePreference,
  describeRanking,
} from '../../../../src/look/report/comparison/preferences.ts';
import type { PreferenceList, PreferenceView } from '../../../../src/core/schema/api/preference/view.ts';
import { useIsFile } from '../../data/data-source.ts';
import { usePreferences } from '../../data/use-comparison.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { CommandLine } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { PreferenceCasesList } from './preference-cases.tsx';
import { PreferenceTable } from './preference-table.tsx';
import { useCompareAddress } from './use-compare-address.ts';

/** The preferences of judges and people between answers, in pairs. */
export function PreferenceSection() {
  const { choice } = useCompareAddress();
  const isFile = useIsFile();
  const { data, error, refetch } = usePreferences(choice);
  const titles = titlesOf(data?.preferences ?? []);
  return (
    <Section
      title="Whose answers are preferred?"
      note="Two answers to the same question at a time, without names. A tie is half a win."
    >
      {(data === undefined || error !== null) && <Pending error={error} refetch={refetch} />}
      <div className="space-y-8">
        {data?.preferences.map((view, index) => (
          <PreferenceBlock key={view.id} view={view} title={titles[index] ?? ''} />
        ))}
      </div>
      {data !== undefined && !isFile && <HowToCompare list={data} />}
    </Section>
  );
}

/** The commands for the comparisons that are still missing. */
function HowToCompare({ list: { preferences, commands } }: { readonly list: PreferenceList }) {
  const kinds = new Set(preferences.map(({ by }) => by));
  return (
    <div className="mt-4 space-y-2">
      {!kinds.has('judge') && (
        <>
          <p className="text-quiet">No judge has compared these answers in pairs yet:</p>
          <CommandLine text={commands.judge} />
        </>
      )}
      {!kinds.has('people') && (
        <>
          <p className="text-quiet">No people have compared them yet:</p>
          <CommandLine text={commands.people} />
        </>
      )}
    </div>
  );
}

/** Returns the titles of comparisons, with a number where several would have the same. */
function titlesOf(views: readonly PreferenceView[]): string[] {
  const plain = views.map((view) => {
    if (view.by === 'people') return `People, review task ${view.task.task}`;
    return `Judge ${view.rule.judge.name}${view.rule.order === 'random' ? ', each pair once' : ''}`;
  });
  return plain.map((title, index) => {
    const before = plain.slice(0, index).filter((other) => other === title).length;
    return before === 0 ? title : `${title} (${before + 1})`;
  });
}

interface PreferenceBlockOptions {
  readonly view: PreferenceView;
  readonly title: string;
}

/** One comparison: who made it, the ranking, each pair of targets with its numbers, and the cases behind one of them. */
function PreferenceBlock({ view, title }: PreferenceBlockOptions) {
  const { number } = useCompareAddress();
  const pair = view.pairs[view.shown];
  return (
    <section aria-label={title} className="break-inside-avoid">
      <h3 className="font-medium">
        <PlainText text={title} />
      </h3>
      {pair !== undefined && <Verdict view={view} />}
      <div className="mt-2">
        <PreferenceTable view={view} label={`Preferences: ${title}`} />
      </div>
      {number?.id === view.id && <PreferenceCasesList number={number} view={view} />}
      {view.ranking !== undefined && <Ranking ranking={view.ranking} label={`Ranking: ${title}`} />}
      <details className="mt-2 max-w-prose">
        <summary className="cursor-pointer text-quiet">What was compared</summary>
        {aboutOf(view).map((sentence, index) => (
          <p key={index} className="mt-1 wrap-anywhere text-quiet">
            <PlainText text={sentence} />
          </p>
        ))}
      </details>
    </section>
  );
}

function Verdict({ view }: { readonly view: PreferenceView }) {
  const pair = view.pairs[view.shown];
  if (pair === undefined) return null;
  const { outcome, sentences, cautions } = describePreference(pair);
  const judges = view.by === 'people' ? (view.pairs[view.shown]?.judges ?? []) : [];
  const all = [...sentences, ...cautions, ...judges.map(describeJudgeOnPairs)];
  return (
    <>
      <p className="text-lg font-semibold wrap-anywhere">
        <PhraseText phrase={outcome} />
      </p>
      <ul className="mt-1 max-w-prose space-y-0.5">
        {all.map((sentence, index) => (
          <li key={index} className="wrap-anywhere">
            <PhraseText phrase={sentence} />
          </li>
        ))}
      </ul>
    </>
  );
}

function aboutOf(view: PreferenceView): string[] {
  const runs = view.targets.map(({ name, run }) => `${name} (run ${run})`).join(', ');
  if (view.by === 'people') {
    const { task } = view;
    return [`Targets: ${runs}.`, `Question: ${task.rubric.question}`, ...describePeople(task)];
  }
  const { rule, isStopped } = view;
  return [
    `Targets: ${runs}.`,
    `Criterion: ${rule.criterion}`,
    rule.order === 'both'
      ? 'Every pair was asked in both orders; a win counts only if it survives the swap.'
      : 'Every pair was asked once, in a random order: the position may decide.',
    ...(isStopped ? ['Not all pairs were asked; the same command continues.'] : []),
  ];
}

type Place = NonNullable<PreferenceView['ranking']>['targets'][number];

/** Returns the ends of an axis that holds all distances with their intervals, and 0. */
function reachOf(places: readonly Place[]): readonly [number, number] {
  const ends = places.flatMap(({ behind }) => [behind?.value ?? 0, behind?.lower ?? 0, behind?.upper ?? 0]);
  return [Math.min(0, ...ends), Math.max(1, ...ends)];
}

/** The places of more than two targets. Those without a visible difference share one. */
function Ranking({
  ranking,
  label,
}: {
  readonly ranking: NonNullable<PreferenceView['ranking']>;
  readonly label: string;
}) {
  return (
    <div className="mt-4">
      {ranking.targets.length > 0 && (
        <DataTable
          label={label}
          columns={placeColumns(ranking.targets)}
          rows={ranking.targets}
          keyOf={({ name }) => name}
          isCompact
        />
      )}
      <p className="mt-1 max-w-prose text-quiet">
        <PlainText text={describeRanking(ranking).join(' ')} />
      </p>
    </div>
  );
}

const placeColumns = (all: readonly Place[]): readonly Column<Place>[] => [
  {
    title: 'Place',
    cell: ({ rank, lastRank }) => (rank === lastRank ? formatCount(rank) : `${rank}–${lastRank}`),
  },
  {
    title: 'Target',
    isName: true,
    cell: ({ name }) => <PlainText text={name} className="inline-block min-w-24 wrap-anywhere" />,
  },
  { title: 'Elo scale', align: 'right', cell: ({ elo }) => formatCount(elo) },
  {
    title: 'Behind the first',
    align: 'right',
    cell: ({ behind }) => {
      if (behind === undefined) return null;
      const limits = [behind.lower, behind.upper].map((limit) => (limit === null ? '…' : formatCount(limit)));
      return (
        <>
          {formatCount(behind.value)} <span className="text-quiet">[{limits.join(', ')}]</span>
        </>
      );
    },
  },
  {
    title: 'Plot of the distance to the first',
    hidesTitle: true,
    isOptional: true,
    cell: ({ behind }) =>
      behind !== undefined && (
        <IntervalPlot
          estimate={{ ...behind, n: 0, confidence: 0.95, method: 'percentile-bootstrap' }}
          domain={reachOf(all)}
          mark={0}
        />
      ),
  },
];

/** The page of a comparison of answers in pairs, in a file of its own. */
export function PreferencesPage() {
  return (
    <>
      <PageHead crumbs={[]} title="Preferences" />
      <PreferenceSection />
    </>
  );
}
