import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { isReleaseTested } from './is-release-tested.ts';

/** The script of axe in the form that a browser reads fastest. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Without what axe would take most of its time for: a list of what passes, the selectors of what it finds, and reading the style sheets
 * once more, which no rule needs that it applies to these pages.
 */
const failuresOnly: RunOptions = { resultTypes: ['violations'], preload: false, selectors: false };

/** The rules that depend on colours, which take most of the time. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** The size of what one presses or taps: 24 pixels, or that much room around it. */
const ofSizes = { 'target-size': { enabled: true } };

/** All rules; all except for colours; the size of what is pressed; and the rules for colours. */
const looks = {
  page: {
    ...failuresOnly,
    rules: {
      ...Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }])),
      ...ofSizes,
    },
  },
  targets: { ...failuresOnly, runOnly: { type: 'rule', values: ['target-size'] } },
  all: { ...failuresOnly, rules: ofSizes },
  colours: { ...failuresOnly, runOnly: { type: 'rule', values: ofColours } },
} satisfies Record<string, RunOptions>;

/** A list is as its first rows are: to look at sixty more takes most of the time. */
const exclude = [['[role=row]:nth-child(n+13)'], ['tr:nth-child(n+13)'], ['li:nth-child(n+13)']];

/** The pages that axe has looked at as a whole, each in a width. */
const lookedAt = new Set<string>();

/**
 * The kinds of elements in which axe has found nothing. The structure of an element is what a rule can depend on: its name, role and attributes,
 * whether it has a text, of what a list or a table consists, in what it lies, and the classes and the width of what is pressed or scrolls. The
 * colours of a text are the computed ones, with its size and all that lies behind it, in each scheme.
 */
const fine = { structures: new Set<string>(), colours: new Set<string>() };

/** Lists the kinds of all visible elements, and keeps the first element of each for {@link look}. */
const survey = `(() => {
  const structures = new Map(), colours = new Map();
  const attributeOf = ({ name, value }) => {
    if (/^(id|class|style|data-.*)$/.test(name)) return [];
    if (/^aria-(labelledby|describedby|controls|owns)$/.test(name))
      return name + value.split(' ').every((id) => document.getElementById(id) !== null);
    return name + (/^(role|type|scope|lang|dir|tabindex|aria-(?!label).*)$/.test(name) && !/[0-9]{2}/.test(value) ? value : value.trim() !== '');
  };
  const contentOf = (element) => [...new Set(Array.from(element.children, (each) => each.localName + each.getAttribute('role')))].sort();
  const isClear = (colour) => /, 0\\)$|\\/ 0\\)$|^transparent$/.test(colour);
  const isOpaque = (colour) => !isClear(colour) && !/^rgba|\\//.test(colour);
  const visit = (element, path, behind) => {
    if (!element.checkVisibility()) return;
    const { localName, attributes, classList, textContent } = element;
    const role = element.getAttribute('role');
    const style = getComputedStyle(element);
    const { color, backgroundColor, backgroundImage, opacity, position, textDecorationLine, fontSize, fontWeight } = style;
    const lies = /^(absolute|fixed|sticky)$/.test(position) ? [...classList].join('.') : '';
    const own = [isClear(backgroundColor) ? '' : backgroundColor, backgroundImage, opacity, lies].join();
    const under = isOpaque(backgroundColor) && opacity === '1' && lies === '' ? own : own === ',none,1,' ? behind : behind + own;
    if (element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
      const isPressed = /^(a|button|input|select|textarea|summary)$/.test(localName) || element.hasAttribute('tabindex');
      const hasContent = role !== null || /^(ul|ol|dl|table|thead|tbody|tr|label|button|a)$/.test(localName);
      const structure = [path, localName, textContent.trim() !== '', ...Array.from(attributes).flatMap(attributeOf).sort(),
        hasContent && contentOf(element), isPressed || /overflow/.test(classList.value) ? innerWidth + classList.value : ''].join(' ');
      if (!structures.has(structure)) structures.set(structure, element);
      const isText = localName === 'input' ||
        Array.from(element.childNodes).some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
      const around = localName === 'a' ? getComputedStyle(element.parentElement).color : '';
      const colour = [color, textDecorationLine, parseFloat(fontSize), fontWeight, around, under].join();
      if (isText && !colours.has(colour)) colours.set(colour, element);
    }
    const isPlain = role === null && /^(div|span|p|bdi|g)$/.test(localName) && element.ariaHidden === null;
    const next = isPlain ? path : path + '>' + localName + (role ?? '') + (element.ariaHidden ?? '');
    for (const child of element.children) visit(child, next, under);
  };
  visit(document.body, '', '');
  window.surveyed = { structures, colours };
  return { structures: [...structures.keys()], colours: [...colours.keys()] };
})()`;

