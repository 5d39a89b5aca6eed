import { lazily } from '../../lib/lazily.ts';
import { type CalendarDate, type DateStyle, findDates } from '../values/find-dates.ts';
import { findLinks } from './find-links.ts';
import { findTimes } from './find-times.ts';
import { foldWords } from './fold-words.ts';
import { readNumbers } from './read-numbers.ts';

/** A number that a text states, by its value. */
export interface StatedNumber {
  readonly value: number;
  readonly isPercent: boolean;
}

/** What is known of a text that facts are looked up in. What takes long is worked out when it is first asked for. */
export interface Source {
  readonly text: string;
  /** Its folded words in order. */
  readonly folded: string;
  /** The same as a set. */
  readonly words: ReadonlySet<string>;
  readonly dates: () => readonly CalendarDate[];
  /** By both decimal marks, each once. */
  readonly numbers: () => readonly StatedNumber[];
  /** The addresses of its links, folded. */
  readonly links: () => ReadonlySet<string>;
  /** Minutes since midnight. */
  readonly times: () => readonly number[];
}

/** Makes a reader of texts that reads none twice, for several look-ups in the same texts. */
export function createSourceReader(style: DateStyle): (text: string) => Source {
  const known = new Map<string, Source>();
  return (text) => {
    const source = known.get(text) ?? readSource(text, style);
    known.set(text, source);
    return source;
  };
}

function readSource(text: string, style: DateStyle): Source {
  const folded = foldWords(text);
  return {
    text,
    folded,
    words: new Set(folded.split(' ')),
    dates: lazily(() => findDates(text, style).flatMap(({ readings }) => readings)),
    numbers: lazily(() => distinctNumbers(text)),
    links: lazily(() => new Set(findLinks(text).map(({ address }) => address))),
    times: lazily(() => findTimes(text).flatMap(({ readings }) => readings)),
  };
}

function distinctNumbers(text: string): StatedNumber[] {
  const plain = new Set<number>();
  const percents = new Set<number>();
  for (const { readings } of readNumbers(text)) {
    for (const { value, isPercent } of readings.flat()) (isPercent ? percents : plain).add(value);
  }
  return [
    ...Array.from(plain, (value) => ({ value, isPercent: false })),
    ...Array.from(percents, (value) => ({ value, isPercent: true })),
  ];
}
