import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { formatCount } from '../../../../src/look/report/format.ts';
import { trialPlaceSchema } from '../../../../src/core/schema/api/trial-facets.ts';
import type { TrialView } from '../../../../src/core/schema/api/trial-view.ts';
import { useData } from '../../data/data-source.ts';
import { placePath, usePlace } from '../../data/use-trial.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { useTargetKey } from '../../parts/links/choice-links.tsx';

const route = getRouteApi('/runs/$run/cases/$ordinal');

/** The filter of the cases that are worth a look: everything but a pass. */
const failing = 'result=failed|error|not-measured';

/** The label of the step that was taken last, which gets the focus again on the next page. */
let lastStep: string | undefined;

interface WalkOptions {
  readonly view: TrialView;
  /** The address of the trial under `/api`. */
  readonly path: string;
}

/** The way along the list: the place of the case, the cases before and after it, and the other answers to this one. */
export function Walk({ view, path }: WalkOptions) {
  const { run } = view;
  const place = usePlace(path, route.useSearch()).data;
  useWalkKeys({ view, path }, place);
  return (
    <nav aria-label="Questions" className="flex items-center gap-2">
      <Step run={run.id} to={place?.previous} label="Previous question" sign="‹" />
      <span className="min-w-16 text-center whitespace-nowrap text-quiet">
        {place !== undefined &&
          (place.index === null
            ? 'not in the list'
            : `${formatCount(place.index + 1)} of ${formatCount(place.rows)}`)}
      </span>
      <Step run={run.id} to={place?.next} label="Next question" sign="›" />
    </nav>
  );
}

type Neighbours = { readonly previous: number | null; readonly next: number | null };

/** Binds the keys that go to other answers, and back to the list. */
function useWalkKeys({ view, path }: WalkOptions, place: Neighbours | undefined): void {
  const { run, result, trials } = view;
  const list = route.useSearch();
  const source = useData();
  const navigate = useNavigate();
  const { ordinal, target, attempt } = result.trial;
  const open = (to: number | null | undefined): void => {
    if (to === null || to === undefined) return;
    void navigate({
      to: '/runs/$run/cases/$ordinal',
      params: { run: run.id, ordinal: String(to) },
      search: list,
      replace: true,
    });
  };
  const findAnswer = (of: { readonly target: string; readonly attempt: number }) =>
    trials.find((row) => row.target === of.target && row.attempt === of.attempt)?.ordinal;
  const openFailing = async (side: keyof Neighbours): Promise<void> =>
    open(trialPlaceSchema.parse(await source.get(placePath(path, { ...list, among: failing })))[side]);
  const back = (): void => void navigate(linkBack({ run: run.id, ordinal, list }));
  useKeys([
    { keys: 'j', does: 'Next question', run: () => open(place?.next) },
    { keys: 'k', does: 'Previous question', run: () => open(place?.previous) },
    { keys: 'n', does: 'Next question that did not pass', run: () => void openFailing('next') },
    { keys: 'N', does: 'Previous question that did not pass', run: () => void openFailing('previous') },
    { keys: ']', does: 'Next attempt', run: () => open(findAnswer({ target, attempt: attempt + 1 })) },
    { keys: '[', does: 'Previous attempt', run: () => open(findAnswer({ target, attempt: attempt - 1 })) },
    {
      keys: 'Escape',
      does: list.matrix === undefined ? 'Back to the questions' : 'Back to the matrix',
      run: back,
    },
  ]);
  useTargetKey([...new Set(trials.map((row) => row.target))], target, (other) =>
    open(findAnswer({ target: other, attempt })),
  );
}

interface BackOptions {
  readonly run: string;
  readonly ordinal: number;
  readonly list: ReturnType<typeof route.useSearch>;
}

/** Returns the link to the list, or to the cell of the matrix, that an answer was opened from. */
export function linkBack({ run, ordinal, list }: BackOptions) {
  const { matrix, ...rest } = list;
  if (matrix !== undefined)
    return { to: '/matrix', search: Object.fromEntries(new URLSearchParams(matrix)) } as const;
  return { to: '/runs/$run/cases', params: { run }, search: { ...rest, at: ordinal } } as const;
}

interface StepOptions {
  readonly run: string;
  readonly to: number | null | undefined;
  readonly label: string;
  readonly sign: string;
}

function Step({ run, to, label, sign }: StepOptions) {
  const list = route.useSearch();
  const look = 'inline-flex size-8 items-center justify-center rounded-md border border-line';
  if (to === null || to === undefined) {
    return (
      <span aria-hidden className={`${look} opacity-40`}>
        {sign}
      </span>
    );
  }
  return (
    <Link
      to="/runs/$run/cases/$ordinal"
      params={{ run, ordinal: String(to) }}
      search={list}
      replace
      aria-label={label}
      onClick={() => (lastStep = label)}
      ref={(element: HTMLAnchorElement | null) => {
        if (element === null || lastStep !== label || document.activeElement !== document.body) return;
        lastStep = undefined;
        element.focus();
      }}
      className={`${look} hover:bg-hover`}
    >
      {sign}
    </Link>
  );
}
