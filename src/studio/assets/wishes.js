// Wishes: whether the figures are what was wished, and a search for variants that have it.

import { post } from './api.js';
import { literal } from './sweep.js';
import { state } from './state.js';

const by = (id) => document.getElementById(id);
const lines = (id) => by(id).value.split('\n').map((it) => it.trim()).filter(Boolean);

const MET = { meets: 'met', probably: 'probably met', doubtful: 'probably missed', misses: 'missed' };

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Lists the wishes, until their figures come. */
export function expect() {
  by('wished').replaceChildren(...state.wishes.map((wish) => {
    const item = make('li', 'wish', wish);
    item.append(make('span', 'muted', ' waits for its player among the strategies'));
    item.dataset.wish = wish;
    return item;
  }));
}

/** Shows the figures of wishes about one strategy. */
export function show(figures) {
  for (const it of figures.wishes ?? []) {
    const item = [...by('wished').children].find((one) => one.dataset.wish === it.wish);
    if (!item) continue;
    item.className = `wish ${it.verdict ?? ''}`;
    item.replaceChildren(`${it.wish}: `, make('b', '', it.value), ` (${it.interval})`, it.verdict ? `, ${MET[it.verdict]}` : '');
  }
}

function figure(wish, found) {
  if (!found) return `${wish.wish}: no games`;
  const share = wish.figure === 'wins' || wish.figure === 'edge';
  const said = (x) => (share ? `${(100 * x).toFixed(1)}%` : x.toFixed(1));
  const { value, low, high } = found.at_once;
  return `${wish.wish}: ${said(value)} (${said(low)} to ${said(high)}), ${MET[found.verdict]}`;
}

function candidate(found, variant, take) {
  const changes = variant.changes.map(({ key, value }) => ({ key, value: literal(value) }));
  const item = make('li', `wish ${variant.verdict}`);
  const button = make('button', 'small', 'Take over');
  button.type = 'button';
  const name = changes.map((it) => `${it.key} ${it.value.replaceAll('"', '')}`).join(', ') || 'as it is';
  button.setAttribute('aria-label', `Take over ${name}`);
  button.addEventListener('click', () => take(changes));
  const figures = make('ul');
  figures.append(...found.wishes.map((wish, i) => make('li', '', figure(wish, variant.figures[i]))));
  item.append(make('b', '', name), ' ', button, figures);
  return item;
}

/** Lists the variants of a search that is done. */
export async function list(name, take) {
  const answer = await fetch(`/reports/${encodeURIComponent(name)}/summary.json`);
  const found = await answer.json();
  by('designed').hidden = false;
  by('designed-report').href = `/reports/${encodeURIComponent(name)}/index.html`;
  by('designed-list').replaceChildren(...found.variants.map((variant) => candidate(found, variant, take)));
  by('designed').scrollIntoView({ block: 'nearest' });
}

/** Waits until a job is done; returns why it failed otherwise. */
export async function done(name) {
  let job = null;
  do {
    await new Promise((later) => { setTimeout(later, 1000); });
    job = (await post('/api/jobs', {}).catch(() => null))?.find((it) => it.name === name) ?? job;
  } while (job?.state === 'running');
  return job?.state === 'done' ? '' : job?.failed ?? `${name} is not finished`;
}

export function bind(changed, search) {
  by('wishes').addEventListener('change', () => { state.wishes = lines('wishes').slice(0, 10); changed(); });
  by('search').addEventListener('click', () => search({
    vary: lines('vary'), want: state.wishes, price: by('search-price').checked,
  }));
}
