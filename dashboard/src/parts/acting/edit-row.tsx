import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { z } from 'zod';
import { diffTokens } from '../../../../src/look/report/comparison/word-difference.ts';
import {
  type RowEdit,
  type RowField,
  type RowView,
  rowViewSchema,
} from '../../../../src/core/schema/api/acting/row.ts';
import { useData } from '../../data/data-source.ts';
import { useRights } from '../../data/use-rights.ts';
import { focusOnce } from '../../keys/focus.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { ErrorPanel } from '../error-panel.tsx';
import { PlainText } from '../plain-text.tsx';
import { Skeleton } from '../skeleton.tsx';
import { WordDiff } from '../word-diff.tsx';
import { AskPlan, askAgainTitle } from './ask-again.tsx';

/** A question that is edited in its file. */
export interface EditedRow {
  readonly run: string;
  /** The id of the question. */
  readonly id: string;
  /** The targets that are asked again once it is written. */
  readonly targets: readonly string[];
}

interface EditRowDialogOptions {
  readonly row: EditedRow;
  /** Called with the id of the question once it is written. */
  readonly onWritten?: (id: string) => void;
  readonly onClose?: () => void;
}

/**
 * The dialog that edits a question in its file: the row there, and no other byte. It opens when it is mounted. Once the row is written,
 * it offers to ask the question again, where runs can be begun.
 */
export function EditRowDialog({ row: { run, id, targets }, onWritten, onClose }: EditRowDialogOptions) {
  const dialog = useRef<HTMLDialogElement>(null);
  const path = `/runs/${encodeURIComponent(run)}/rows/${encodeURIComponent(id)}`;
  const { mutate: read, data, error } = useReadRow(path);
  const [written, setWritten] = useState<{ readonly place: string; readonly id: string }>();
  const { canAsk } = useRights();
  useEffect(() => {
    dialog.current?.showModal();
    read();
  }, [read]);
  const asked = { ids: [written?.id ?? id], targets };
  return (
    <Dialog
      ref={dialog}
      onClose={onClose}
      title={written === undefined || !canAsk ? 'Edit the question' : askAgainTitle(asked)}
    >
      {written !== undefined ? (
        <div className="space-y-4">
          <p role="status" className="text-good">
            <span aria-hidden>✓ </span>
            <PlainText text={written.place} /> is written. The answers are to the question as it was: ask
            again.
          </p>
          {canAsk && <AskPlan run={run} asked={asked} />}
        </div>
      ) : error !== null ? (
        <ErrorPanel error={error} onRetry={() => read()} />
      ) : data === undefined ? (
        <Skeleton />
      ) : (
        <RowForm
          key={data.version}
          path={path}
          row={data}
          onWritten={(now) => {
            setWritten({ place: `${data.file}:${data.line}`, id: now });
            onWritten?.(now);
          }}
        />
      )}
    </Dialog>
  );
}

interface RowFormOptions {
  readonly path: string;
  readonly row: RowView;
  readonly onWritten: (id: string) => void;
}

const field = 'mt-1 block w-full rounded-md border border-line bg-page px-2 py-1';

/** The fields of a row, its text, the change, and the button that writes it. */
function RowForm({ path, row, onWritten }: RowFormOptions) {
  const help = useId();
  const [draft, setDraft] = useState<RowDraft>({ text: row.text, fields: row.fields });
  const { mutate, error, isPending } = useWriteRow(path);
  const isChanged = draft.text !== row.text;
  // What is expected is corrected most.
  const first = expectationField(row);
  const edit = (edited: RowField, value: string) => setDraft(replaceField(draft, edited, value));
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ text: draft.text, version: row.version }, { onSuccess: onWritten });
      }}
    >
      {row.hasChanged && (
        <p className="text-unsure">
          The question is no longer what this run asked: it has been edited since.
        </p>
      )}
      {draft.fields.map((each) => (
        <label key={each.name} className="block">
          <PlainText text={each.name} className="text-xs text-quiet" />
          <textarea
            rows={Math.min(6, Math.max(1, Math.ceil(each.value.length / 60)))}
            value={each.value}
            aria-label={each.name}
            dir="auto"
            ref={each.name === first?.name ? focusOnce : undefined}
            onChange={({ target }) => edit(each, target.value)}
            className={field}
          />
        </label>
      ))}
      <label className="block">
        <span className="text-xs text-quiet">As it is in the file</span>
        <textarea
          rows={Math.min(12, Math.max(3, Math.ceil(draft.text.length / 60)))}
          value={draft.text}
          aria-label="As it is in the file"
          ref={first === undefined ? focusOnce : undefined}
          spellCheck={false}
          aria-describedby={help}
          onChange={({ target }) => setDraft({ text: target.value, fields: [] })}
          className={`${field} font-mono text-xs`}
        />
        <span id={help} className="text-quiet">
          Only this is written; every other byte of the file stays as it is.
        </span>
      </label>
      {isChanged && (
        <div className="rounded-md bg-surface px-3 py-2 font-mono text-xs">
          <WordDiff pieces={diffTokens(row.text, draft.text)} />
        </div>
      )}
      <ErrorPanel error={error} />
      <Button type="submit" look="main" disabled={!isChanged || isPending}>
        Write <PlainText text={`${row.file}:${row.line}`} />
      </Button>
    </form>
  );
}

/** Returns the mutation that reads the row as it is in its file now. */
function useReadRow(path: string) {
  const source = useData();
  return useMutation({ mutationFn: async () => rowViewSchema.parse(await source.get(path)) });
}

/** Returns the mutation that writes the row, and answers the id of the question. */
function useWriteRow(path: string) {
  const { send } = useData();
  return useMutation({
    mutationFn: async (edit: RowEdit) =>
      z.object({ id: z.string() }).parse(await send?.('PUT', path, edit)).id,
  });
}

/** A row that is being edited: its text, and the fields that stand in it. */
export interface RowDraft {
  readonly text: string;
  readonly fields: readonly RowField[];
}

/** Returns a row with another value of a field, written as the file needs it. Everything else of its text stays. */
export function replaceField({ text, fields }: RowDraft, edited: RowField, value: string): RowDraft {
  const written =
    edited.form === 'quoted' ? JSON.stringify(value) : writeCell(value, edited.delimiter ?? ',');
  const change = written.length - (edited.to - edited.from);
  return {
    text: text.slice(0, edited.from) + written + text.slice(edited.to),
    fields: fields.map((each) => {
      if (each.name === edited.name) return { ...each, value, to: each.to + change };
      return each.from < edited.from ? each : { ...each, from: each.from + change, to: each.to + change };
    }),
  };
}

/** Writes a cell of a table, in quotation marks where it needs them (RFC 4180). */
function writeCell(value: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(value) && !value.includes(delimiter) && value.trim() === value;
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}

/** The names of what a question expects: `expected_answer`, `expected_keywords`, `expected`. */
const expectation = /^expected/i;

/** Returns the first field that says what is expected; undefined where none is a text of its own. */
function expectationField({ fields }: RowDraft): RowField | undefined {
  return fields.find(({ name }) => expectation.test(name));
}
