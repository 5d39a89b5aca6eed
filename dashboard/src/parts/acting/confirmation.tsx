import { useId, useState } from 'react';
import type { AskAgainPlan } from '../../../../src/core/schema/api/acting/ask-again.ts';
import { takeFocus } from '../../keys/focus.ts';
import { Button } from '../button.tsx';
import { CommandLine } from '../copy-button.tsx';
import { ErrorPanel } from '../error-panel.tsx';
import { PlainText } from '../plain-text.tsx';

interface ConfirmationOptions {
  readonly plan: AskAgainPlan;
  /** Begins the run, with a limit of its cost in US dollars. */
  readonly confirm: (maxCost: number | undefined) => void;
  readonly error: Error | null;
  readonly isPending: boolean;
}

/** The plan with its price, the limit of the cost, and the button that begins. */
export function Confirmation({ plan, confirm, error, isPending }: ConfirmationOptions) {
  const help = useId();
  const [limit, setLimit] = useState('');
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm(limit.trim() === '' ? undefined : Number(limit));
      }}
    >
      <PlanText text={plan.text} />
      <label className="block">
        Spend at most, in US dollars
        <input
          // After the form of a question that was edited before.
          ref={takeFocus}
          type="number"
          min="0.0001"
          step="any"
          value={limit}
          placeholder="no limit"
          aria-describedby={help}
          onChange={({ target }) => setLimit(target.value)}
          className="mt-1 block h-8 w-40 rounded-md border border-line bg-page px-2"
        />
        <span id={help} className="text-quiet">
          Calls whose price is not known are not limited by it.
        </span>
      </label>
      <ErrorPanel error={error} />
      <Button type="submit" look="main" disabled={isPending}>
        {isPending ? 'Beginning …' : 'Ask again'}
      </Button>
      <p className="text-quiet">It is a new run, the same as by this command:</p>
      <CommandLine text={plan.command} />
    </form>
  );
}

/** The words of a plan. */
function PlanText({ text }: { readonly text: string }) {
  return (
    <pre className="overflow-x-auto rounded-md bg-surface px-3 py-2 font-mono text-xs whitespace-pre-wrap">
      <PlainText text={text.trim()} />
    </pre>
  );
}
