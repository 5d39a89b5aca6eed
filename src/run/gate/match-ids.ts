/** Whether an id is one of those that are named; in a name, `*` stands for any text. */
export function matchIds(names: readonly string[]): (id: string) => boolean {
  const patterns = names.map(toPattern);
  return (id) => patterns.some((pattern) => pattern.test(id));
}

function toPattern(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
