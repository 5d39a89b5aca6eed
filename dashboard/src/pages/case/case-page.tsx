import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState, useEffect } from 'react';
import { equalTo } from '../../../../src/core/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/core/lib/filter/format-filter.ts';
import { quoteForShell } from '../../../../src/core/lib/text/quote-for-shell.ts';
import { firstToOpen } from '../../../../src/look/report/rows/first-to-open.ts';
import { pageTitle } from '../../../../src/look/report/page-title.ts';
import { firstUnits } from '../../../../src/core/lib/text/terminal-text.ts';
import { type Case, listedQuestion } from '../../../../src/core/schema/case.ts';
import { showCommand } from '../../../../src/look/report/phrase.ts';
import { type TrialView, trialPartSchema } from '../../../../src/core/schema/api/trial-view.ts';
import { useData } from '../../data/data-source.ts';
import { trialPath, useJudgements, useTrial } from '../../data/use-trial.ts';
import { useRights } from '../../data/use-rights.ts';
import { useTrials } from '../../data/use-trials.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { AskAgain } from '../../parts/acting/ask-again.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { SourceProvider } from '../../parts/transcript/long-text.tsx';
import { CaseHead, CaseParts } from './case-parts.tsx';
import { Conversation } from './conversation.tsx';
import { EditButton } from './edit-button.tsx';
import { ExpectedAndActual } from './expected-and-actual.tsx';
import { ProposeChange } from './propose-change.tsx';
import { OtherRuns, OtherTrials } from './other-trials.tsx';
import { Verdicts } from './verdicts.tsx';
import { linkBack, Walk } from './walk.tsx';

const route = getRouteApi('/runs/$run/cases/$ordinal');

/** A case: why one answer has its score. */
export function CasePage() {
  const { run, ordinal } = route.useParams();
  return /^\d+$/.test(ordinal) ? <OneCase run={run} ordinal={ordinal} /> : <FirstCase />;
}

function OneCase({ run, ordinal }: { readonly run: string; readonly ordinal: string }) {
  const path = trialPath(run, ordinal);
  const { data, error, refetch } = useTrial(path);
  if (data !== undefined && String(data.result.trial.ordinal) === ordinal)
    return <CaseReport key={path} view={data} path={path} />;
  if (error === null) return <Skeleton />;
  return (
    <>
      <PageHead crumbs={[{ label: 'Runs', link: { to: '/' } }]} title={run} />
      <ErrorPanel error={error} onRetry={refetch} />
    </>
  );
}

function CaseReport({ view, path }: { readonly view: TrialView; readonly path: string }) {
  const { run, result, cuts } = view;
  const list = route.useSearch();
  const [marks, setMarks] = useState<readonly string[]>([]);
  const [isDiff, setDiff] = useState(false);
  const hasJudgements = Object.values(result.verdicts).some(
    (verdict) => verdict.status !== 'not-applicable' && (verdict.judgements ?? []).length > 0,
  );
  const judgements = useJudgements(path, hasJudgements);
  const mark = useCallback((next: readonly string[]) => setMarks(next), []);
  const source = useMemo(
    () => ({ path, cuts: [...cuts, ...(judgements.data?.cuts ?? [])] }),
    [path, cuts, judgements.data],
  );
  useKeys([{ keys: 'd', does: 'Show the differing words', run: () => setDiff(!isDiff) }]);
  const { ordinal } = result.trial;
  return (
    <SourceProvider value={source}>
      <PageHead
        crumbs={[
          { label: 'Runs', link: { to: '/' } },
          { label: pageTitle(run), link: { to: '/runs/$run', params: { run: run.id } } },
          {
            label: list.matrix === undefined ? 'Questions' : 'Matrix',
            link: linkBack({ run: run.id, ordinal, list }),
          },
        ]}
        title={titleOf(result.case)}
        of={`${result.trial.target} · ${run.name ?? run.id}`}
        actions={<Walk view={view} path={path} />}
        about={<CaseHead view={view} />}
      />
      <div className="-mt-4 grid gap-x-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0">
          <Conversation view={view} path={path} marks={marks} />
          <ExpectedAndActual view={view} isDiff={isDiff} onDiff={setDiff} />
          <CaseParts view={view} />
        </div>
        <div className="min-w-0">
          <Verdicts view={view} judgements={judgements.data?.judgements ?? []} onMark={mark} />
          <ErrorPanel error={judgements.error} />
          <OtherTrials view={view} list={list} />
          <OtherRuns path={path} />
          <Commands view={view} path={path} />
        </div>
      </div>
    </SourceProvider>
  );
}

