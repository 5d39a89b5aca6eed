import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEvents } from '../data/use-events.ts';
import { useFeedbackSize, useProposalSize, useReviews } from '../data/people/use-bar.ts';
import { useRights } from '../data/use-rights.ts';
import { KeyHelp } from './key-help.tsx';
import { ArrowGroup } from '../keys/arrow-group.tsx';
import { useKeys, useKeyListener } from '../keys/use-keys.ts';

/** The pages in the bar at the top. */
const places = [
  { label: 'Runs', to: '/' },
  { label: 'Datasets', to: '/datasets' },
  { label: 'Judges', to: '/judges' },
] as const;

/** The pages of review tasks and of feedback, which are in the bar when there is something on them. */
const review = { label: 'Review', to: '/reviews' } as const;
const feedback = { label: 'Feedback', to: '/feedback' } as const;

/** The page of proposed cases, which is in the bar when there are any. */
const proposed = { label: 'Proposals', to: '/proposals' } as const;

/** The page of traces, which is in the bar when there are any. */
const traced = { label: 'Traces', to: '/traces' } as const;

/** The address of the page of one's account, with which a server for a team marks the document. */
const accountPage = document.querySelector<HTMLMetaElement>('meta[name=account]')?.content;

/** The looks of the name on a narrow screen that has no room for it next to all pages. */
const crowdedName = 'max-[430px]:sr-only max-[430px]:focus:not-sr-only';

/** Returns whether the person sees nothing but review tasks, and leads a reviewer from the list of runs to these. */
function useIsReviewer(): boolean {
  const { isKnown, may } = useRights();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isReviewer = isKnown && !may('read');
  useEffect(() => {
    if (isReviewer && pathname === '/') void navigate({ to: '/reviews', replace: true });
  }, [isReviewer, pathname, navigate]);
  return isReviewer;
}

/** The frame of every page: the bar at the top, and the help for keys. */
export function Frame() {
  const navigate = useNavigate();
  const hasTasks = (useReviews().data?.tasks.length ?? 0) > 0;
  const hasFeedback = (useFeedbackSize().data?.counts.all ?? 0) > 0;
  const { proposals, traces } = useProposalSize().data ?? { proposals: 0, traces: 0 };
  const [hasProposals, hasTraces] = [proposals > 0, traces > 0];
  const isCrowded = [hasTasks, hasFeedback, hasProposals, hasTraces].filter(Boolean).length > 1;
  const isReviewer = useIsReviewer();
  useKeyListener();
  useEvents();
  useKeys(
    isReviewer
      ? []
      : [
          { keys: 'g r', does: 'Go to the runs', run: () => void navigate({ to: '/' }) },
          { keys: 'g d', does: 'Go to the datasets', run: () => void navigate({ to: '/datasets' }) },
          { keys: 'g f', does: 'Go to the feedback', run: () => void navigate({ to: '/feedback' }) },
          { keys: 'g j', does: 'Go to the judges', run: () => void navigate({ to: '/judges' }) },
        ],
  );
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-page focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-10 border-b border-line bg-page">
        <ArrowGroup className="mx-auto flex h-12 max-w-[1440px] items-center gap-3 px-4 sm:gap-6 sm:px-8">
          <Link to="/" className={`py-1.5 font-semibold tracking-tight ${isCrowded ? crowdedName : ''}`}>
            Touchstone
          </Link>
          <nav aria-label="Pages" className="scroll-sign flex min-w-0 items-center gap-2.5 sm:gap-4">
            {[
              ...(isReviewer ? [] : places),
              ...(hasTasks || isReviewer ? [review] : []),
              ...(hasProposals ? [proposed] : []),
              ...(hasTraces ? [traced] : []),
              ...(hasFeedback ? [feedback] : []),
            ].map(({ label, to }) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className="py-1.5 text-quiet hover:text-text aria-[current=page]:text-text"
              >
                {label}
              </Link>
            ))}
          </nav>
          <div className="ml-auto flex items-center gap-3">
            {accountPage !== undefined && (
              <a href={accountPage} className="text-quiet hover:text-text">
                Account
              </a>
            )}
            <KeyHelp />
          </div>
        </ArrowGroup>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto max-w-[1440px] px-4 pt-5 pb-24 outline-none sm:px-8"
      >
        <Outlet />
      </main>
    </>
  );
}
