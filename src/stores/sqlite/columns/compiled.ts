/** So many functions are made for kinds of rows: the metadata of cases may have no end of kinds. */
const mostCompiled = 500;

/**
 * Finds the function for a kind of rows, and makes it when the kind is new. Its code has the keys of the rows in it: V8
 * reads and makes objects many times faster by keys in the code than by keys in variables. Where a process may not make
 * code out of text, and for kinds without end, `plain` does the same without.
 */
export function createCompiler<Kind, Compiled>(
  toCode: (kind: Kind) => { readonly parameters: readonly string[]; readonly body: string },
  plain: (kind: Kind) => Compiled,
): (kind: Kind) => Compiled {
  const known = new Map<string, Compiled>();
  return (kind) => {
    const name = JSON.stringify(kind);
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= mostCompiled) return plain(kind);
    const made = (compile(toCode(kind)) as Compiled | undefined) ?? plain(kind);
    known.set(name, made);
    return made;
  };
}

function compile({ parameters, body }: { parameters: readonly string[]; body: string }): unknown {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- nothing of it comes from data but keys, as JSON strings
    return new Function(...parameters, body);
  } catch {
    return undefined;
  }
}
