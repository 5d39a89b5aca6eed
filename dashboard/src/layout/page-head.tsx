import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsFile } from '../data/data-source.ts';
import { ArrowGroup } from '../keys/arrow-group.tsx';
import { PlainText } from '../parts/plain-text.tsx';

/** A step of the way to a page. */
export interface Crumb {
  readonly label: string;
  readonly link: LinkProps;
}

/** The properties of the head of a page. */
export interface PageHeadOptions {
  /** The pages above this one, the first first. */
  readonly crumbs?: readonly Crumb[];
  /** The title of the page; texts from outside are allowed. */
  readonly title: string;
  /** The subject of the page, for the title of the tab, such as the name of a run; the title of the page comes before it. */
  readonly of?: string;
  /** The line below the title. */
  readonly about?: ReactNode;
  /** The buttons of the page, at the right. */
  readonly actions?: ReactNode;
}

/** The head of a page: the way to it, its title (also the title of the tab), and what can be done. */
export function PageHead({ crumbs: given = [], title, of, about, actions }: PageHeadOptions) {
  const isFile = useIsFile();
  // A file contains one run, and no list of runs.
  const crumbs = given.filter(({ link }) => !isFile || link.to !== '/');
  return (
    <div className="mb-6">
      <title>{[title, ...(of === undefined || of === '' ? [] : [of]), 'Touchstone'].join(' · ')}</title>
      {crumbs.length > 0 && (
        <ArrowGroup as="nav" aria-label="Way to this page" className="mb-1 text-quiet print:hidden">
          {crumbs.map(({ label, link }) => (
            <span key={label}>
              <Link {...link} className="inline-block py-0.5 hover:text-text">
                <PlainText text={label} />
              </Link>
              <span aria-hidden className="px-1.5">
                /
              </span>
            </span>
          ))}
        </ArrowGroup>
      )}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">
          <PlainText text={title} />
        </h1>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-2 sm:ml-auto print:hidden">{actions}</div>
        )}
      </div>
      {about !== undefined && <div className="mt-1 text-quiet">{about}</div>}
    </div>
  );
}
