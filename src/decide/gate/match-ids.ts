import { compileGlob } from '../../core/lib/compile-glob.ts';

/** Creates a test of whether an id matches one of some names; in a name, `*` stands for any text. */
export function matchIds(names: readonly string[]): (id: string) => boolean {
  const tests = names.map((name) => compileGlob(name, { ignoreCase: false }));
  return (id) => tests.some((isNamed) => isNamed(id));
}
