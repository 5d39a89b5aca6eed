import type { Json } from '../../../../core/schema/json.ts';

/** The steps of a chain that begins with the answer: a method without arguments, a piece of a split text, a member. */
const link =
  /^(?:\.(trim|toLowerCase|toUpperCase)\(\)|\.split\((?:'((?:[^'\\]|\\[nt'"\\])+)'|"((?:[^"\\]|\\[nt'"\\])+)")\)(?:\[(\d+)\]|\.at\((-?\d+)\)|\.(pop)\(\))|\??\.([A-Za-z_$][\w$]*)(?!\w*\()|(?:\?\.)?\[(?:(\d+)|'([^'\\]+)'|"([^"\\]+)")\])/;

const methods: Readonly<Record<string, string>> = {
  trim: 'trim',
  toLowerCase: 'lower-case',
  toUpperCase: 'upper-case',
};

/**
 * Returns the steps of the metric `answer-part` for a transform that is known by heart, such as `output.trim()` and
 * `JSON.parse(output).total`. Undefined for any other code: it is not run.
 */
export function stepsOf(transform: string): Json[] | undefined {
  const code = transform
    .trim()
    .replace(/^(?:return\s+|\(?output\)?\s*=>\s*)/, '')
    .replace(/;$/, '');
  const start = /^(?:JSON\.parse\(\s*output((?:\.trim\(\))?)\s*\)|output\b)/.exec(code);
  if (start === null) return undefined;
  const steps: Json[] = [];
  let path = '';
  let rest = code.slice(start[0].length);
  const endPath = () => {
    if (path !== '') steps.push({ path: path.replace(/^\./, '') });
    path = '';
  };
  while (rest !== '') {
    const match = link.exec(rest);
    if (match === null) return undefined;
    rest = rest.slice(match[0].length);
    const [, method, single, double, index, at, isLast, member, item, ...quoted] = match;
    const separator = single ?? double;
    const name = member ?? quoted.find((each) => each !== undefined);
    if (name === 'length') return undefined;
    if (name !== undefined) path += /^[\w$]+$/.test(name) ? `.${name}` : `["${name}"]`;
    else if (item !== undefined) path += `[${item}]`;
    else {
      endPath();
      if (separator !== undefined)
        steps.push({ split: unescape(separator), at: Number(isLast ? -1 : (index ?? at)) });
      else steps.push(methods[method ?? ''] ?? '');
    }
  }
  endPath();
  return steps;
}

/** Returns the text that a literal of JavaScript means. */
function unescape(literal: string): string {
  return literal.replaceAll(/\\(.)/g, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter);
}
