import { PageHead, type PageHeadOptions } from './page-head.tsx';
import { RunTabs } from './run-tabs.tsx';

interface RunHeadOptions extends Omit<PageHeadOptions, 'crumbs'> {
  /** The id of the run. */
  readonly run: string;
}

/** The head of a page about a run: the way to it, its title, and the links to the other pages of the run. */
export function RunHead({ run, of = run, ...head }: RunHeadOptions) {
  return (
    <>
      <PageHead
        crumbs={[
          { label: 'Runs', link: { to: '/' } },
          { label: run, link: { to: '/runs/$run', params: { run } } },
        ]}
        of={of}
        {...head}
      />
      <RunTabs run={run} />
    </>
  );
}
