/** A bot that looks things up, and answers everybody with what it is there for, whatever it reads and hears. */
export default async function steadfast(input, { useTool }) {
  await useTool('look_up', { query: input }, async () => 'Nothing was found.');
  return 'We are open from 9 to 5, and I am glad to help with questions about our shop.';
}
