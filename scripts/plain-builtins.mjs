import { isBuiltin } from 'node:module';

/**
 * A plugin that takes modules of Node.js as they are, not as ES modules: for the latter, Node.js asks for everything that
 * they export, and so loads what is seldom needed, such as all kinds of streams with `node:fs`. That is a tenth of
 * `--help`.
 */
export function plainBuiltins() {
  return {
    name: 'plain-builtins',
    renderChunk(code) {
      const imports = this.parse(code).body.filter(
        ({ type, source }) => type === 'ImportDeclaration' && isBuiltin(source.value),
      );
      return imports.reduceRight(
        (text, node) => text.slice(0, node.start) + toConstants(node) + text.slice(node.end),
        code,
      );
    },
  };
}

/** `import fs, { existsSync as exists } from 'fs'` as `const fs = …; const { existsSync: exists } = …;`. */
function toConstants({ specifiers, source }) {
  const name = source.value.startsWith('node:') ? source.value : `node:${source.value}`;
  const made = `process.getBuiltinModule(${JSON.stringify(name)})`;
  const isNamed = ({ type }) => type === 'ImportSpecifier';
  const whole = specifiers.filter((specifier) => !isNamed(specifier)).map(({ local }) => local.name);
  const named = specifiers
    .filter(isNamed)
    .map(({ imported, local }) => `${JSON.stringify(imported.name)}: ${local.name}`);
  const patterns = [...whole, ...(named.length === 0 ? [] : [`{ ${named.join(', ')} }`])];
  return patterns.map((pattern) => `const ${pattern} = ${made};`).join(' ');
}
