import { html } from 'hono/html';
import type { Failure } from '../core/schema/api/failure.ts';

/** Returns the page for a person in a browser: what was refused or failed, and what to do. Texts are escaped. */
export function failurePage({ code, message, remedy }: Failure) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${message} · Touchstone</title>
</head>
<body>
<main>
<h1>${message}</h1>
<p>${remedy}</p>
<p><a href="/">Back to Touchstone</a></p>
<p><code>${code}</code></p>
</main>
</body>
</html>
`;
}
