import type { ReactNode } from 'react';
import type { ToolCall } from '../../../../src/schema/message.ts';
import { PlainText } from '../plain-text.tsx';
import { JsonText, LongText } from './long-text.tsx';

/** A tool call: its name and arguments, and what came back or was injected in its place. */
export function ToolCallBlock({ call, path }: { readonly call: ToolCall; readonly path: string }) {
  const { name, arguments: given, result, error, fault, withheld } = call;
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-text">
      <p className="wrap-anywhere">
        <span className="text-xs text-quiet">Tool </span>
        <span className="font-mono text-[13px] font-medium">
          <PlainText text={name} />
        </span>
      </p>
      <dl className="mt-1 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-2 gap-y-1">
        {given !== undefined && (
          <Part label="Arguments">
            <JsonText value={given} path={`${path}/arguments`} />
          </Part>
        )}
        {result !== undefined && (
          <Part label="Result">
            <JsonText value={result} path={`${path}/result`} />
          </Part>
        )}
        {error !== undefined && (
          <Part label="Error" isBad>
            <LongText text={error || '(no message)'} path={`${path}/error`} isCode />
          </Part>
        )}
        {(result ?? error) === undefined && <Part label="Result">nothing reported</Part>}
        {fault !== undefined && (
          <Part label="Fault">
            <PlainText text={fault} />, injected by Touchstone
          </Part>
        )}
        {withheld !== undefined && (
          <Part label="Withheld">
            <JsonText value={withheld} path={`${path}/withheld`} />
          </Part>
        )}
      </dl>
    </div>
  );
}

interface PartOptions {
  readonly label: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

function Part({ label, isBad = false, children }: PartOptions) {
  return (
    <>
      <dt className="text-xs leading-5 text-quiet">{label}</dt>
      <dd className={`min-w-0 ${isBad ? 'text-bad' : ''}`}>{children}</dd>
    </>
  );
}