/** Remembers kinds in which axe has found nothing. */
function remember(kinds: Kinds): void {
  for (const part of ['structures', 'colours'] as const)
    for (const kind of kinds[part] ?? []) fine[part].add(kind);
}

type Kinds = Partial<Record<keyof typeof fine, readonly string[]>>;

/** Returns the kinds of elements on a page, as it is now, that no page had before without a barrier. */
async function newKinds(page: Page): Promise<Required<Kinds>> {
  const { structures, colours } = await page.evaluate<Required<Kinds>>(survey);
  return {
    structures: structures.filter((kind) => !fine.structures.has(kind)),
    colours: colours.filter((kind) => !fine.colours.has(kind)),
  };
}

/**
 * Lists what axe finds wrong with the accessibility of a page; in the dark scheme only what depends on colours. The first state of a page is looked
 * at as a whole, and of each further one, such as an open dialog, the elements of kinds that no page had before. Of a list, its first rows are looked
 * at. The dark scheme, and further states of a page, are looked at before a release only.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  const name = `${page.viewportSize()?.width} ${nameOf(new URL(page.url()))}`;
  const isFirst = !lookedAt.has(name);
  if (!isReleaseTested && !isFirst) return [];
  lookedAt.add(name);
  // What the bar at the top lies over is no small target.
  await page.evaluate('scrollTo(0, 0)');
  await page.emulateMedia({ colorScheme: 'light' });
  const kinds = await newKinds(page);
  // A few elements are looked at with their colours; a whole page without, and then one element for each colour.
  const found = await look(page, isFirst ? 'page' : 'all', isFirst ? undefined : kinds);
  if (isFirst) found.push(...(await look(page, 'colours', { colours: kinds.colours })));
  if (found.length === 0) remember(kinds);
  if (!isReleaseTested) return found;
  await page.emulateMedia({ colorScheme: 'dark' });
  const { colours } = await newKinds(page);
  const faint = await look(page, 'colours', { colours });
  if (faint.length === 0) remember({ colours });
  return [...found, ...faint];
}

/** Lists what is smaller on a page, as wide as it is now, than the 24 pixels that a finger needs, without room around it. */
export async function findSmallTargets(page: Page): Promise<string[]> {
  return await look(page, 'targets');
}

/** Returns the page that an address is about, whatever run, question or other record it shows. */
function nameOf({ protocol, pathname }: URL): string {
  return protocol === 'file:'
    ? pathname.replace(/.*\//, '')
    : pathname.replaceAll(/(?<=\/(?:runs|cases|datasets|judges|reviews|traces)\/)[^/]+/g, '*');
}

/** Lists what axe finds on a page, or on its elements of the given kinds. */
async function look(page: Page, what: keyof typeof looks, kinds?: Kinds): Promise<string[]> {
  const chosen = Object.entries(kinds ?? {}).flatMap(([part, names]) => names.map((name) => [part, name]));
  if (kinds !== undefined && chosen.length === 0) return [];
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const include = `include: ${JSON.stringify(chosen)}.map(([part, name]) => window.surveyed[part].get(name))`;
  const context = `{ exclude: ${JSON.stringify(exclude)}, ${kinds === undefined ? '' : include} }`;
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${context}, ${JSON.stringify(looks[what])}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
