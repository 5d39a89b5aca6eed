// The settings of the generator. The pages and the outline are written by scripts/build-site.ts, which also starts it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { anchorOf } from '../../src/core/lib/text/anchor-of.ts';

const generated = path.resolve(import.meta.dirname, '..', '.generated');
const { base, moved, outDir, outline, questions, versions } = JSON.parse(
  readFileSync(path.join(generated, 'site.json'), 'utf8'),
);

/** Pages are Markdown and not templates: braces in a text or in code are text. */
function showBraces(md) {
  const { text, code_inline: code } = md.renderer.rules;
  const escaped = (html) => html.replaceAll('{{', '&#123;&#123;');
  md.renderer.rules.text = (...parts) => escaped(text(...parts));
  md.renderer.rules.code_inline = (...parts) => escaped(code(...parts));
}

/** Adds the questions that lead to a page to what the search reads of it. */
async function renderForSearch(source, env, md) {
  const html = await md.renderAsync(source, env);
  const asked = questions[env.relativePath] ?? [];
  return html.replace('</h1>', `</h1><p>${md.utils.escapeHtml(asked.join(' '))}</p>`);
}

/**
 * Returns the weight of a section of a page. The table of what can be checked names the metric for every purpose; the reference and the
 * records of work list everything by its name, and the lists of other tools repeat those names. It runs in the browser, alone.
 */
function boostDocument(id) {
  if (/\/(?:reference|decisions|changelog|benchmarks|contributing)/.test(id)) return 0.1;
  if (/\/#|\/metrics#metrics-of|\/promptfoo#assertions|\/examples\//.test(id)) return 0.3;
  return /\/metrics#/.test(id) ? 3 : 1;
}

export default {
  title: 'Touchstone',
  description: 'Is my chatbot good, did it get better, can we ship it?',
  lang: 'en',
  base,
  outDir,
  srcDir: path.join(generated, 'pages'),
  cacheDir: path.join(generated, 'cache'),
  cleanUrls: true,
  metaChunk: true,
  // A reader who looks at one page does not load those that it links.
  router: { prefetchLinks: false },
  // A heading has the same address here as on GitHub.
  markdown: {
    anchor: { slugify: anchorOf },
    linkify: false,
    image: { lazyLoading: true },
    config: showBraces,
  },
  themeConfig: {
    // The other versions are sites of their own: a link to one loads it.
    nav:
      versions.all.length === 0
        ? []
        : [{ text: versions.name, items: versions.all.map((each) => ({ ...each, target: '_self' })) }],
    /** Read by the theme: the new addresses of headings that were moved from a page that is there. */
    moved,
    sidebar: outline,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: renderForSearch,
        miniSearch: {
          searchOptions: { combineWith: 'AND', fuzzy: 0.1, boostDocument },
        },
      },
    },
  },
};
