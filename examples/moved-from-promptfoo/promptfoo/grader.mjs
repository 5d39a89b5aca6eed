// A judge that looks for two words: promptfoo asks it for a verdict as JSON.
export default class Grader {
  id() {
    return 'grader';
  }

  async callApi(prompt) {
    // The last message has the answer to judge; the one before it has examples.
    const answer = JSON.parse(prompt).at(-1).content.split('<Rubric>')[0];
    const pass = /sorry/i.test(answer) && /replacement/i.test(answer);
    const reason = pass ? 'It says sorry and offers a replacement.' : 'It offers no replacement.';
    return { output: JSON.stringify({ reason, pass, score: pass ? 1 : 0 }) };
  }
}
