import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { escapeGlob } from '../../../../src/core/lib/compile-glob.ts';
import { findField, type Vocabulary, vocabularyOf } from '../../../../src/core/lib/filter/fields.ts';
import { formatName, formatValue } from '../../../../src/core/lib/filter/format-filter.ts';
import { findUnfinished, suggestFields, type Unfinished } from '../../../../src/core/lib/filter/suggest.ts';
import type { FieldValueList } from '../../../../src/core/schema/api/trial-facets.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { useFieldValues } from '../../data/use-trials.ts';
import { PlainText } from '../../parts/plain-text.tsx';

/** The words of the filters that are typed in a field. */
export interface FilterWords {
  readonly run: string;
  readonly vocabulary: Vocabulary;
}

/** Returns the words of the filters of a run: the same ones as long as its metrics are the same. */
export function useFilterWords({ id, metrics }: RunView['run']): FilterWords {
  return useMemo(() => {
    const names = metrics.map(({ name }) => name);
    return { run: id, vocabulary: vocabularyOf('trial', names) };
  }, [id, metrics]);
}

/** A text that can be put in the place of what is typed. */
interface Suggestion {
  readonly label: string;
  /** The number of trials with the value. */
  readonly trials?: number;
  /** The whole text with it, and the place of the caret behind it. */
  readonly text: string;
  readonly caret: number;
  /** True for a value, with which a term is finished. */
  readonly isValue: boolean;
}

const most = 8;

interface TypedText {
  readonly text: string;
  readonly caret: number;
}

/** Keeps the suggestions for a text that is typed, and the one that is marked; none without the words of filters. */
export function useSuggestions(
  words: FilterWords | undefined,
  { text, caret }: TypedText,
  onPick: (picked: Suggestion) => void,
) {
  const id = useId();
  const [isWanted, setWanted] = useState(false);
  const [marked, setMarked] = useState(-1);
  const unfinished = useMemo(
    () => (words === undefined || !isWanted ? undefined : findUnfinished(text, caret, words.vocabulary)),
    [words, isWanted, text, caret],
  );
  const asked = unfinished === undefined ? undefined : askedField(unfinished);
  const { data, isPlaceholderData } = useFieldValues(words?.run ?? '', {
    field: asked,
    text: unfinished?.typed ?? '',
  });
  const suggestions = useMemo(
    () =>
      words === undefined || unfinished === undefined
        ? []
        : listSuggestions(text, { unfinished, words, values: data?.values ?? [] }),
    [words, unfinished, text, data],
  );
  const isOpen = suggestions.length > 0 && !(isPlaceholderData && asked !== undefined);
  const active = Math.min(marked, suggestions.length - 1);
  const close = (): void => {
    setWanted(false);
    setMarked(-1);
  };
  const pick = (suggestion: Suggestion): void => {
    setMarked(-1);
    setWanted(!suggestion.isValue);
    onPick(suggestion);
  };
  /** Answers the keys of the list; returns whether a key was one of them. */
  const onKeyDown = ({ key }: KeyboardEvent): boolean => {
    if (words === undefined) return false;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      setWanted(true);
      const step = key === 'ArrowDown' ? 1 : -1;
      const count = suggestions.length + 1;
      if (isOpen) setMarked(((active + 1 + step + count) % count) - 1);
      return true;
    }
    if (key !== 'Escape' && key !== 'Enter') return false;
    const chosen = isOpen ? suggestions[active] : undefined;
    if (key === 'Enter' && chosen !== undefined) pick(chosen);
    // Also a list that is still to come.
    else close();
    // Without a suggestion that is marked, Enter applies what is typed.
    return key === 'Escape' ? isOpen : chosen !== undefined;
  };
  return {
    isOpen,
    id,
    suggestions,
    active,
    pick,
    onKeyDown,
    close,
    /** Opens the list, since something was typed. */
    onType: (): void => {
      setWanted(true);
      setMarked(-1);
    },
  };
}

/** Returns the field whose values the server lists; undefined for names, for few fixed values and for numbers. */
function askedField({ field }: Unfinished): string | undefined {
  const isListed = field?.values === undefined && (field?.type !== 'number' || field.name === 'turns');
  return isListed ? field?.name : undefined;
}

interface SuggestionSource {
  readonly unfinished: Unfinished;
  readonly words: FilterWords;
  /** The values of the field whose value is typed. */
  readonly values: FieldValueList['values'];
}

/** Lists the texts that may stand in the place of the unfinished part of a filter. */
function listSuggestions(text: string, { unfinished, words, values }: SuggestionSource): Suggestion[] {
  const { from, to, typed, field } = unfinished;
  const put = (label: string, inserted: string, isValue: boolean): Suggestion => {
    const whole = text.slice(0, from) + inserted + text.slice(to);
    return { label, isValue, text: whole, caret: from + inserted.length };
  };
  if (field === undefined) {
    return suggestFields(typed, words.vocabulary, most).map((name) => {
      const operator = findField(name, words.vocabulary)?.field.type === 'number' ? '<' : '=';
      return put(name, `${formatName(name)}${operator}`, false);
    });
  }
  const valueOf = (value: string) => put(value, formatValue(escapeGlob(value)), true);
  if (field.values !== undefined) {
    const fitting = field.values.filter((value) => value.toLowerCase().includes(typed.toLowerCase()));
    return fitting.slice(0, most).map(valueOf);
  }
  return values.slice(0, most).map(({ value, trials }) => ({ ...valueOf(value), trials }));
}

/** The list of suggestions under the field; its options are picked by a click, or by the keys of the field. */
export function SuggestionList({ list }: { readonly list: ReturnType<typeof useSuggestions> }) {
  if (!list.isOpen) return null;
  return (
    <ul
      id={list.id}
      role="listbox"
      aria-label="Suggestions"
      className="absolute inset-x-0 top-full z-3 mt-1 overflow-hidden rounded-lg border border-line bg-page py-1 shadow-lg"
    >
      {list.suggestions.map((suggestion, index) => (
        <li
          key={suggestion.text}
          id={`${list.id}-${index}`}
          role="option"
          aria-selected={index === list.active}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            list.pick(suggestion);
          }}
          className="flex min-h-7 cursor-pointer items-center gap-3 px-3 font-mono text-[13px] hover:bg-hover aria-selected:bg-accent-soft"
        >
          <span className="min-w-0 flex-1 truncate">
            <PlainText text={suggestion.label} />
          </span>
          {suggestion.trials !== undefined && (
            <span className="text-quiet">{formatCount(suggestion.trials)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
