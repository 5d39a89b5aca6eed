import { useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { fieldNames, vocabularyOf } from '../../../../src/core/lib/filter/fields.ts';
import { pageTitle } from '../../../../src/look/report/page-title.ts';
import { runPath } from '../../../../src/core/schema/api/report-file.ts';
import { useReportFile } from '../../data/use-report.ts';
import { useRun } from '../../data/use-run.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { RunTabs } from '../../layout/run-tabs.tsx';
import { Button } from '../../parts/button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { CaseList } from './case-list.tsx';
import { CaseCount } from './reported-cases.tsx';

const field = 'block h-8 w-full rounded-md border border-line bg-page px-2';

/** The cases of a report, filtered and sorted. */
export function CasesPage() {
  const { run: id = '' } = useParams({ strict: false });
  const { data: file } = useReportFile();
  const { data: view, error } = useRun(id);
  const { history } = useRouter();
  const parameters = new URLSearchParams(useRouterState({ select: ({ location }) => location.searchStr }));
  const [where, sort] = [parameters.get('where') ?? '', parameters.get('sort') ?? ''];
  if (error !== null) return <ErrorPanel error={error} />;
  if (file === undefined || view === undefined) return null;
  const { run } = view;
  const names = fieldNames(
    vocabularyOf(
      'trial',
      run.metrics.map(({ name }) => name),
    ),
  );
  return (
    <>
      <PageHead
        crumbs={[{ label: pageTitle(run), link: { to: '/runs/$run', params: { run: id } } }]}
        title="Questions"
        about={<CaseCount file={file} />}
      />
      <RunTabs run={id} />
      <form
        key={`${where} ${sort}`}
        onSubmit={(event) => {
          event.preventDefault();
          const fields = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
          const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
          history.push(`${runPath(id)}/cases?${query}`);
        }}
        className="mb-5 grid max-w-3xl items-end gap-3 sm:grid-cols-[1fr_12rem_auto] print:hidden"
      >
        <label>
          <span className="text-xs text-quiet">Filter</span>
          <input name="where" defaultValue={where} placeholder="passed=false total<0.7" className={field} />
        </label>
        <label>
          <span className="text-xs text-quiet">Order; with - the largest first</span>
          <input name="sort" defaultValue={sort} placeholder="-latencyMs" className={field} />
        </label>
        <Button type="submit">Apply</Button>
        <p className="text-xs text-quiet sm:col-span-3">Fields: {names.join(', ')}.</p>
      </form>
      <CaseList run={run} where={where} sort={sort} />
    </>
  );
}
