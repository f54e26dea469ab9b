// How far down each page of a PDF the last text stands, as a share of its height: `pdf` is the file in base 64.
const bytes = Uint8Array.from(atob(pdf), (c) => c.charCodeAt(0));
const text = Array.from(bytes, (c) => String.fromCharCode(c)).join('');
const unpacked = async (number) => {
  const at = text.indexOf(`\n${number} 0 obj`);
  const length = Number(/\/Length (\d+)/.exec(text.slice(at, at + 200))[1]);
  const from = /stream\r?\n/.exec(text.slice(at)).index + at;
  const start = from + /stream\r?\n/.exec(text.slice(from))[0].length;
  const stream = new Blob([bytes.slice(start, start + length)]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream('deflate'))).text();
};
const filled = [];
for (const [, , height, contents] of text.matchAll(
  /<<\/Type \/Page\n[^]*?\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\][^]*?\/Contents (\d+) 0 R/g,
)) {
  // The first line turns the page over: from there on y goes down, in units of that scale.
  const [first, ...lines] = (await unpacked(contents)).split('\n');
  const scale = Number(first.split(' ')[0]);
  let at = [1, 0, 0, 1, 0, 0];
  const kept = [];
  let lowest = 0;
  for (const line of lines) {
    const words = line.split(' ');
    const [a, b, c, d, e, f] = words.map(Number);
    const op = words.at(-1);
    if (op === 'q') kept.push(at);
    else if (op === 'Q') at = kept.pop();
    else if (op === 'cm') {
      at = [
        a * at[0] + b * at[2], a * at[1] + b * at[3], c * at[0] + d * at[2], c * at[1] + d * at[3],
        e * at[0] + f * at[2] + at[4], e * at[1] + f * at[3] + at[5],
      ];
    } else if (op === 'Tm') {
      const y = ((e * at[1] + f * at[3] + at[5]) * scale) / height;
      if (y > lowest && y < 1) lowest = y;
    }
  }
  filled.push(lowest);
}
return filled;
