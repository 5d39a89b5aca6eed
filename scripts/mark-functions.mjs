import { parseSync, Visitor } from 'rolldown/utils';

/**
 * Marks functions of a file, so that V8 compiles them with their file and not when they are first called: then the compile
 * cache of Node.js holds them, too. The mark is a pair of parentheses, which V8 takes for "about to be called". What is
 * declared becomes a constant for it, at the head of the file: nothing can ask for it before it is there. Methods cannot be
 * marked.
 * @param code - An ES module.
 * @param isCalled - Tells of a function by where it begins and ends.
 * @returns The code with the marks.
 */
export function markFunctions(code, isCalled) {
  const { program } = parseSync('chunk.js', code);
  const declared = program.body.filter((node) => node.type === 'FunctionDeclaration' && isCalled(node));
  const marked = [];
  const methods = new Set();
  const mark = (node) => {
    if (!methods.has(node) && isCalled(node)) marked.push(node);
  };
  new Visitor({
    Property: ({ method, kind, value }) => (method || kind !== 'init') && methods.add(value),
    MethodDefinition: ({ value }) => methods.add(value),
    FunctionExpression: mark,
    // V8 does not compile asynchronous ones any earlier.
    ArrowFunctionExpression: (node) => node.async || mark(node),
  }).visit(program);

  const textOf = createReader(code, marked);
  const head = declared.map(({ id, start, end }) => `const ${id.name}=(${textOf(start, end)});`);
  const ends = [0, ...declared.map(({ end }) => end)];
  const starts = [...declared.map(({ start }) => start), code.length];
  const rest = ends.map((end, index) => textOf(end, starts[index]));
  return [...head, ...rest].join('');
}

/** Reads parts of a text with parentheses around some ranges. */
function createReader(text, ranges) {
  const marks = ranges
    .flatMap(({ start, end }) => [
      { at: start, mark: '(' },
      { at: end, mark: ')' },
    ])
    // What ends at a place ends before anything begins there.
    .sort((one, other) => one.at - other.at || (one.mark === ')' ? -1 : 1));
  return (from, to) => {
    let read = '';
    let last = from;
    for (const { at, mark } of marks) {
      const isWithin = mark === '(' ? at >= from && at < to : at > from && at <= to;
      if (!isWithin) continue;
      read += text.slice(last, at) + mark;
      last = at;
    }
    return read + text.slice(last, to);
  };
}
