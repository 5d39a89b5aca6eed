const escapes =
  /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[bfnrt]|[^a-z0-9\s])|%(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3})|&(?:#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,6});/gi;

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  colon: ':',
  equals: '=',
  gt: '>',
  lowbar: '_',
  lt: '<',
  num: '#',
  period: '.',
  plus: '+',
  quot: '"',
  sol: '/',
};

/** Where each UTF-16 unit of a text without escapes stood in the text with them; `ends` are exclusive. */
export interface UnitPlaces {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** A text with the escapes of JSON, of URLs and of HTML undone, one layer of them, whichever stand where. */
export function undoEscapes(text: string): string {
  return /[\\%&]/.test(text) ? text.replaceAll(escapes, undo) : text;
}

/** Where the units of `undoEscapes(text)` stood in the text. */
export function findUnitPlaces(text: string): UnitPlaces {
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let units = 0;
  const add = (start: number, end: number) => {
    starts[units] = start;
    ends[units] = end;
    units += 1;
  };
  let place = 0;
  const addPlain = (end: number) => {
    for (; place < end; place += 1) add(place, place + 1);
  };
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    addPlain(index);
    place = index + escape.length;
    for (let left = undo(escape).length; left > 0; left -= 1) add(index, place);
  }
  addPlain(text.length);
  return { starts, ends };
}

function undo(escape: string): string {
  const [kind, letter = ''] = escape;
  if (kind === '%') return Buffer.from(escape.replaceAll('%', ''), 'hex').toString('utf8');
  if (kind === '&') return undoEntity(escape.slice(1, -1)) ?? escape;
  if (escape.length > 2) return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
  return controls[letter] ?? escape.slice(1);
}

function undoEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()];
  const isHex = /^#x/i.test(name);
  const point = isHex ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}
