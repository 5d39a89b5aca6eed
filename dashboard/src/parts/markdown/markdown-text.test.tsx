import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkdownText } from './markdown-text.tsx';

function render(text: string): string {
  return renderToStaticMarkup(<MarkdownText text={text} />);
}

/** Returns a rendered text without the classes and the isolation of texts, which no test is about. */
function plain(text: string): string {
  return render(text).replaceAll(/ class="[^"]*"|<\/?bdi>/g, '');
}

test('emphasis, code, lists, tables and quotes become elements', () => {
  expect(plain('**a** *b* ~~c~~ `d`')).toContain('<strong>a</strong> <em>b</em> <del>c</del> <code>d</code>');
  expect(plain('- one\n- two')).toContain('<ul><li>one</li><li>two</li></ul>');
  expect(plain('3. three')).toContain('<ol start="3"><li>three</li></ol>');
  expect(plain('| a |\n| - |\n| b |')).toContain('<th>a</th></tr></thead><tbody><tr><td>b</td>');
  expect(plain('> said')).toContain('<blockquote><p>said</p></blockquote>');
  expect(plain('```js\nx < 1\n```')).toContain('<pre>x &lt; 1</pre>');
});

test('evidence is marked, even across a change of the format, and not across lines', () => {
  const marked = (text: string, ...marks: string[]): string =>
    renderToStaticMarkup(<MarkdownText text={text} marks={marks} />).replaceAll(
      / class="[^"]*"|<\/?bdi>/g,
      '',
    );
  expect(marked('The tax is **2 %** of it.', '2 %')).toContain('<strong><mark>2 %</mark></strong>');
  expect(marked('The *tax is* **2 %**.', 'TAX is 2')).toContain(
    '<em><mark>tax is</mark></em><mark> </mark><strong><mark>2</mark> %</strong>',
  );
  expect(marked('It is **2 %**.', 'is **2 %**')).toContain(
    '<mark>is </mark><strong><mark>2 %</mark></strong>',
  );
  expect(marked('| a |\n| - |\n| `due b` |', 'due')).toContain('<code><mark>due</mark> b</code>');
  expect(marked('one\n\ntwo', 'onetwo', 'none')).not.toContain('<mark>');
  expect(marked('one', '')).not.toContain('<mark>');
});

test('HTML stays text', () => {
  const html = '<script>alert(1)</script> and <img src=x onerror="alert(1)">';
  expect(render(html)).not.toMatch(/<script|<img/);
  expect(plain(html)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('an image is not loaded', () => {
  expect(plain('![a](https://example.com/a.png)')).toContain('![a](https://example.com/a.png)');
});

// oxlint-disable-next-line no-script-url -- addresses that must not become links
test.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/runs'])(
  'a link to %s stays text',
  (href) => {
    expect(render(`[a](${href})`)).not.toContain('<a ');
  },
);

test('a link names the host that it leads to, and gives it nothing', () => {
  expect(plain('[Google](https://example.com/path)')).toContain(
    '<a href="https://example.com/path" target="_blank" rel="noreferrer noopener">Google<span> (example.com)</span></a>',
  );
});

test('characters that cannot be seen are marked', () => {
  expect(plain('user\u202Egnp.exe')).toContain('>U+202E</span>gnp.exe');
});
