import { useState } from 'react';
import type { Reading, ReadConversation, ReadingMode } from '../../../../src/core/schema/modes/reading.ts';
import { useEditModes, useMarkModes } from '../../data/people/use-modes.ts';
import { type KeyBinding, useKeys } from '../../keys/use-keys.ts';
import { type Board, firstLine, nextAgain, nextUnnamed, stepFrom, toBoard } from './board.ts';
import type { OpenDialog } from './mode-dialogs.tsx';

/** The state of the page, and the actions on it. */
export interface BoardHandle {
  readonly board: Board;
  readonly chosen: ReadConversation | undefined;
  readonly active: ReadingMode | undefined;
  readonly open: OpenDialog | undefined;
  readonly error: unknown;
  readonly choose: (note: string | undefined) => void;
  readonly activate: (mode: string) => void;
  readonly show: (open: OpenDialog | undefined) => void;
  readonly mark: (note: string, mode: string, value: boolean | null) => void;
  /** Says no for the modes that are not marked, and goes on to the next conversation to look at again. */
  readonly noOthers: () => void;
  readonly edit: (
    edit: object,
    marked?: { readonly mode: string; readonly notes: readonly string[] },
  ) => void;
  readonly editError: unknown;
}

/** Returns what the page shows and does. */
export function useBoard(reading: Reading, person: string): BoardHandle {
  const board = toBoard(reading);
  const [note, setNote] = useState<string>();
  const [modeId, setMode] = useState<string>();
  const [open, setOpen] = useState<OpenDialog>();
  const marking = useMarkModes(person);
  const editing = useEditModes(person);
  const chosen = board.order.find((each) => each.note === note) ?? board.order[0];
  const active = reading.modes.find(({ id }) => id === modeId) ?? reading.modes[0];
  const mark: BoardHandle['mark'] = (of, mode, value) =>
    marking.mutate([{ note: of, modes: { [mode]: value } }]);
  return {
    board,
    chosen,
    active,
    open,
    error: marking.error,
    editError: editing.error,
    choose: setNote,
    activate: setMode,
    show: (next) => {
      editing.reset();
      setOpen(next);
    },
    mark,
    noOthers: () => {
      if (chosen === undefined) return;
      const open = reading.modes.filter(({ id }) => chosen.marks[id] === undefined);
      const next = nextAgain(board, chosen.note);
      if (open.length > 0)
        marking.mutate([{ note: chosen.note, modes: Object.fromEntries(open.map(({ id }) => [id, false])) }]);
      setNote(next === chosen.note ? chosen.note : (next ?? chosen.note));
    },
    edit: (edit, marked) =>
      editing.mutate(edit, {
        onSuccess: () => {
          setOpen(undefined);
          if (marked === undefined) return;
          setMode(marked.mode);
          // The note moves to its mode; the next one is still to be named.
          setNote(nextUnnamed(board, chosen?.note) ?? chosen?.note);
          marking.mutate(marked.notes.map((each) => ({ note: each, modes: { [marked.mode]: true } })));
        },
      }),
  };
}

/** Binds the keys of the page. */
export function useBoardKeys(handle: BoardHandle, modes: readonly ReadingMode[]): void {
  useKeys([...noteKeys(handle, modes), ...modeKeys(handle, modes)]);
}

function noteKeys(
  { board, chosen, choose, mark, noOthers }: BoardHandle,
  modes: readonly ReadingMode[],
): KeyBinding[] {
  const step = (by: number) => () => choose(stepFrom(board.order, chosen?.note, by));
  const digits = modes.slice(0, 9).map(
    ({ id, name }, index): KeyBinding => ({
      keys: String(index + 1),
      does: `Put the note into ${name}, or take it out`,
      run: () => chosen && mark(chosen.note, id, chosen.marks[id] === true ? null : true),
    }),
  );
  return [
    { keys: 'ArrowDown', does: 'Go to the next note', run: step(1) },
    { keys: 'ArrowUp', does: 'Go to the previous note', run: step(-1) },
    ...digits,
    { keys: '0', does: 'It has none of the other modes; go on to the next to look at again', run: noOthers },
    {
      keys: 'q',
      does: 'Go to the next conversation to look at again',
      run: () => choose(nextAgain(board, chosen?.note) ?? chosen?.note),
    },
  ];
}

function modeKeys(
  { chosen, active, activate, show, edit }: BoardHandle,
  modes: readonly ReadingMode[],
): KeyBinding[] {
  const step = (by: number) => () => {
    const at = modes.findIndex(({ id }) => id === active?.id);
    const next = modes[Math.min(Math.max(at + by, 0), modes.length - 1)];
    if (next !== undefined) activate(next.id);
  };
  const about = (type: 'define' | 'merge' | 'split') => () => active && show({ type, mode: active });
  return [
    {
      keys: 'n',
      does: 'Make a new mode of the note',
      run: () =>
        show({
          type: 'new',
          name: firstLine(chosen?.text ?? '').slice(0, 60),
          definition: '',
          notes: chosen === undefined ? [] : [chosen.note],
        }),
    },
    { keys: 'ArrowRight', does: 'Go to the next mode', run: step(1) },
    { keys: 'ArrowLeft', does: 'Go to the previous mode', run: step(-1) },
    { keys: 'e', does: 'Change the definition of the mode', run: about('define') },
    { keys: 'm', does: 'Merge the mode into another one', run: about('merge') },
    { keys: 'x', does: 'Split the mode', run: about('split') },
    {
      keys: 'u',
      does: 'Take the last change of the mode back',
      run: () => active && edit({ type: 'undo', id: active.id }),
    },
  ];
}
