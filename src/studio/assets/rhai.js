// Rhai, as far as an editor must know it: where its words stand, and what can follow a point.

const KEYWORDS = new Set('fn let const if else switch while loop do until for in break continue return true false throw try catch is'.split(' '));
const TOKEN = /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|("(?:\\[^]|[^"\\])*"?|`(?:\\[^]|[^`\\])*`?|'(?:\\.|[^'\\\n])')|(\d[\d_]*(?:\.\d+)?)|([A-Za-z_]\w*)|([^])/g;

/** The pieces of a text: notes, texts in quotes, numbers, words of the language, names, and the rest. */
export function pieces(text) {
  const all = [];
  let before = '';
  for (const found of text.matchAll(TOKEN)) {
    const [piece, note, quoted, number, word] = found;
    let kind = '';
    if (note !== undefined) kind = 'note';
    else if (quoted !== undefined) kind = 'quoted';
    else if (number !== undefined) kind = 'number';
    else if (word !== undefined) {
      if (before === '.') kind = 'member';
      else if (KEYWORDS.has(word)) kind = 'keyword';
      else if (before === 'fn') kind = 'function';
      else kind = /^[A-Z][A-Z\d_]*$/.test(word) ? 'constant' : 'name';
    }
    if (piece.trim() && kind !== 'note') before = piece;
    all.push({ kind, piece, at: found.index });
  }
  return all;
}

/** The functions of a text, each from the line of its name to that of its last brace, lines from 1. */
export function functions(all) {
  const found = [];
  let line = 1;
  let open = null;
  let depth = 0;
  for (const { kind, piece } of all) {
    if (kind === 'function' && !open) { open = { name: piece, from: line }; depth = 0; }
    if (kind === '' && piece === '{') depth += 1;
    if (kind === '' && piece === '}') {
      depth -= 1;
      if (open && depth === 0) { found.push({ ...open, to: line }); open = null; }
    }
    line += piece.split('\n').length - 1;
  }
  return found;
}

const typeOf = (returns) => ['View', 'Move', 'Card', 'Seat'].find((type) => returns.includes(type)) ?? '';

/** What a chain such as `view.after(m).moves` is, as far as the text before it tells. */
function typed(chain, before, words, depth = 0) {
  const parts = chain.replace(/\([^()]*\)/g, '').split('.');
  let type = variable(parts[0], before, words, depth);
  for (const part of parts.slice(1)) {
    const word = words.find((it) => it.owner === type && it.name === part);
    if (!word) return '';
    type = typeOf(word.returns);
  }
  return type;
}

function variable(name, before, words, depth) {
  const known = { view: 'View', m: 'Move', memory: 'Memory' };
  if (depth < 4) {
    const set = [...before.matchAll(new RegExp(`\\blet\\s+${name}\\s*=\\s*([A-Za-z_][\\w.]*(?:\\([^()]*\\)[\\w.]*)*)`, 'g'))].pop();
    const type = set && typed(set[1], before.slice(0, set.index), words, depth + 1);
    if (type) return type;
    const loop = [...before.matchAll(new RegExp(`\\bfor\\s+${name}\\s+in\\s+[\\w.]*moves\\b`, 'g'))].pop();
    if (loop) return 'Move';
  }
  // A view has many names, `after`, `next`: what is not known may be anything.
  return known[name] ?? (/^(c|card|top|below|lowest)$/.test(name) ? 'Card' : '');
}

/** What may be written at a place: the part that is there, and all that it may become. */
export function completions(text, at, words) {
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (/\/\/|^[^"]*"(?:[^"]*"[^"]*")*[^"]*$/.test(line)) return null;
  const member = /([A-Za-z_]\w*(?:\([^()]*\))?(?:\.[A-Za-z_]\w*(?:\([^()]*\))?)*)\.(\w*)$/.exec(line);
  if (member) {
    const type = typed(member[1], before, words);
    const fit = words.filter((it) => it.owner !== 'Memory' && (!type || it.owner === type));
    return { part: member[2], all: unlike(fit.map(memberOf)) };
  }
  const part = /[A-Za-z_]\w*$/.exec(line)?.[0] ?? '';
  const own = pieces(text).filter((it) => it.at + it.piece.length !== at && ['name', 'constant', 'function'].includes(it.kind));
  const names = own.map(({ kind, piece }) => ({ name: piece, more: kind === 'function' ? '()' : '', about: kind === 'function' ? 'A function of this script.' : '' }));
  const keywords = [...KEYWORDS].map((name) => ({ name, more: '', about: 'A word of the language.' }));
  const memory = words.filter((it) => it.owner === 'Memory').map((it) => ({ name: it.name, more: '', about: it.about }));
  return { part, all: unlike([...names.filter((it) => it.more), ...memory, ...names, ...keywords]) };
}

function memberOf(word) {
  const takes = word.parameters && `(${word.parameters.join(', ')})`;
  return { name: word.name, more: word.parameters ? '()' : '', about: `${word.name}${takes ?? ''} → ${word.returns}. ${word.about}` };
}

function unlike(all) {
  const seen = new Set();
  return all.filter((it) => !seen.has(it.name) && seen.add(it.name));
}

/** What the word at a place means. */
export function meaning(text, at, words) {
  const from = at - (/\w*$/.exec(text.slice(0, at))?.[0].length ?? 0);
  const word = /^\w+/.exec(text.slice(from))?.[0];
  if (!word || from === 0) return '';
  const found = completions(text, from + word.length, words);
  const known = found?.part === word && found.all.find((it) => it.name === word && it.about);
  return text[from - 1] === '.' && known ? known.about : '';
}
