// Asking the server.

/** An answer, or an Error whose message is the server's sentence. */
export async function ask(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(key, value);
  }
  const response = await fetch(`/api/${path}?${query}`, { signal });
  return await read(response);
}

async function read(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `the server answered ${response.status}`);
  return answer;
}

/** Posts a request whose answer comes in lines, and calls `line` with each. */
export async function askLines(path, body, signal, line) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) return void (await read(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const text of lines) line(JSON.parse(text));
  }
}

let known;
/** What there is to choose from. */
export function config() {
  known ??= ask("config");
  return known;
}
