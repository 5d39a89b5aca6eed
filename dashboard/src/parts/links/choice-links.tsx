import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { MarkedLink } from './marked-link.tsx';
import { useKeys } from '../../keys/use-keys.ts';
import { PlainText } from '../plain-text.tsx';

/** One of several views of a page, with its address. */
interface Choice {
  readonly name: string;
  readonly link: LinkProps;
  readonly isChosen: boolean;
}

/** Links to the views of a page of which one is shown. */
export function ChoiceLinks({
  label,
  choices,
}: {
  readonly label: string;
  readonly choices: readonly Choice[];
}) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-x-1">
      <span className="mr-1 text-quiet">{label}</span>
      {choices.map(({ name, link, isChosen }) => (
        <MarkedLink
          key={name}
          {...link}
          resetScroll={false}
          replace
          mark={isChosen ? 'true' : undefined}
          className="rounded px-2 py-1.5 wrap-anywhere hover:bg-hover aria-[current=true]:bg-accent-soft aria-[current=true]:font-medium"
        >
          <PlainText text={name} />
        </MarkedLink>
      ))}
    </div>
  );
}

interface TargetChoiceOptions {
  readonly targets: readonly string[];
  readonly chosen: string;
  /** Returns the address of the page with a target. */
  readonly linkTo: (target: string) => LinkProps;
}

/** Links to the targets of a run of several, with a key for the next one; nothing for a single one. */
export function TargetChoice({ targets, chosen, linkTo }: TargetChoiceOptions) {
  const navigate = useNavigate();
  useTargetKey(targets, chosen, (target) => {
    void navigate({ ...linkTo(target), resetScroll: false, replace: true });
  });
  if (targets.length < 2) return null;
  const choices = targets.map((target) => ({
    name: target,
    link: linkTo(target),
    isChosen: target === chosen,
  }));
  return <ChoiceLinks label="Target" choices={choices} />;
}

/** Binds `t`, which goes from target to target, and after the last one to the first. */
export function useTargetKey(
  targets: readonly string[],
  chosen: string,
  choose: (target: string) => void,
): void {
  const run = (): void => {
    const next = targets[(targets.indexOf(chosen) + 1) % targets.length];
    if (next !== undefined) choose(next);
  };
  useKeys(targets.length < 2 ? [] : [{ keys: 't', does: 'Next target', run }]);
}
