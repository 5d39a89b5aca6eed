import { isContainer } from '../../../core/lib/json/is-container.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';

/** A text in a reply, with its path: `choices[0].message.content`. */
export interface FoundText {
  readonly at: string;
  readonly text: string;
}

const mostTexts = 12;
const mostVisited = 1000;
const deepest = 12;

/** Returns the texts of a reply in JSON, longest first: an answer is longer than an id. */
export function textsIn(value: unknown): FoundText[] {
  const found: FoundText[] = [];
  const visit = (each: unknown, at: string, depth: number): void => {
    if (typeof each === 'string' && each.trim() !== '' && at !== '') found.push({ at, text: each });
    if (!isContainer(each) || depth > deepest || found.length > mostVisited) return;
    for (const [name, inner] of Object.entries(each))
      visit(inner, stepTo(at, name, Array.isArray(each)), depth + 1);
  };
  visit(value, '', 0);
  return found.toSorted((one, other) => other.text.length - one.text.length).slice(0, mostTexts);
}

function stepTo(at: string, name: string, isItem: boolean): string {
  if (isItem) return `${at}[${name}]`;
  if (/^[\w$-]+$/.test(name)) return at === '' ? name : `${at}.${name}`;
  return `${at}[${JSON.stringify(name)}]`;
}

const mostShown = 4;

/**
 * Returns where the texts of a reply are, as the end of a message; empty when there are none.
 * @param wanted - The path at which there was nothing: texts under the same name come first.
 */
export function adviceOnTexts(value: unknown, wanted = ''): string {
  const name = lastName(wanted);
  const texts = textsIn(value).toSorted(
    (one, other) => Number(lastName(other.at) === name) - Number(lastName(one.at) === name),
  );
  const [nearest, ...others] = texts.slice(0, mostShown);
  if (nearest === undefined) return '';
  const more = others.map(({ at }) => `\`${at}\``).join(', ');
  const shown = shorten(nearest.text.replaceAll(/\s+/g, ' '), 60);
  return ` The reply says "${shown}": if that is the answer, set \`answer: ${nearest.at}\`${more === '' ? '' : `; other texts are at ${more}`}.`;
}

function lastName(path: string): string {
  return /([^.[\]'"*]+)['"\]*[\d]*$/.exec(path)?.[1] ?? '';
}
