import { expect, test } from 'vitest';
import { checkTree } from '../write-tree.ts';
import { writeLibraryPages } from './library-pages.ts';

const files = {
  'package.json': JSON.stringify({
    name: 'ruler',
    exports: {
      '.': { types: './dist/types/src/index.d.ts' },
      './lengths': { types: './dist/types/src/lengths.d.ts' },
      './package.json': './package.json',
    },
  }),
  'src/index.ts': `export { measure } from './measure.ts';
export * from './registry.ts';
export type { Stick } from './stick.ts';`,
  'src/registry.ts': "export { inch } from './inch.ts';",
  'src/inch.ts': 'export const inch = defineUnit({ name: "inch" });',
  'src/measure.ts': `import type { Length } from './lengths.ts';
import type { Stick } from './stick.ts';
/**
 * Measures a stick.
 * @param stick - The stick, as
 *   it is.
 * @throws RangeError for a stick of no length.
 */
export function measure(stick: Stick, options: Options = {}): Length {
  return { metres: 1 };
}
/** Choices of a measurement. */
interface Options { readonly unit?: string }`,
  'src/lengths.ts': `/** A length. */
export interface Length { readonly metres: number }
/** The longest that is known. */
export const longest: Length = { metres: 9 };
/** A fault. */
export class Fault extends Error {
  constructor(readonly length: Length) { super('no'); }
}`,
  'src/stick.ts': `import { z } from 'zod';
/** Something to measure. */
const stickSchema = z.object({ /** Its wood. */ wood: z.string() });
export type Stick = z.infer<typeof stickSchema>;`,
};

test('a page for each module has every export, with links to the types that it names', () => {
  const extensions = new Map([['inch', { use: 'inch-unit', page: 'units.md', summary: 'An inch.' }]]);
  const pages = checkTree((root) => writeLibraryPages(root, extensions), files);
  expect(Array.from(pages, ([file, parts]) => `${file}\n\n${parts.join('\n\n')}`).join('\n\n')).toBe(
    `library/touchstone.md

# \`ruler\`

## Extensions

Each is a function of its options, and returns what a configuration holds in its place: \`keywords({ threshold: 0.8 })\` is \`{ use: keywords, threshold: 0.8 }\` in YAML.

| function | \`use\` | what it is |
| --- | --- | --- |
| \`inch\` | [\`inch-unit\`](../units.md#inch-unit) | An inch. |

## Functions

### \`measure\`

Measures a stick.

\`\`\`ts
function measure(stick: Stick, options: Options = {}): Length
\`\`\`

- \`stick\`: The stick, as it is.
- Throws: RangeError for a stick of no length.
- Types: [Stick](#stick), [Options](#options), [Length](touchstone-lengths.md#length)

## Types

### \`Stick\`

Something to measure.

\`\`\`ts
const stickSchema = z.object({ /** Its wood. */ wood: z.string() });
\`\`\`

## Parts of these types

These types have no export of their own.

### \`Options\`

Choices of a measurement.

\`\`\`ts
interface Options { readonly unit?: string }
\`\`\`

library/touchstone-lengths.md

# \`ruler/lengths\`

## Classes

### \`Fault\`

A fault.

\`\`\`ts
class Fault extends Error {
  constructor(readonly length: Length)
}
\`\`\`

- Types: [Length](#length)

## Values

### \`longest\`

The longest that is known.

\`\`\`ts
const longest: Length
\`\`\`

- Types: [Length](#length)

## Types

### \`Length\`

A length.

\`\`\`ts
interface Length { readonly metres: number }
\`\`\``,
  );
});
