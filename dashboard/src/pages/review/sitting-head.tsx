import { formatCount, formatPlural } from '../../../../src/report/format.ts';
import type { ReviewTaskView } from '../../../../src/schema/api/review/view.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import type { Sitting } from './sitting.ts';
import type { ReviewChoices } from './use-settings.ts';

/** The options of {@link SittingProgress}. */
interface SittingProgressOptions {
  readonly view: ReviewTaskView;
  readonly sitting: Sitting;
  readonly person: string;
  readonly onLeave: () => void;
}

/** How far the task and the sitting are, and who labels. */
export function SittingProgress({ view: { progress }, sitting, person, onLeave }: SittingProgressOptions) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span>
        {formatCount(progress.given)} of {formatPlural(progress.wanted, 'label')}
      </span>
      <span role="status">{formatCount(sitting.labelled)} in this sitting</span>
      <span className="wrap-anywhere">
        by <PlainText text={person} />{' '}
        <button type="button" className="link" onClick={onLeave}>
          not you?
        </button>
      </span>
    </p>
  );
}

/** The options of {@link ReviewChoicesFields}. */
interface ReviewChoicesFieldsOptions {
  readonly choices: ReviewChoices;
  readonly onChange: (change: Partial<ReviewChoices>) => void;
}

/** What the reviewer chose for all tasks. */
export function ReviewChoicesFields({
  choices: { isRevealed, isQuick },
  onChange,
}: ReviewChoicesFieldsOptions) {
  return (
    <fieldset className="flex flex-wrap gap-x-4 text-xs text-quiet">
      <legend className="sr-only">Settings</legend>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isRevealed}
          onChange={() => onChange({ isRevealed: !isRevealed })}
          className="size-3.5 accent-accent"
        />
        Show the judge after each label
      </label>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isQuick}
          onChange={() => onChange({ isQuick: !isQuick })}
          className="size-3.5 accent-accent"
        />
        Go on without Enter
      </label>
    </fieldset>
  );
}
