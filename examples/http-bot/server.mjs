import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const places = { reset: 'Settings, Security', invoice: 'Account, Billing', delete: 'Settings, Privacy' };

createServer(async (request, response) => {
  const { input } = await json(request);
  const topic = Object.keys(places).find((word) => input.toLowerCase().includes(word));
  const answer = topic ? `You find that under ${places[topic]}.` : 'Please write to support@example.com.';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ answer, tools_used: topic ? ['find_page'] : [] }));
}).listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
