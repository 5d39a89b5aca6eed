import { compileGlob } from '../../lib/compile-glob.ts';

/** Whether an id is one of those that are named; in a name, `*` stands for any text. */
export function matchIds(names: readonly string[]): (id: string) => boolean {
  const tests = names.map((name) => compileGlob(name, { ignoreCase: false }));
  return (id) => tests.some((isNamed) => isNamed(id));
}