/** Returns the question as a title; its id where it has no words. */
function titleOf(testCase: Case): string {
  const question = listedQuestion(testCase).replaceAll(/\s+/g, ' ').trim();
  const shown = firstUnits(question, longestTitle);
  if (shown === '') return testCase.id;
  return shown.length < question.length ? `${shown} …` : shown;
}

const longestTitle = 160;

/** The commands and the row of the case, to be copied. */
function Commands({ view, path }: { readonly view: TrialView; readonly path: string }) {
  const source = useData();
  const { run, result, storeFolder, cuts } = view;
  const { canEditFiles, may, person } = useRights();
  // Where a file has no ids, an edit gives the question another one.
  const [id, setId] = useState(result.case.id);
  const readCase = async (): Promise<unknown> => {
    if (!cuts.some((cut) => cut.path.startsWith('/result/case'))) return result.case;
    const answer = await source.get(`${path}/part?path=${encodeURIComponent('/result/case')}`);
    return trialPartSchema.parse(answer).value;
  };
  return (
    <section aria-label="Take it along" className="mt-10 flex flex-wrap gap-2">
      {canEditFiles && (
        <EditButton row={{ run: run.id, id, targets: [result.trial.target] }} onWritten={setId} />
      )}
      {!canEditFiles && may('edit') && <ProposeChange run={run.id} readCase={readCase} person={person} />}
      {source.isFile !== true && (
        <AskAgain view={view} asked={{ ids: [id], targets: [result.trial.target] }} />
      )}
      <CopyButton
        label="Copy as JSONL row"
        shortcut="Y"
        text={async () => JSON.stringify(await readCase())}
      />
      <CopyButton
        label="Copy the show command"
        shortcut="y"
        text={showCommand({ run, storeFolder }, `--case ${quoteForShell(result.case.id)}`)}
      />
      {source.isFile !== true && (
        <a
          href={`/api${path}/part?path=%2Fresult&download=1`}
          className="inline-flex h-8 items-center rounded-md border border-line px-3 font-medium hover:bg-hover"
        >
          Download everything
        </a>
      )}
    </section>
  );
}

/** The place in the address of a case that stands for the first one of the list. */
const firstOfList = 'first';

/** Opens the first case of the list that the address describes, or the case whose id it has, in place of this address. */
function FirstCase() {
  const { run, ordinal: place } = route.useParams();
  const search = route.useSearch();
  const list = useMemo(
    () => (place === firstOfList ? search : { where: formatFilter([equalTo('id', [place])]) }),
    [place, search],
  );
  const navigate = useNavigate();
  const { data, error, refetch } = useTrials({ run, ...list }, true);
  const row = data?.pages[0]?.rows[0];
  const ordinal = row && firstToOpen(row);
  useEffect(() => {
    if (ordinal === undefined) return;
    const params = { run, ordinal: String(ordinal) };
    void navigate({ to: '/runs/$run/cases/$ordinal', params, search: list, replace: true });
  }, [navigate, run, ordinal, list]);
  if (error === null && (data === undefined || ordinal !== undefined)) return <Skeleton />;
  return (
    <>
      <PageHead crumbs={[{ label: 'Runs', link: { to: '/' } }]} title={run} />
      {error === null ? (
        <EmptyState title="No question of this run matches.">It may not be part of this report.</EmptyState>
      ) : (
        <ErrorPanel error={error} onRetry={refetch} />
      )}
    </>
  );
}
