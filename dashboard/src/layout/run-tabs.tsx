import { useMatches, useNavigate } from '@tanstack/react-router';
import { MarkedLink } from '../parts/links/marked-link.tsx';
import { useIsFile } from '../data/data-source.ts';
import { useRun } from '../data/use-run.ts';
import { ArrowGroup } from '../keys/arrow-group.tsx';
import { useKeys } from '../keys/use-keys.ts';

/** The pages of a run. */
const pages = [
  { name: 'run', label: 'Run', path: '/runs/$run', keys: 'g v' },
  { name: 'cases', label: 'Questions', path: '/runs/$run/cases', keys: 'g c' },
  { name: 'grid', label: 'Grid', path: '/runs/$run/grid', keys: 'g s' },
  { name: 'tools', label: 'Tools', path: '/runs/$run/tools', keys: 'g t' },
  { name: 'gate', label: 'Gate', path: '/runs/$run/gate', keys: 'g g' },
] as const;

/** The pages that a report in one file has too. */
const pagesOfFile: readonly string[] = ['run', 'cases'];

/** The links between the pages of a run, with a key for each. */
export function RunTabs({ run }: { readonly run: string }) {
  const navigate = useNavigate();
  const isFile = useIsFile();
  // Routes are compared, not addresses: the address may contain "latest", and the links contain the id of that run.
  const current = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const hasGrid = useRun(run).data?.run.targets.some(({ grid }) => grid !== undefined) === true;
  const tabs = pages.filter(({ name }) => (isFile ? pagesOfFile.includes(name) : name !== 'grid' || hasGrid));
  useKeys(
    tabs.map(({ label, keys, path }) => ({
      keys,
      does: label === 'Run' ? 'Go to the verdict of the run' : `Go to the ${label.toLowerCase()} of the run`,
      run: () => void navigate(linkTo(path, run)),
    })),
  );
  return (
    <ArrowGroup
      as="nav"
      aria-label="Pages of the run"
      className="mb-8 flex gap-x-5 print:hidden overflow-x-auto overflow-y-hidden border-b border-line"
    >
      {tabs.map(({ name, label, path }) => (
        <MarkedLink
          key={name}
          {...linkTo(path, run)}
          mark={isBelow(current, path) ? 'page' : undefined}
          className="-mb-px border-b-2 border-transparent py-2 text-quiet hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
        >
          {label}
        </MarkedLink>
      ))}
    </ArrowGroup>
  );
}

function isBelow(current: string, path: (typeof pages)[number]['path']): boolean {
  return current === path || (path !== '/runs/$run' && current.startsWith(`${path}/`));
}

function linkTo(path: (typeof pages)[number]['path'], run: string) {
  return { to: path, params: { run } };
}
