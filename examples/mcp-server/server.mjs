// An MCP server over stdio: the stock of a shop. It uses the official SDK; any other server is connected in the same way.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const stock = { lamp: { price: 49, left: 12 }, desk: { price: 210, left: 0 } };

const server = new McpServer({ name: 'stock', version: '1.0.0' });
server.registerTool(
  'look_up',
  { description: 'The price and the stock of an item.', inputSchema: z.object({ item: z.string() }) },
  ({ item }) => {
    const found = stock[item];
    const text = found ? JSON.stringify(found) : `there is no ${item}`;
    return { content: [{ type: 'text', text }], isError: found === undefined };
  },
);
await server.connect(new StdioServerTransport());
