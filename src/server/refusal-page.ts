/**
 * The document in place of a page that a browser may not open. It is the same for every request: nothing of the request is
 * in it.
 */
export const refusalPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not open in this browser · Touchstone</title>
</head>
<body>
<main>
<h1>The dashboard is not open in this browser</h1>
<p>An address that <code>touchstone view</code> prints works once: the browser that opens it first keeps the access until it is
closed.</p>
<p>To open the dashboard here, run <code>touchstone view</code> again, in another terminal if the first is still needed, and
open the address that it prints.</p>
</main>
</body>
</html>
`;
