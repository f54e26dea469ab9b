// The form: every key shows its value, and a change of it is told as TOML.

const quoted = (text) => JSON.stringify(text).replace(/\u007f/g, '\\u007F');
const isWord = (value) => value.startsWith('"');
const plain = (value) => {
  try { return isWord(value) ? JSON.parse(value) : value; } catch { return value; }
};
const rows = [...document.querySelectorAll('.key')];

/** Most of a slider whose key may be far larger. */
function sliderTop(high, value, inherited) {
  const least = Math.max(12, 2 * (value || 0), 2 * (inherited || 0));
  return Math.min(high, least);
}

/** Calls `change(key, value)` with TOML, or with null for the value of what is extended. */
export function bind(change, sweep) {
  for (const row of rows) {
    const key = row.dataset.path;
    const say = (value) => change(key, value);
    const inputs = {
      text: row.querySelector('input.line'),
      slide: row.querySelector('.slide'),
      exact: row.querySelector('.exact'),
      word: [...row.querySelectorAll('.word')],
      list: row.querySelector('.list'),
    };
    row.querySelector('.reset').addEventListener('click', () => say(null));
    row.querySelector('.sweeps')?.addEventListener('click', () => sweep(key));
    switch (row.dataset.kind) {
      case 'text':
        inputs.text.addEventListener('change', () => say(inputs.text.value === '' ? null : quoted(inputs.text.value)));
        break;
      case 'toml':
        inputs.text.addEventListener('change', () => say(inputs.text.value.trim() || null));
        break;
      case 'tables': {
        const area = row.querySelector('textarea');
        area.addEventListener('change', () => say(area.value.trim() || null));
        break;
      }
      case 'flag': {
        const box = row.querySelector('input');
        box.addEventListener('change', () => say(String(box.checked)));
        break;
      }
      case 'choice': {
        const select = row.querySelector('select');
        select.addEventListener('change', () => say(quoted(select.value)));
        break;
      }
      case 'several': {
        const boxes = [...row.querySelectorAll('input[type=checkbox]')];
        for (const box of boxes) {
          box.addEventListener('change', () => {
            let words = [];
            try { words = JSON.parse(inputs.list.value); } catch { /* The ticks decide. */ }
            words = words.filter((word) => word !== box.value);
            if (box.checked) words.push(box.value);
            say(`[${words.map(quoted).join(', ')}]`);
          });
        }
        inputs.list.addEventListener('change', () => say(inputs.list.value.trim() || null));
        break;
      }
      default: {
        // A number or an amount: the slider and the field are one.
        inputs.slide.addEventListener('input', () => {
          inputs.exact.value = inputs.slide.value;
          inputs.word.forEach((box) => { box.checked = false; });
          say(inputs.slide.value);
        });
        inputs.exact.addEventListener('input', () => { if (inputs.exact.value !== '') say(inputs.exact.value); });
        for (const box of inputs.word) {
          box.addEventListener('change', () => say(box.checked ? quoted(box.value) : inputs.slide.value || '0'));
        }
      }
    }
  }
}

/** Shows what a ruleset says, beside what it extends. The field that is being written in is left alone. */
export function show(judged, writing) {
  const wrong = new Map();
  for (const fault of judged.faults.filter((it) => it.error)) {
    const key = /`([a-z_.]+)`/.exec(fault.message)?.[1];
    if (key) wrong.set(key, fault.help ? `${fault.message}; ${fault.help}` : fault.message);
  }
  for (const row of rows) {
    const key = row.dataset.path;
    row.querySelector('.wrong').textContent = wrong.get(key) ?? '';
    row.classList.toggle('faulty', wrong.has(key));
    if (!judged.sound) continue;
    const [value, inherited] = [judged.values[key] ?? '', judged.parent_values[key] ?? ''];
    const own = judged.written.includes(key);
    row.classList.toggle('changed', own);
    const reset = row.querySelector('.reset');
    reset.hidden = !own;
    reset.title = `Back to ${inherited || 'nothing'}, as in ${judged.parent}`;
    fill(row, value, inherited, document.activeElement, writing);
  }
}

function fill(row, value, inherited, active, writing) {
  const set = (input, text) => { if (input !== active || !writing) input.value = text; };
  switch (row.dataset.kind) {
    case 'text': set(row.querySelector('.line'), plain(value)); break;
    case 'toml': set(row.querySelector('.line'), value); break;
    case 'tables': set(row.querySelector('textarea'), value); break;
    case 'flag': row.querySelector('input').checked = value === 'true'; break;
    case 'choice': row.querySelector('select').value = plain(value); break;
    case 'several': {
      set(row.querySelector('.list'), value);
      let words = [];
      try { words = JSON.parse(value); } catch { /* An empty list. */ }
      for (const box of row.querySelectorAll('input[type=checkbox]')) box.checked = words.includes(box.value);
      break;
    }
    default: {
      const [slide, exact] = [row.querySelector('.slide'), row.querySelector('.exact')];
      const words = [...row.querySelectorAll('.word')];
      const number = isWord(value) || value === '' ? '' : value;
      for (const box of words) box.checked = isWord(value) && plain(value) === box.value;
      if (slide !== active || !writing) {
        const high = slide.dataset.high ? Number(slide.dataset.high) : Infinity;
        slide.max = sliderTop(high, Number(number), Number(inherited) || 0);
        if (number !== '') slide.value = number;
      }
      set(exact, number);
    }
  }
}
