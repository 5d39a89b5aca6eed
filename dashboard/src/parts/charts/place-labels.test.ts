import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeLabels } from './place-labels.ts';

const area = { left: 52, right: 338, top: 20, bottom: 224 };

test('a name stands at the right of its point, and at the left where it would not fit', () => {
  const [first, last] = placeLabels(
    [
      { name: 'small', x: 60, y: 120 },
      { name: 'a long name', x: 320, y: 60 },
    ],
    area,
  );
  expect(first).toMatchObject({ text: 'small', anchor: 'start', x: 70 });
  expect(last).toMatchObject({ text: 'a long name', anchor: 'end', x: 310 });
});

test('names of points at the same place stand on lines of their own', () => {
  const points = ['a', 'b', 'c', 'd'].map((name) => ({ name, x: 200, y: 120 }));
  const labels = placeLabels(points, area);
  const places = labels.map(({ anchor, y }) => `${anchor} ${y}`);
  expect(new Set(places).size).toBe(4);
});

test('a name goes to another line at the side with room for it before it is cut', () => {
  const names = ['large, short', 'large, long', 'large, steps'];
  const labels = placeLabels(
    names.map((name) => ({ name, x: 320, y: 120 })),
    area,
  );
  expect(labels.map(({ text, anchor }) => [text, anchor])).toEqual(names.map((name) => [name, 'end']));
});

test('a name is cut where there is no room for it, and shows what cannot be seen in it', () => {
  const [long, hidden] = placeLabels(
    [
      { name: 'x'.repeat(200), x: 100, y: 60 },
      { name: 'exe\u202e.evil', x: 100, y: 180 },
    ],
    area,
  );
  expect(long?.text).toMatch(/^x{20,35}…$/);
  expect(hidden?.text).toBe('exeU+202E.evil');
});

test('no name leaves the area sideways', () => {
  const point = fc.record({
    name: fc.string({ maxLength: 80 }),
    x: fc.integer({ min: area.left + 40, max: area.right - 40 }),
    y: fc.integer({ min: area.top, max: area.bottom }),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 8 }), (points) => {
      for (const { text, x, anchor } of placeLabels(points, area)) {
        const end = anchor === 'start' ? x + text.length * 6.5 : x - text.length * 6.5;
        expect(end).toBeGreaterThanOrEqual(area.left - 0.001);
        expect(end).toBeLessThanOrEqual(area.right + 0.001);
      }
    }),
  );
});
