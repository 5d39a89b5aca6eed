import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { anyAliases, boundedYaml } from './bounded-yaml.ts';

const read = (text: string) => boundedYaml(parseDocument(text, { merge: true }).toJS(anyAliases) as unknown);

test('an anchor may be used any number of times', () => {
  const uses = Array.from({ length: 5000 }, () => '- *a');
  expect(read(`- &a { tone: polite, tags: [x, y] }\n${uses.join('\n')}\n`)).toHaveLength(5001);
  const merged = Array.from({ length: 300 }, (_, index) => `- { <<: *b, id: ${index} }`);
  expect(read(`- &b { tone: polite }\n${merged.join('\n')}\n`)).toContainEqual({ tone: 'polite', id: 299 });
});

test('anchors that multiply are refused, without writing them out', () => {
  const levels = Array.from(
    { length: 20 },
    (_, level) =>
      `l${level + 1}: &l${level + 1} [${Array.from({ length: 10 }, () => `*l${level}`).join(', ')}]`,
  );
  expect(() => read(`l0: &l0 [x]\n${levels.join('\n')}\n`)).toThrow('more than 5 million values');
});

test('a value that contains itself is refused', () => {
  const loop: unknown[] = [];
  loop.push(loop);
  expect(() => boundedYaml(loop)).toThrow('more than 5 million values');
});
