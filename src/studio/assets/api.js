// Requests to the studio, each with the token of this page.

const token = document.querySelector('meta[name="saratoga-token"]').content;

/** What comes of a request, in plain words where nobody answers any more. */
async function answered(asked) {
  try {
    return await asked;
  } catch (error) {
    throw error.name === 'AbortError' ? error : new Error('The studio has ended. Start it again, and open its new address.');
  }
}

function send(path, body, signal) {
  return answered(fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-saratoga-token': token },
    body: JSON.stringify(body),
    signal,
  }));
}

/** What a refused request says, in a line. */
async function reason(response) {
  const text = await response.text();
  try {
    const said = JSON.parse(text);
    if (said.refused) return said.refused;
    if (said.faults) return said.faults.map((it) => it.message).join('; ');
  } catch { /* It is a plain line. */ }
  return text.trim() || `the studio answered ${response.status}`;
}

/** An answer as JSON. An error has the status of the answer. */
export async function post(path, body, signal) {
  const response = await send(path, body, signal);
  if (!response.ok) {
    throw Object.assign(new Error(await reason(response)), { status: response.status });
  }
  return response.json();
}

/** Events as they arrive, until the end or until the signal: server-sent events over a request of our own, since the
 *  browser's own source of events can bring neither a token nor a ruleset. */
export async function stream(path, body, signal, tell) {
  const response = await send(path, body, signal);
  if (!response.ok) throw new Error(await reason(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await answered(reader.read());
    if (done) return;
    rest += value;
    const events = rest.split('\n\n');
    rest = events.pop();
    for (const event of events) {
      if (event.startsWith('data: ')) tell(JSON.parse(event.slice(6)));
    }
  }
}
