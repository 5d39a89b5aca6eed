import { eastAsianWidth } from 'get-east-asian-width';
import { lazily } from './lazily.ts';

/** Text of one column a character, told without the cost of segmenting: ASCII, western European letters, our own signs. */
const narrow = /^[ -~\u00a1-\u00ac\u00ae-\u00ff–…−→≤≥─│●○·█▁-▇✓✗⏎]*$/;

const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));
const hidden = String.raw`\p{Default_Ignorable_Code_Point}\p{Control}\p{Mark}\p{Surrogate}`;
const hiddenOnly = lazily(() => new RegExp(`^[${hidden}]+$`, 'v'));
const hiddenFirst = lazily(() => new RegExp(String.raw`^[${hidden}\p{Format}]+`, 'v'));
const emoji = lazily(() => /^\p{RGI_Emoji}$/v);

/** What a reader takes for the characters of a text. */
export function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of segmenter().segment(text)) yield segment;
}

/** Columns that safe text (see `toTerminalText`) takes in a terminal; wide characters and emoji take two. */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += widthOf(grapheme);
  return width;
}

/** As `string-width` counts, which is too slow to load for every command. */
function widthOf(grapheme: string): number {
  if (hiddenOnly().test(grapheme)) return 0;
  if (emoji().test(grapheme)) return 2;
  const [first = '', ...rest] = grapheme.replace(hiddenFirst(), '');
  const halfwidthMarks = rest.filter((character) => character >= '\uff00' && character <= '\uffef');
  return [first, ...halfwidthMarks].reduce((sum, character) => sum + columnsOf(character), 0);
}

function columnsOf(character: string): number {
  return eastAsianWidth(character.codePointAt(0) ?? 0);
}
