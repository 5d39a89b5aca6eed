import { useRef } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { useActiveKeys, useKeys } from '../keys/use-keys.ts';

/** The button and the key that list all keys of the page. */
export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const bindings = useActiveKeys();
  const open = (): void => dialog.current?.showModal();
  useKeys([{ keys: '?', does: 'Show these keys', run: open }]);
  const shown = new Map(bindings.map((binding) => [binding.keys, binding.does]));
  return (
    <>
      <button
        type="button"
        onClick={open}
        className="rounded px-2 py-1 whitespace-nowrap text-quiet hover:bg-hover hover:text-text"
      >
        <span className="max-sm:sr-only">Keys</span> <Key name="?" />
      </button>
      <Dialog ref={dialog} title="Keys">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
          {[...shown].map(([keys, does]) => (
            <div key={keys} className="contents">
              <dt className="flex gap-1">
                {keys.split(' ').map((key) => (
                  <Key key={key} name={key} />
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 border-t border-line pt-3 text-quiet">
          <Key name="Tab" /> goes to everything else, arrows go along a row of links, <Key name="Enter" /> or{' '}
          <Key name="Space" /> does it.
        </p>
      </Dialog>
    </>
  );
}

function Key({ name }: { readonly name: string }) {
  return (
    <kbd className="inline-block min-w-5 rounded border border-line bg-surface px-1 text-center font-mono text-xs leading-5">
      {name}
    </kbd>
  );
}
