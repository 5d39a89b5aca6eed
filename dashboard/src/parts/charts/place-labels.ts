import { markHidden } from '../../../../src/core/lib/text/hidden-characters.ts';
import { firstUnits } from '../../../../src/core/lib/text/terminal-text.ts';

/** A point of a drawing that has a name, in pixels. */
export interface NamedPoint {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** The place for the name of a point: `x` is its end at the side of the point, `y` its base line. */
export interface PlacedLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
}

/** The part of a drawing in which names may stand, in pixels. */
export interface LabelArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Box extends LabelArea {}

/** The sizes of texts of 11 px: a character is at most about as wide in the fonts of systems. */
const size = { character: 6.5, line: 13, gap: 10, radius: 6 };

/** The lines above and below a point that are tried, the nearest first. */
const rows = [-0.6, 1.4, -1.6, 2.4, -2.6, 3.4, -3.6, 4.4];

/**
 * Places the names of points at their right or left so that none leaves the area, and none lies over another or over a point
 * where there is room. A whole name goes farther away before it is cut; names that are too long everywhere are cut, and characters that cannot be seen are shown by their code points.
 */
export function placeLabels(points: readonly NamedPoint[], area: LabelArea): PlacedLabel[] {
  const taken: Box[] = points.map(({ x, y }) => boxAround(x - size.radius, x + size.radius, y));
  return points.map(({ name, ...place }) => {
    const point = { name: markHidden(name), ...place };
    const candidates = rows.flatMap((row) => labelsInRow(point, row, area));
    const fitting = candidates.filter(({ box }) => box.top >= area.top && box.bottom <= area.bottom);
    const free = fitting.filter(({ box }) => !taken.some((other) => overlaps(box, other)));
    const whole = free.find(({ label: { text } }) => text === point.name);
    const { label, box } = whole ?? free[0] ?? fitting[0] ?? labelAt(point, 'start', { row: 0, area });
    taken.push(box);
    return label;
  });
}

/** Returns the labels of a point at its right and at its left, first where there is more room. */
function labelsInRow(point: NamedPoint, row: number, area: LabelArea) {
  const text = point.name;
  return (['start', 'end'] as const)
    .toSorted((one, other) => shown(text, roomAt(point, other, area)) - shown(text, roomAt(point, one, area)))
    .map((anchor) => labelAt(point, anchor, { row, area }));
}

type Anchor = PlacedLabel['anchor'];

function roomAt({ x }: Pick<NamedPoint, 'x'>, anchor: Anchor, { left, right }: LabelArea): number {
  return (anchor === 'start' ? right - x : x - left) - size.gap;
}

/** Returns the label of a point at one of its sides, and the box that it takes. */
function labelAt(point: NamedPoint, anchor: Anchor, { row, area }: { row: number; area: LabelArea }) {
  const text = cutTo(point.name, roomAt(point, anchor, area));
  const base = point.y + row * size.line;
  const direction = anchor === 'start' ? 1 : -1;
  const from = point.x + direction * size.gap;
  const to = from + direction * widthOf(text);
  const box = { left: Math.min(from, to), right: Math.max(from, to), top: base - 10, bottom: base + 3 };
  return { label: { text, x: from, y: base, anchor } satisfies PlacedLabel, box };
}

/** Returns the width of a text, at most the width of the room: sides with room for the whole text are equal. */
function shown(text: string, room: number): number {
  return Math.min(room, widthOf(text));
}

function cutTo(text: string, room: number): string {
  const most = Math.max(4, Math.floor(room / size.character));
  return text.length <= most ? text : `${firstUnits(text, most - 1)}…`;
}

function widthOf(text: string): number {
  return text.length * size.character;
}

function boxAround(left: number, right: number, middle: number): Box {
  return { left, right, top: middle - size.radius, bottom: middle + size.radius };
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
