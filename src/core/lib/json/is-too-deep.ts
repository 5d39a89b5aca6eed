/** Returns whether a text of JSON is nested deeper than so many levels, before anything descends into it. */
export function isTooDeep(text: string, deepest: number): boolean {
  let depth = 0;
  let isInText = false;
  for (let place = 0; place < text.length; place += 1) {
    const code = text[place];
    if (isInText) {
      if (code === '\\') place += 1;
      else if (code === '"') isInText = false;
    } else if (code === '"') isInText = true;
    else if (code === '{' || code === '[') depth += 1;
    else if (code === '}' || code === ']') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
