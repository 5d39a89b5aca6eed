// Builds the page of a report in one file: its script and its style are inside, and its policy allows nothing but these two.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/** Writes `report.html` into a folder. Returns the bundle that is in it. */
export async function buildReport(folder) {
  const { output } = await build({
    configFile: path.join(root, 'dashboard', 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      write: false,
      manifest: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: path.join(root, 'dashboard', 'src', 'report-main.tsx'),
        output: { codeSplitting: false },
      },
    },
  });
  const [script, ...others] = output.filter(({ type }) => type === 'chunk');
  const [style, ...files] = output.filter(({ type }) => type === 'asset');
  if (script === undefined || style === undefined || others.length > 0 || files.length > 0)
    throw new Error(`The report is not one script and one style: ${output.map(({ fileName }) => fileName)}.`);
  // These texts would end the element, or hide its end. They occur in strings and patterns only, where the escape is the same.
  const code = script.code.replaceAll(/<(?=\/script|!--)/gi, String.raw`\x3c`).trim();
  const css = String(style.source).trim();
  if (/<\/style/i.test(css)) throw new Error('The style would end its element.');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'report.html'), writePage(code, css));
  return output;
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234355d6'/%3E%3Cpath d='M4 8.4l2.6 2.6L12 5.4' fill='none' stroke='white' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

function writePage(code, css) {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(code)}'`,
    `style-src '${hashOf(css)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Touchstone</title>
<link rel="icon" href="${icon}">
<style>${css}</style>
</head>
<body>
<div id="root"><!--headline--></div>
<!--data-->
<script type="module">${code}</script>
</body>
</html>
`;
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
