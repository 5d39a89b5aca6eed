import { type SubmitEvent, useId, useState } from 'react';
import { personSchema } from '../../../src/core/schema/review/label.ts';
import { Button } from './button.tsx';

interface NameFormOptions {
  /** The question, such as "Who labels?". */
  readonly question?: string;
  /** The records with which the name is stored. */
  readonly storedWith?: string;
  /** The name to offer. */
  readonly offered: string | undefined;
  readonly onName: (name: string) => void;
}

/** Asks once who labels or decides. */
export function NameForm({
  question = 'Who labels?',
  storedWith = 'label',
  offered = '',
  onName,
}: NameFormOptions) {
  const id = useId();
  const [name, setName] = useState(offered);
  const [isRefused, setRefused] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const parsed = personSchema.safeParse(name.trim());
    setRefused(!parsed.success);
    if (parsed.success) onName(parsed.data);
  };
  return (
    <form onSubmit={submit} className="max-w-md">
      <label className="block font-medium">
        {question}
        <input
          // The page asks nothing else.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={200}
          aria-describedby={id}
          aria-invalid={isRefused}
          className="mt-1 block h-8 w-full rounded-md border border-line bg-page px-2 font-normal"
        />
      </label>
      <p id={id} className="mt-1 mb-3 text-quiet">
        {isRefused
          ? 'Enter a name without control characters.'
          : `The name is stored with each ${storedWith}, and remembered in this browser.`}
      </p>
      <Button look="main" type="submit">
        Start
      </Button>
    </form>
  );
}
