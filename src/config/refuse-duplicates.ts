import { ConfigProblem } from './config-problem.ts';

/** Throws `ConfigProblem` for the second of two entries of a setting that bear one name. */
export function refuseDuplicates(setting: string, named: readonly { readonly name: string }[]): void {
  const names = named.map(({ name }) => name);
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (index === -1) return;
  const message = `two are named "${names[index]}"; give one of them another \`name\``;
  throw new ConfigProblem([{ path: [setting, index], message }]);
}
