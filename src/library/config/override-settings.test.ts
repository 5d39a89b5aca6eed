import { expect, test } from 'vitest';
import { rememberedDefinition } from '../../core/lib/define.ts';
import { module } from '../../evaluate/targets/module.ts';
import { overrideSettings, parseOverride, settingPath } from './arms/load-arms.ts';

const config = {
  dataset: 'golden.jsonl',
  targets: [
    { use: 'module', name: 'bot', path: 'bot.ts', with: { topK: 4, tools: ['find'] } },
    { use: 'http', url: 'http://127.0.0.1' },
  ],
};

const set = (...texts: readonly string[]) => overrideSettings(config, texts.map(parseOverride));

test('a value is parsed as JSON if possible, else it is the text', () => {
  expect(parseOverride('a.b=8').value).toBe(8);
  expect(parseOverride('a.b="8"').value).toBe('8');
  expect(parseOverride('a.b=["find","ask"]').value).toEqual(['find', 'ask']);
  expect(parseOverride('a.b=null').value).toBeNull();
  expect(parseOverride('a.b=Answer as in x = y.\nBe short.').value).toBe('Answer as in x = y.\nBe short.');
  expect(parseOverride('a.b=').value).toBe('');
});

test.each(['a.b', '=5', '', '..=5'])('%j is refused, since it lacks a setting or a value', (text) => {
  expect(() => parseOverride(text)).toThrow(/expected a setting and its value/);
});

test('a setting is replaced or added; all others stay', () => {
  expect(set('targets.0.with.topK=8')).toEqual({
    ...config,
    targets: [{ ...config.targets[0], with: { topK: 8, tools: ['find'] } }, config.targets[1]],
  });
  expect(set('targets.1.headers.x-variant=b')).toMatchObject({
    targets: [{}, { url: 'http://127.0.0.1', headers: { 'x-variant': 'b' } }],
  });
  expect(set('targets[0].with.tools[0]=ask')).toMatchObject({ targets: [{ with: { tools: ['ask'] } }, {}] });
});

test('the original config is not changed', () => {
  const before = structuredClone(config);
  set('targets.0.with.topK=8', 'dataset=other.jsonl', 'targets.0.with.tools=[]');
  expect(config).toEqual(before);
});

test('a list item is addressed by its index, its name, or its `use`', () => {
  const byName = set('targets.bot.with.topK=8');
  expect(byName).toEqual(set('targets.0.with.topK=8'));
  expect(set('targets.http.url=http://localhost')).toEqual(set('targets.1.url=http://localhost'));
  expect(settingPath(config, 'targets.http.url')).toEqual(['targets', 1, 'url']);
});

test('several settings are replaced in order', () => {
  expect(set('targets.0.with={"a":1}', 'targets.0.with.b=2')).toMatchObject({
    targets: [{ with: { a: 1, b: 2 } }, {}],
  });
});

test('a path that leads nowhere is refused with the existing names', () => {
  expect(() => set('targets.bott.path=x')).toThrow('there is no "bott" in targets. Did you mean "bot"?');
  expect(() => set('targets.2.path=x')).toThrow('there is no "2" in targets.');
  expect(() => set('dataset.path=x')).toThrow(
    'dataset is the text "golden.jsonl", which has no settings inside.',
  );
});

test('a value made by a factory keeps its definition', () => {
  const use = module({ path: 'bot.ts' });
  const overridden = overrideSettings({ targets: [use] }, [parseOverride('targets.0.path=other.ts')]);
  const { targets } = overridden as { targets: [object] };
  expect(targets[0]).toEqual({ use: 'module', path: 'other.ts' });
  expect(rememberedDefinition(targets[0])).toBe(rememberedDefinition(use));
});

test('a setting with the name of an object property is a setting like any other', () => {
  const overridden = overrideSettings({}, [parseOverride('__proto__.polluted=1')]);
  expect(Object.hasOwn(overridden as object, '__proto__')).toBe(true);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
